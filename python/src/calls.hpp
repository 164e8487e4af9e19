// What bindings of long calls share: without the GIL, with progress, on a device, and what they needed.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <string>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"

namespace baltoro::python {

// Runs work without the GIL.
template <class Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release no_gil;
  return work();
}

// (matrix, vectors, scratch) in bytes
inline nb::tuple to_tuple(const working_set& needs) {
  return nb::make_tuple(needs.matrix_bytes, needs.vector_bytes, needs.scratch_bytes);
}

// Where a call runs, as Python says it.
struct place {
  device where = device::cpu;
  cuda_options cuda{};
};

inline device device_named(const std::string& name) {
  for (const device each : {device::automatic, device::cpu, device::cuda}) {
    if (name == name_of(each)) return each;
  }
  throw invalid_argument(
      fmt::format("there is no device '{}'; there are cpu, cuda and auto", name));
}

// Of a name, or of the options of a GPU.
inline place place_of(nb::handle device_or_options) {
  if (nb::isinstance<cuda_options>(device_or_options)) {
    return {device::cuda, nb::cast<const cuda_options&>(device_or_options)};
  }
  if (!nb::isinstance<nb::str>(device_or_options)) {
    throw nb::type_error(
        fmt::format("device must be 'cpu', 'cuda', 'auto' or baltoro.Cuda(...), not {}",
                    nb::repr(device_or_options).c_str())
            .c_str());
  }
  return {device_named(nb::cast<std::string>(device_or_options)), {}};
}

}  // namespace baltoro::python
