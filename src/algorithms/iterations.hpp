// What all iterations on the CPU share: reports, and sums that do not depend on the number of threads.
#pragma once

#include <baltoro/progress.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

namespace baltoro::algorithms {

// Calls back after a step, at most a few hundred times a second; the first report is never left out.
class reporter {
 public:
  reporter(const progress_callback& callback, std::string_view stage, std::string_view unit)
      : callback_(callback), stage_(stage), unit_(unit) {}

  // What the callback throws ends the operation.
  void operator()(std::uint64_t done, std::uint64_t total) {
    if (!callback_) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(5);
    callback_({stage_, done, total, unit_});
  }

 private:
  using clock = std::chrono::steady_clock;
  const progress_callback& callback_;
  std::string_view stage_;
  std::string_view unit_;
  clock::time_point next_{};
};

// Vertices of one block of a parallel loop.
inline constexpr std::uint64_t block = 4096;

// Calls body(first, last) for the blocks of [0, count).
template <class Body>
void for_each_block(std::uint64_t count, const Body& body) {
  tbb::parallel_for(std::uint64_t{0}, (count + block - 1) / block,
                    [&](std::uint64_t i) { body(i * block, std::min(count, (i + 1) * block)); });
}

// Σ f(i), cut the same way whatever the number of threads, so that the bits are the same too.
template <class Function>
double sum(std::uint64_t count, const Function& f) {
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::uint64_t>(0, count, block), 0.0,
      [&](const tbb::blocked_range<std::uint64_t>& range, double total) {
        for (std::uint64_t i = range.begin(); i < range.end(); ++i) total += f(i);
        return total;
      },
      std::plus<double>());
}

}  // namespace baltoro::algorithms
