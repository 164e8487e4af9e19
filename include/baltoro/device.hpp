/// \file
/// \brief Where a product runs.
#pragma once

#include <cstdint>
#include <string>

namespace baltoro {

/// Where a product runs.
enum class device : std::uint32_t {
  automatic,  ///< an NVIDIA GPU where there is one, else the CPU
  cpu,        ///< oneTBB on the cores of this machine
  cuda,       ///< an NVIDIA GPU of compute capability 8.0 or later
};

/// The name of a device as users write it.
constexpr const char* name_of(device where) {
  switch (where) {
    case device::automatic:
      return "auto";
    case device::cpu:
      return "cpu";
    case device::cuda:
      return "cuda";
  }
  return "unknown";
}

/// Whether the GPU can be used, and if not, why: not compiled in, no driver, no device.
struct cuda_status {
  bool usable = false;  ///< whether device::cuda works in this process
  std::string reason;   ///< the name of the GPU, or why there is none
};

/// Looks for a GPU; the answer is kept for the life of the process.
const cuda_status& query_cuda();

/// Turns `automatic` into the device that will be used.
/// \throws not_compiled when cuda is asked for and this library has no GPU backend
/// \throws cuda_error when cuda is asked for and there is no usable GPU
device resolve(device wanted);

}  // namespace baltoro
