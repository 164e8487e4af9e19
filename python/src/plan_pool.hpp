// Plans of products, kept between calls.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <cstddef>
#include <mutex>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "gpu.hpp"

namespace baltoro::python {

// Whether two GPU plans can stand for each other.
inline bool same(const cuda_options& a, const cuda_options& b) {
  return a.configuration == b.configuration && a.offsets == b.offsets &&
         a.tile_nodes == b.tile_nodes && a.top_nodes == b.top_nodes &&
         a.leaves_in_place == b.leaves_in_place && a.record == b.record &&
         a.memory_limit_bytes == b.memory_limit_bytes && a.scratch == b.scratch;
}

// A plan must not run twice at once, so a call takes an idle plan that fits out of the pool, or makes
// one, and puts it back when it is done. Any number of threads may call at once. Plans that were
// enqueued on a stream go back before they are done there; their next run waits for the last one.
class plan_pool {
 public:
  template <class T>
  void run(const matrix& a, const product_options& options, std::span<const T> x, std::span<T> y,
           update<T> how) {
    idle_plan taken = take<T>(a, options);
    std::get<plan<T>>(taken.ready).run(x, y, how);
    put_back(std::move(taken));
  }

  // With x and y in the memory of the GPU that is current.
  template <class T>
  void run_on(cuda_stream stream, const matrix& a, const product_options& options,
              std::span<const T> x, std::span<T> y, update<T> how) {
    idle_plan taken = take<T>(a, options);
    plan<T>& ready = std::get<plan<T>>(taken.ready);
    if (x.size() != ready.x_size() || y.size() != ready.y_size()) {
      throw invalid_argument(fmt::format("x and out have {} and {} values; {} and {} are expected",
                                         x.size(), y.size(), ready.x_size(), ready.y_size()));
    }
    ready.prepare();
    taken.last_run.wait_on(stream);
    ready.run_on(stream, x.data(), y.data(), how);
    taken.last_run.record_on(stream);
    put_back(std::move(taken));
  }

  template <class T>
  working_set needs(const matrix& a, const product_options& options) {
    idle_plan taken = take<T>(a, options);
    const working_set needs = std::get<plan<T>>(taken.ready).needs();
    put_back(std::move(taken));
    return needs;
  }

 private:
  static constexpr std::size_t most_idle = 8;

  struct idle_plan {
    product_options options;
    int gpu;  // that it was made for; 0 for the CPU
    std::variant<plan<float>, plan<double>, plan<bits>> ready;
    stream_event last_run{};
  };

  template <class T>
  idle_plan take(const matrix& a, const product_options& options) {
    const bool on_cpu = options.where == device::cpu;
    const int gpu = on_cpu ? 0 : current_gpu();
    {
      const std::lock_guard lock(mutex_);
      for (auto each = idle_.rbegin(); each != idle_.rend(); ++each) {
        const product_options& its = each->options;
        if (its.side != options.side || its.ring != options.ring || its.batch != options.batch ||
            its.where != options.where || its.reproducible != options.reproducible || !std::holds_alternative<plan<T>>(each->ready) ||
            each->gpu != gpu || (!on_cpu && !same(its.cuda, options.cuda))) {
          continue;
        }
        idle_plan found = std::move(*each);
        idle_.erase(std::next(each).base());
        return found;
      }
    }
    return {options, gpu, plan<T>(a, options)};
  }

  void put_back(idle_plan&& done) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() == most_idle) idle_.erase(idle_.begin());  // the one unused for longest
    idle_.push_back(std::move(done));
  }

  std::mutex mutex_;
  std::vector<idle_plan> idle_;
};

}  // namespace baltoro::python
