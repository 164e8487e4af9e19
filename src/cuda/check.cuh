// The one way to start a kernel, which throws where it cannot be started.
#pragma once

#include "cuda/check.hpp"

namespace baltoro::cuda {

// launch(kernel, blocks, threads, shared bytes, stream, arguments...).
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared_bytes,
            cudaStream_t stream, Arguments&&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        "kernel launch");
}

}  // namespace baltoro::cuda
