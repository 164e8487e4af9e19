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

// The one way to start a kernel: launch(kernel, blocks, threads, shared bytes, stream,
// arguments...).
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
            cudaStream_t stream, Arguments&&... arguments) {
  kernel<<<blocks, threads, shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
  check(cudaGetLastError(), "kernel launch");
}

}  // namespace baltoro::cuda
