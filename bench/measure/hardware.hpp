// What was measured on, and what it can do at best (paper, 5.6 and 5.7).
#pragma once

#include <string>

#include "measure/protocol.hpp"

namespace baltoro::bench {

// Versions and the GPU; empty strings where there is none.
struct gpu_identity {
  std::string name;
  std::string compute_capability;  // "9.0"
  std::string driver;              // of NVIDIA, "580.159.04"
  std::string cuda_driver;         // the newest CUDA the driver knows, "13.0"
  std::string cuda_runtime;        // the CUDA this program was built with
  std::string cusparse;            // "12.6.3", or why it is absent
  unsigned multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t cache_bytes = 0;  // level 2
};

struct hardware_figures {
  double launch_us = 0;                // a kernel after another that do nothing
  double graph_node_us = 0;            // the same as nodes of one CUDA graph
  double copy_gb_per_s = 0;            // on the device, bytes read and bytes written
  double consecutive_atomics_g_s = 0;  // y[i] += x[i] atomically, 10⁹ a second
  double consecutive_stores_g_s = 0;   // the same by reading, adding and storing
  double scattered_atomics_g_s = 0;    // atomically, at random places
  std::uint64_t entries = 0;           // of y
};

// Throw cuda_error, not_compiled.
gpu_identity identify_gpu();
hardware_figures measure_hardware(const protocol& how);

}  // namespace baltoro::bench
