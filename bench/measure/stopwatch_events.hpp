// The time between two points of a stream.
#pragma once

#include <cuda_runtime.h>

#include "cuda/check.hpp"

namespace baltoro::bench {

class stopwatch_events {
 public:
  stopwatch_events() {
    cuda::check(cudaEventCreate(&begin_), "cudaEventCreate");
    cuda::check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~stopwatch_events() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  stopwatch_events(const stopwatch_events&) = delete;
  stopwatch_events& operator=(const stopwatch_events&) = delete;

  void start(cudaStream_t stream) {
    cuda::check(cudaEventRecord(begin_, stream), "cudaEventRecord");
  }
  // Waits for what was put on the stream since start(); milliseconds.
  double stop(cudaStream_t stream) {
    cuda::check(cudaEventRecord(end_, stream), "cudaEventRecord");
    cuda::check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float ms = 0;
    cuda::check(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace baltoro::bench
