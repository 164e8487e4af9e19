#pragma once

#include <cuda_runtime.h>

namespace cub {

template <class T, int Threads>
class BlockReduce {
 public:
  struct TempStorage {
    T values[Threads];
  };

  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  // The sum of what all threads bring, for thread 0.
  T Sum(T value) {
    storage_.values[threadIdx.x] = value;
    __syncthreads();
    T sum{};
    if (threadIdx.x == 0) {
      for (const T each : storage_.values) sum += each;
    }
    return sum;
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
