// Scratch on the device that one plan owns or several share.
#pragma once

#include <baltoro/cuda.hpp>

#include <algorithm>
#include <cstdint>

#include "cuda/device_memory.hpp"

namespace baltoro {

class cuda_scratch {
 public:
  // Says that a plan will need so many bytes.
  void reserve(std::uint64_t bytes) { wanted_ = std::max(wanted_, bytes); }
  // The memory, as large as the largest reservation. cudaFree waits for those that still use it.
  const cuda::device_memory& get() {
    if (memory_.bytes() < wanted_) {
      memory_ = cuda::device_memory();
      memory_ = cuda::device_memory(wanted_, "scratch of the products");
    }
    return memory_;
  }
  std::uint64_t bytes() const { return memory_.bytes(); }

 private:
  std::uint64_t wanted_ = 0;
  cuda::device_memory memory_;
};

}  // namespace baltoro
