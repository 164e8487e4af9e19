// What bindings of long calls share: without the GIL, with progress, on a device, and what they needed.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "gpu.hpp"

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

// Scratch that products of several matrices share, and the last of them.
struct shared_scratch {
  std::shared_ptr<cuda_scratch> memory = make_cuda_scratch();
  std::recursive_mutex turn;  // an algorithm's progress may multiply
  stream_event last_run;
};

// Where a call runs, as Python says it.
struct place {
  device where = device::cpu;
  cuda_options cuda{};
  std::shared_ptr<shared_scratch> scratch{};  // that of `cuda`, if it has one
};

// While it lives, no other call uses the scratch of a place. To be taken without the GIL.
class scratch_turn {
 public:
  explicit scratch_turn(const place& on) : scratch_(on.scratch.get()) {
    if (scratch_ != nullptr) mine_ = std::unique_lock(scratch_->turn);
  }
  // Waits for the last run, on the host or on a stream.
  void begin() const {
    if (scratch_ != nullptr) scratch_->last_run.wait();
  }
  void begin_on(cuda_stream stream) const {
    if (scratch_ != nullptr) scratch_->last_run.wait_on(stream);
  }
  void end_on(cuda_stream stream) const {
    if (scratch_ != nullptr) scratch_->last_run.record_on(stream);
  }

 private:
  shared_scratch* scratch_;
  std::unique_lock<std::recursive_mutex> mine_;
};

// Runs work at a place without the GIL.
template <class Work>
auto without_gil(const place& on, const Work& work) {
  const nb::gil_scoped_release no_gil;
  const scratch_turn turn(on);
  turn.begin();
  return work();
}

inline device device_named(const std::string& name) {
  for (const device each : {device::automatic, device::cpu, device::cuda}) {
    if (name == name_of(each)) return each;
  }
  throw invalid_argument(
      fmt::format("there is no device '{}'; there are cpu, cuda and auto", name));
}

// Of a name, or of the options of a GPU.
inline place place_of(nb::handle device_or_options) {
  if (nb::isinstance<place>(device_or_options)) {
    return nb::cast<const place&>(device_or_options);
  }
  if (!nb::isinstance<nb::str>(device_or_options)) {
    throw nb::type_error(
        fmt::format("device must be 'cpu', 'cuda', 'auto' or baltoro.Cuda(...), not {}",
                    nb::repr(device_or_options).c_str())
            .c_str());
  }
  return {.where = device_named(nb::cast<std::string>(device_or_options))};
}

}  // namespace baltoro::python
