#include <baltoro/device.hpp>

#include <string>

#include <cuda_runtime.h>

namespace baltoro {
namespace {

cuda_status look_for_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver || status == cudaErrorNoDevice ||
      (status == cudaSuccess && count == 0)) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) {
      return {false, status == cudaErrorInsufficientDriver
                         ? "the NVIDIA driver is older than this build's CUDA needs"
                         : "the NVIDIA driver finds no GPU"};
    }
    return {false, "no NVIDIA driver was found"};
  }
  if (status != cudaSuccess) return {false, cudaGetErrorString(status)};
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    return {false, "the GPU does not answer"};
  }
  if (properties.major < 8) {
    return {false, std::string(properties.name) + " is older than compute capability 8.0"};
  }
  return {true, properties.name};
}

}  // namespace

const cuda_status& query_cuda() {
  static const cuda_status status = look_for_gpu();
  return status;
}

}  // namespace baltoro
