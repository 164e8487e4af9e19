#include "gpu.hpp"

#include <baltoro/error.hpp>

#ifdef BALTORO_WITH_CUDA

#include <string>

#include <cuda_runtime.h>

namespace baltoro::python {
namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report it again
  throw cuda_error(std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace

int current_gpu() {
  int gpu = 0;
  if (cudaGetDevice(&gpu) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return gpu;
}

gpu_guard::gpu_guard(int gpu) : before_(current_gpu()), gpu_(gpu) {
  if (gpu_ != before_) check(cudaSetDevice(gpu_), "cudaSetDevice");
}
gpu_guard::~gpu_guard() {
  if (gpu_ != before_) cudaSetDevice(before_);
}

void wait_for(cuda_stream stream) { check(cudaStreamSynchronize(stream), "cudaStreamSynchronize"); }

cuda_stream stream_of(std::uintptr_t number) {
  return number <= 1 ? nullptr : reinterpret_cast<cuda_stream>(number);
}

stream_event::~stream_event() {
  if (event_ != nullptr) cudaEventDestroy(static_cast<cudaEvent_t>(event_));
}

void stream_event::record_on(cuda_stream stream) {
  if (event_ == nullptr) {
    cudaEvent_t made = nullptr;
    check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "cudaEventCreate");
    event_ = made;
  }
  check(cudaEventRecord(static_cast<cudaEvent_t>(event_), stream), "cudaEventRecord");
}

void stream_event::wait_on(cuda_stream stream) const {
  if (event_ == nullptr) return;
  check(cudaStreamWaitEvent(stream, static_cast<cudaEvent_t>(event_), 0), "cudaStreamWaitEvent");
}

void stream_event::wait() const {
  if (event_ == nullptr) return;
  check(cudaEventSynchronize(static_cast<cudaEvent_t>(event_)), "cudaEventSynchronize");
}

graph_capture capture_of(cuda_stream stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaError_t error = cudaStreamGetCaptureInfo(stream, &status, &id, &graph);
  if (error == cudaErrorStreamCaptureImplicit) {
    cudaGetLastError();
    throw cuda_error(
        "a product on the default stream while another stream is captured: enter the stream that "
        "is "
        "captured first");
  }
  check(error, "cudaStreamGetCaptureInfo");
  if (status != cudaStreamCaptureStatusActive) return {};
  return {true, id, graph};
}

void keep_with(const graph_capture& capture, void* what, void (*let_go)(void*)) {
  cudaUserObject_t kept = nullptr;
  check(cudaUserObjectCreate(&kept, what, let_go, 1, cudaUserObjectNoDestructorSync),
        "cudaUserObjectCreate");
  check(cudaGraphRetainUserObject(static_cast<cudaGraph_t>(capture.graph), kept, 1,
                                  cudaGraphUserObjectMove),
        "cudaGraphRetainUserObject");
}

beside_captures::beside_captures() : mode_(cudaStreamCaptureModeRelaxed) {
  auto mode = static_cast<cudaStreamCaptureMode>(mode_);
  check(cudaThreadExchangeStreamCaptureMode(&mode), "cudaThreadExchangeStreamCaptureMode");
  mode_ = mode;
}
beside_captures::~beside_captures() {
  auto mode = static_cast<cudaStreamCaptureMode>(mode_);
  cudaThreadExchangeStreamCaptureMode(&mode);
}

}  // namespace baltoro::python

#else

namespace baltoro::python {
namespace {

[[noreturn]] void refuse() {
  throw not_compiled("arrays of a GPU: this build of Baltoro has no GPU backend");
}

}  // namespace

int current_gpu() { return 0; }
gpu_guard::gpu_guard(int gpu) : before_(gpu), gpu_(gpu) { refuse(); }
gpu_guard::~gpu_guard() = default;
void wait_for(cuda_stream) { refuse(); }
cuda_stream stream_of(std::uintptr_t) { return nullptr; }
stream_event::~stream_event() = default;
void stream_event::record_on(cuda_stream) { refuse(); }
void stream_event::wait_on(cuda_stream) const {}
void stream_event::wait() const {}
graph_capture capture_of(cuda_stream) { return {}; }
void keep_with(const graph_capture&, void*, void (*)(void*)) { refuse(); }
beside_captures::beside_captures() : mode_(0) {}
beside_captures::~beside_captures() = default;

}  // namespace baltoro::python

#endif
