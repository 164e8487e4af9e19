// The emulated GPU as Python's tests see it: its memory, and streams that keep what they are given until
// they are told to run it.
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <cuda_runtime.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

nb::dlpack::dtype type_named(const std::string& name) {
  if (name == "float32") return nb::dtype<float>();
  if (name == "float64") return nb::dtype<double>();
  if (name == "uint32") return nb::dtype<std::uint32_t>();
  if (name == "int64") return nb::dtype<std::int64_t>();
  if (name == "int32") return nb::dtype<std::int32_t>();
  if (name == "bool") return nb::dtype<bool>();
  throw std::runtime_error("no such type: " + name);
}

// A capsule of DLPack over memory that `owner` keeps.
nb::object capsule(std::uintptr_t memory, const std::vector<std::size_t>& shape,
                   const std::vector<std::int64_t>& strides, const std::string& type, int device,
                   int device_id, nb::handle owner) {
  return nb::cast(nb::ndarray<>(reinterpret_cast<void*>(memory), shape.size(), shape.data(), owner,
                                strides.data(), type_named(type), device, device_id));
}

// What a stream has recorded.
class recorded_work {
 public:
  explicit recorded_work(cudaGraph_t graph) { check(cudaGraphInstantiate(&ready_, graph, 0)); }
  ~recorded_work() { cudaGraphExecDestroy(ready_); }
  recorded_work(const recorded_work&) = delete;
  recorded_work& operator=(const recorded_work&) = delete;

  void launch() { check(cudaGraphLaunch(ready_, nullptr)); }

 private:
  cudaGraphExec_t ready_ = nullptr;
};

// A stream that records until run() or end() is called.
class recording_stream {
 public:
  recording_stream() {
    check(cudaStreamCreate(&stream_));
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  }
  ~recording_stream() {
    cudaGraph_t graph = nullptr;
    if (cudaStreamEndCapture(stream_, &graph) == cudaSuccess) cudaGraphDestroy(graph);
    cudaStreamDestroy(stream_);
  }
  recording_stream(const recording_stream&) = delete;
  recording_stream& operator=(const recording_stream&) = delete;

  std::uintptr_t number() const { return reinterpret_cast<std::uintptr_t>(stream_); }

  std::unique_ptr<recorded_work> end() {
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph));
    auto made = std::make_unique<recorded_work>(graph);
    cudaGraphDestroy(graph);
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    return made;
  }

  void run() { end()->launch(); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace

NB_MODULE(emulated_gpu, m) {
  // As libraries of arrays do, also while a stream is captured.
  m.def("allocate", [](std::size_t bytes) {
    void* memory = nullptr;
    auto mode = cudaStreamCaptureModeRelaxed;
    check(cudaThreadExchangeStreamCaptureMode(&mode));
    const cudaError_t status = cudaMalloc(&memory, bytes);
    check(cudaThreadExchangeStreamCaptureMode(&mode));
    check(status);
    return reinterpret_cast<std::uintptr_t>(memory);
  });
  m.def("free", [](std::uintptr_t memory) { check(cudaFree(reinterpret_cast<void*>(memory))); });
  m.def("free_bytes", [] {
    std::size_t available = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&available, &total));
    return available;
  });
  m.def("capsule", &capsule, "memory"_a, "shape"_a, "strides"_a, "dtype"_a, "device"_a,
        "device_id"_a, "owner"_a);
  nb::class_<recorded_work>(m, "RecordedWork").def("launch", &recorded_work::launch);
  nb::class_<recording_stream>(m, "RecordingStream")
      .def(nb::init<>())
      .def_prop_ro("number", &recording_stream::number)
      .def("end", &recording_stream::end)
      .def("run", &recording_stream::run);
}
