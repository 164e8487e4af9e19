#include <memory>

#include "measure/energy.hpp"
#include "measure/nvml.hpp"

namespace baltoro::bench {

std::function<double()> gpu_energy_counter() {
  auto counter = std::make_shared<nvml>();
  counter->energy_mj();  // fails now where it would later
  return [counter] { return counter->energy_mj(); };
}

}  // namespace baltoro::bench
