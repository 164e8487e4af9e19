#include "measure/nvml.hpp"

#include <array>

#include <cuda_runtime.h>

#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"
#include "measure/shared_library.hpp"

namespace baltoro::bench {

nvml::nvml() {
  const shared_library file("libnvidia-ml.so.1");
  int (*initialize)() = nullptr;
  int (*find_device)(const char*, nvml_device**) = nullptr;
  file.find(initialize, "nvmlInit_v2");
  file.find(shutdown_, "nvmlShutdown");
  file.find(error_text_, "nvmlErrorString");
  file.find(driver_version_, "nvmlSystemGetDriverVersion");
  file.find(find_device, "nvmlDeviceGetHandleByPciBusId_v2");
  file.find(energy_, "nvmlDeviceGetTotalEnergyConsumption");
  std::array<char, 64> bus{};
  cuda::check(cudaDeviceGetPCIBusId(bus.data(), bus.size(), cuda::current_device()),
              "cudaDeviceGetPCIBusId");
  check(initialize(), "nvmlInit_v2");
  try {
    check(find_device(bus.data(), &device_), "nvmlDeviceGetHandleByPciBusId_v2");
  } catch (...) {
    shutdown_();
    throw;
  }
}

nvml::~nvml() { shutdown_(); }

std::string nvml::driver_version() const {
  std::array<char, 96> text{};
  check(driver_version_(text.data(), text.size()), "nvmlSystemGetDriverVersion");
  return text.data();
}

double nvml::energy_mj() const {
  unsigned long long millijoules = 0;
  check(energy_(device_, &millijoules), "nvmlDeviceGetTotalEnergyConsumption");
  return static_cast<double>(millijoules);
}

void nvml::check(int status, const char* call) const {
  if (status != 0) throw not_compiled(std::string(call) + ": " + error_text_(status));
}

}  // namespace baltoro::bench
