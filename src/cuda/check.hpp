// CUDA calls that throw.
#pragma once

#include <baltoro/error.hpp>

#include <string>

#include <cuda_runtime.h>

namespace baltoro::cuda {

// Throws cuda_error with the call, the runtime's words and its name for the error.
inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  throw cuda_error(std::string(call) + ": " + cudaGetErrorString(status) + " (" +
                   cudaGetErrorName(status) + ")");
}

}  // namespace baltoro::cuda
