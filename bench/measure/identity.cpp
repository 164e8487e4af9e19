#include <cuda_runtime.h>
#include <fmt/format.h>

#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"
#include "engines/cusparse_library.hpp"
#include "measure/hardware.hpp"
#include "measure/nvml.hpp"

namespace baltoro::bench {
namespace {

// 13000 is 13.0
std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string cusparse_version() {
  try {
    const cusparse_library& library = cusparse_library::get();
    cusparseHandle_t handle = nullptr;
    library.check(library.create(&handle), "cusparseCreate");
    int version = 0;
    const cusparseStatus_t status = library.get_version(handle, &version);
    library.destroy(handle);
    library.check(status, "cusparseGetVersion");
    return fmt::format("{}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
  } catch (const error& failure) {
    return failure.what();
  }
}

std::string driver_version() {
  try {
    return nvml().driver_version();
  } catch (const error& failure) {
    return failure.what();
  }
}

}  // namespace

gpu_identity identify_gpu() {
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, cuda::current_device()),
              "cudaGetDeviceProperties");
  int newest = 0;
  int built_with = 0;
  cuda::check(cudaDriverGetVersion(&newest), "cudaDriverGetVersion");
  cuda::check(cudaRuntimeGetVersion(&built_with), "cudaRuntimeGetVersion");
  gpu_identity gpu;
  gpu.name = properties.name;
  gpu.compute_capability = fmt::format("{}.{}", properties.major, properties.minor);
  gpu.driver = driver_version();
  gpu.cuda_driver = cuda_version(newest);
  gpu.cuda_runtime = cuda_version(built_with);
  gpu.cusparse = cusparse_version();
  gpu.multiprocessors = static_cast<unsigned>(properties.multiProcessorCount);
  gpu.memory_bytes = properties.totalGlobalMem;
  gpu.cache_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
  return gpu;
}

}  // namespace baltoro::bench
