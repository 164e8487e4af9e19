// Plans of products, kept between calls.
#pragma once

#include <baltoro/product.hpp>

#include <cstddef>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

namespace baltoro::python {

// A plan must not run twice at once, so a call takes an idle plan that fits out of the pool, or makes
// one, and puts it back when it is done. Any number of threads may call at once.
class plan_pool {
 public:
  template <class T>
  void run(const matrix& a, const product_options& options, std::span<const T> x, std::span<T> y) {
    plan<T> taken = take<T>(a, options);
    taken.run(x, y);
    put_back(options, std::move(taken));
  }

 private:
  static constexpr std::size_t most_idle = 8;

  struct idle_plan {
    direction side;
    semiring ring;
    index_t batch;
    std::variant<plan<float>, plan<double>> ready;
  };

  template <class T>
  plan<T> take(const matrix& a, const product_options& options) {
    {
      const std::lock_guard lock(mutex_);
      for (auto each = idle_.rbegin(); each != idle_.rend(); ++each) {
        if (each->side != options.side || each->ring != options.ring ||
            each->batch != options.batch || !std::holds_alternative<plan<T>>(each->ready)) {
          continue;
        }
        plan<T> found = std::get<plan<T>>(std::move(each->ready));
        idle_.erase(std::next(each).base());
        return found;
      }
    }
    return plan<T>(a, options);
  }

  template <class T>
  void put_back(const product_options& options, plan<T>&& done) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() == most_idle) idle_.erase(idle_.begin());  // the one unused for longest
    idle_.push_back({options.side, options.ring, options.batch, std::move(done)});
  }

  std::mutex mutex_;
  std::vector<idle_plan> idle_;
};

}  // namespace baltoro::python
