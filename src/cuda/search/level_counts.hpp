// Runs the levels of a search. The host enqueues some of them before it knows whether they reach anything:
// a level without a frontier costs a few small kernels, less than waiting after each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// What every level counts, `each` numbers, on the device and then on the host.
class level_counts {
 public:
  static constexpr std::uint32_t levels = 4;  // enqueued together

  static constexpr std::uint64_t bytes(std::uint64_t each) { return levels * each * 4; }

  level_counts() = default;
  level_counts(std::uint32_t* counts, std::uint64_t each)
      : counts_(counts), each_(each), host_(bytes(each)) {}

  // Calls enqueue(d, counts) for the levels d = 0, 1, … up to `most`, which adds to the counts, and then
  // take(d, counts) on the host until they are all 0.
  template <class Enqueue, class Take>
  void run(const stream& work, std::uint32_t most, const Enqueue& enqueue, const Take& take) {
    for (std::uint64_t done = 0; done <= most;) {
      const auto some =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(levels, most - done + 1));
      check(cudaMemsetAsync(counts_, 0, bytes(each_), work.get()), "cudaMemsetAsync");
      for (std::uint32_t i = 0; i < some; ++i) {
        enqueue(static_cast<std::uint32_t>(done + i), counts_ + i * each_);
      }
      copy_to_host(host_.at<std::uint32_t>(), counts_, bytes(each_), work.get());
      work.wait();
      for (std::uint32_t i = 0; i < some; ++i) {
        const std::span<const std::uint32_t> counts(host_.at<std::uint32_t>() + i * each_, each_);
        if (std::all_of(counts.begin(), counts.end(), [](std::uint32_t c) { return c == 0; })) {
          return;
        }
        take(static_cast<std::uint32_t>(done++), counts);
      }
    }
  }

 private:
  std::uint32_t* counts_ = nullptr;
  std::uint64_t each_ = 0;
  pinned_memory host_;
};

}  // namespace baltoro::cuda
