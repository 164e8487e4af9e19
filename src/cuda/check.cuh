// The one way to start a kernel, which throws where it cannot be started.
#pragma once

#include "cuda/check.hpp"

namespace baltoro::cuda {

// launch(kernel, blocks, threads, shared bytes, stream, arguments...).
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
            cudaStream_t stream, Arguments&&... arguments) {
  kernel<<<blocks, threads, shared_bytes, stream>>>(static_cast<Parameters>(arguments)...);
  check(cudaGetLastError(), "kernel launch");
}

}  // namespace baltoro::cuda
