// NVIDIA's management library, which comes with the driver: its version and the energy counter.
#pragma once

#include <string>

namespace baltoro::bench {

struct nvml_device;  // what NVML calls nvmlDevice_st

class nvml {
 public:
  // Of the current GPU. Throws not_compiled where the library or the counter is absent.
  nvml();
  ~nvml();
  nvml(const nvml&) = delete;
  nvml& operator=(const nvml&) = delete;

  std::string driver_version() const;
  // Millijoules that the GPU has used since the driver was loaded.
  double energy_mj() const;

 private:
  void check(int status, const char* call) const;

  int (*shutdown_)() = nullptr;
  const char* (*error_text_)(int) = nullptr;
  int (*driver_version_)(char*, unsigned) = nullptr;
  int (*energy_)(nvml_device*, unsigned long long*) = nullptr;
  nvml_device* device_ = nullptr;
};

}  // namespace baltoro::bench
