// An array in device memory for tests.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <cuda_runtime.h>

#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::test {

template <class T>
class device_array {
 public:
  explicit device_array(std::span<const T> values) : device_array(values.data(), values.size()) {}
  device_array(const T* values, std::size_t count)
      : count_(count), memory_(count * sizeof(T), "a test") {
    if (count == 0) return;
    cuda::check(cudaMemcpy(data(), values, count * sizeof(T), cudaMemcpyHostToDevice),
                "cudaMemcpy");
  }
  T* data() const { return memory_.at<T>(); }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    if (count_ == 0) return values;
    cuda::check(cudaMemcpy(values.data(), data(), count_ * sizeof(T), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    return values;
  }

 private:
  std::size_t count_;
  cuda::device_memory memory_;
};

}  // namespace baltoro::test
