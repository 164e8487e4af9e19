// Plans of products, kept between calls.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
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
         a.memory_limit_bytes == b.memory_limit_bytes && a.scratch == b.scratch &&
         a.container_warps == b.container_warps;
}

// A plan of any type, and what it was made for.
struct kept_plan {
  product_options options;
  int gpu;  // 0 for the CPU
  std::variant<plan<float>, plan<double>, plan<bits>> ready;
  stream_event last_run{};
  bool prepared = false;  // on the GPU

  // Allocates and uploads on first use, which may be while another stream of this thread is captured.
  template <class T>
  plan<T>& on_gpu() {
    if (!prepared) {
      const beside_captures allowed;
      of<T>().prepare();
      prepared = true;
    }
    return of<T>();
  }
  template <class T>
  plan<T>& of() {
    return std::get<plan<T>>(ready);
  }
  template <class T>
  bool suits(const product_options& wanted, int on_gpu) const {
    return options.side == wanted.side && options.ring == wanted.ring &&
           options.batch == wanted.batch && options.where == wanted.where &&
           std::holds_alternative<plan<T>>(ready) && gpu == on_gpu &&
           (wanted.where == device::cpu || same(options.cuda, wanted.cuda));
  }
};

// A plan whose runs are part of a CUDA graph. What orders other runs of a plan, an event, means nothing to
// a graph that is replayed later, so that the plan is the graph's alone for as long as that lives.
struct captured_plan {
  captured_plan(unsigned long long id, kept_plan&& plan) : capture(id), its(std::move(plan)) {}

  unsigned long long capture;
  kept_plan its;
  std::atomic<bool> free = false;  // the graph is gone

  // Makes the plan live as long as the graph does.
  static void give_to(const graph_capture& graph, const std::shared_ptr<captured_plan>& plan);
  // Destroys those whose graphs and matrices are gone: CUDA does not let graphs do it.
  static void sweep();
};

// A plan must not run twice at once, so a call takes an idle plan that fits out of the pool, or makes
// one, and puts it back when it is done. Any number of threads may call at once. Plans that were
// enqueued on a stream go back before they are done there; their next run waits for the last one.
class plan_pool {
 public:
  template <class T>
  void run(const matrix& a, const product_options& options, std::span<const T> x, std::span<T> y,
           update<T> how) {
    kept_plan taken = take<T>(a, options);
    taken.last_run.wait();
    taken.of<T>().run(x, y, how);
    put_back(std::move(taken));
  }

  // With x and y in the memory of the GPU that is current.
  template <class T>
  void run_on(cuda_stream stream, const matrix& a, const product_options& options,
              std::span<const T> x, std::span<T> y, update<T> how) {
    if (const graph_capture graph = capture_of(stream); graph.goes_on) {
      run_in(graph, stream, a, options, x, y, how);
      return;
    }
    captured_plan::sweep();
    kept_plan taken = take<T>(a, options);
    enqueue(taken, stream, x, y, how);
    put_back(std::move(taken));
  }

  template <class T>
  working_set needs(const matrix& a, const product_options& options) {
    kept_plan taken = take<T>(a, options);
    const working_set needs = taken.of<T>().needs();
    put_back(std::move(taken));
    return needs;
  }

 private:
  static constexpr std::size_t most_idle = 8;

  template <class T>
  static void enqueue(kept_plan& with, cuda_stream stream, std::span<const T> x, std::span<T> y,
                      update<T> how) {
    plan<T>& ready = with.template on_gpu<T>();
    if (x.size() != ready.x_size() || y.size() != ready.y_size()) {
      throw invalid_argument(fmt::format("x and out have {} and {} values; {} and {} are expected",
                                         x.size(), y.size(), ready.x_size(), ready.y_size()));
    }
    with.last_run.wait_on(stream);
    ready.run_on(stream, x.data(), y.data(), how);
    with.last_run.record_on(stream);
  }

  // The same into a graph that is being captured.
  template <class T>
  void run_in(const graph_capture& graph, cuda_stream stream, const matrix& a,
              const product_options& options, std::span<const T> x, std::span<T> y, update<T> how) {
    if (options.cuda.scratch != nullptr) {
      throw invalid_argument(
          "a product in shared scratch cannot be captured in a CUDA graph, for the scratch may "
          "move; "
          "leave out Cuda(scratch=...)");
    }
    const beside_captures allowed;
    captured_plan::sweep();
    const std::lock_guard lock(capture_mutex_);
    enqueue(plan_for<T>(graph, a, options).its, stream, x, y, how);
  }

  template <class T>
  captured_plan& plan_for(const graph_capture& graph, const matrix& a,
                          const product_options& options) {
    {
      const std::lock_guard lock(mutex_);
      for (const auto& each : captured_) {
        if (each->capture == graph.id && each->its.template suits<T>(options, current_gpu())) {
          return *each;
        }
      }
    }
    kept_plan taken = take<T>(a, options);
    taken.template on_gpu<T>();
    taken.last_run.wait();  // for the graph cannot
    taken.last_run = {};
    const auto made = std::make_shared<captured_plan>(graph.id, std::move(taken));
    captured_plan::give_to(graph, made);
    const std::lock_guard lock(mutex_);
    captured_.push_back(made);
    return *made;
  }

  template <class T>
  kept_plan take(const matrix& a, const product_options& options) {
    const int gpu = options.where == device::cpu ? 0 : current_gpu();
    {
      const std::lock_guard lock(mutex_);
      take_back();
      for (auto each = idle_.rbegin(); each != idle_.rend(); ++each) {
        if (!each->suits<T>(options, gpu)) continue;
        kept_plan found = std::move(*each);
        idle_.erase(std::next(each).base());
        return found;
      }
    }
    return {options, gpu, plan<T>(a, options)};
  }

  void put_back(kept_plan&& done) {
    const std::lock_guard lock(mutex_);
    keep_idle(std::move(done));
  }

  void keep_idle(kept_plan&& done) {
    if (idle_.size() == most_idle) idle_.erase(idle_.begin());  // the one unused for longest
    idle_.push_back(std::move(done));
  }

  // Plans whose graphs are gone are idle again.
  void take_back() {
    std::erase_if(captured_, [&](const std::shared_ptr<captured_plan>& each) {
      if (!each->free) return false;
      each->its.last_run = {};  // it was part of the graph
      keep_idle(std::move(each->its));
      return true;
    });
  }

  std::mutex mutex_;  // of both lists
  std::vector<kept_plan> idle_;
  std::vector<std::shared_ptr<captured_plan>> captured_;
  std::mutex capture_mutex_;  // one capture at a time
};

}  // namespace baltoro::python
