// Where an algorithm runs that has a backend for a GPU.
#pragma once

#include <baltoro/device.hpp>
#include <baltoro/error.hpp>

namespace baltoro::algorithms {

// What on_gpu() gives; where the CPU is asked for, or `automatic` finds no GPU with the memory, what on_cpu() does.
template <class OnGpu, class OnCpu>
auto at_place(device wanted, const OnGpu& on_gpu, const OnCpu& on_cpu) {
  if (resolve(wanted) == device::cpu) return on_cpu();
  try {
    return on_gpu();
  } catch (const out_of_memory&) {
    if (wanted == device::cuda) throw;
    return on_cpu();
  }
}

}  // namespace baltoro::algorithms
