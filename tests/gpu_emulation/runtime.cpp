// The CUDA runtime over the CPU's memory.
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_runtime.h"

struct CUuserObject_st {
  void* what;
  cudaHostFn_t destroy;
  ~CUuserObject_st() { destroy(what); }
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
  unsigned long long id = 0;
  std::vector<std::shared_ptr<CUuserObject_st>> objects{};
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
  std::vector<std::shared_ptr<CUuserObject_st>> objects;
};
struct CUstream_st {
  CUgraph_st* recorded = nullptr;  // while it records
};
struct CUevent_st {
  bool recorded = false;
  unsigned long long capture = 0;  // that it was recorded in, if in any
};

namespace {

constexpr std::size_t device_bytes = std::size_t{4} << 30U;

std::mutex memory_mutex;
std::map<std::uintptr_t, std::size_t> allocations;  // bytes by address
std::size_t allocated = 0;

bool on_device(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(memory_mutex);
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const auto after = allocations.upper_bound(at);
  if (after == allocations.begin()) return false;
  const auto& [first, size] = *std::prev(after);
  return at + bytes <= first + size;
}

// Captures of this thread that go on, and what it may do meanwhile.
thread_local int captures = 0;
thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

// Whether this thread must not allocate or wait.
bool capture_forbids() { return captures != 0 && capture_mode != cudaStreamCaptureModeRelaxed; }

unsigned long long capture_of(cudaStream_t stream) {
  return stream == nullptr || stream->recorded == nullptr ? 0 : stream->recorded->id;
}

}  // namespace

namespace gpu_emulation {

void enqueue(cudaStream_t stream, std::function<void()> work) {
  if (stream != nullptr && stream->recorded != nullptr) {
    stream->recorded->work.push_back(std::move(work));
  } else {
    work();
  }
}

}  // namespace gpu_emulation

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  if (capture_forbids()) return cudaErrorStreamCaptureUnsupported;
  const std::lock_guard lock(memory_mutex);
  if (bytes > device_bytes - allocated) return cudaErrorMemoryAllocation;
  if (posix_memalign(memory, 256, bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xA5, bytes);  // nobody may count on zeros
  allocations.emplace(reinterpret_cast<std::uintptr_t>(*memory), bytes);
  allocated += bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  if (memory == nullptr) return cudaSuccess;
  const std::lock_guard lock(memory_mutex);
  const auto found = allocations.find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == allocations.end()) return cudaErrorInvalidValue;
  allocated -= found->second;
  allocations.erase(found);
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  if (*memory == nullptr) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xA5, bytes);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  const std::lock_guard lock(memory_mutex);
  *available = device_bytes - allocated;
  *total = device_bytes;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (kind == cudaMemcpyDefault) {
    if (!on_device(to, bytes) && !on_device(from, bytes)) return cudaErrorInvalidValue;
    gpu_emulation::enqueue(stream, [=] { std::memcpy(to, from, bytes); });
    return cudaSuccess;
  }
  if (kind != cudaMemcpyDeviceToHost && !on_device(to, bytes)) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyHostToDevice && !on_device(from, bytes)) return cudaErrorInvalidValue;
  gpu_emulation::enqueue(stream, [=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (!on_device(to, bytes)) return cudaErrorInvalidValue;
  gpu_emulation::enqueue(stream, [=] { std::memset(to, value, bytes); });
  return cudaSuccess;
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, nullptr);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new CUstream_st;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (capture_forbids()) return cudaErrorStreamCaptureUnsupported;
  // A stream that records cannot be waited for.
  return stream != nullptr && stream->recorded != nullptr ? cudaErrorStreamCaptureInvalidated
                                                          : cudaSuccess;
}

// Streams run everything at once, so nothing is ever waited for; what was never recorded is a mistake.
// Captures know no events but their own.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event == nullptr || !event->recorded) return cudaErrorInvalidValue;
  if (event->capture == capture_of(stream)) return cudaSuccess;
  return event->capture == 0 ? cudaErrorStreamCaptureIsolation : cudaErrorCapturedEvent;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->recorded = true;
  event->capture = capture_of(stream);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (capture_forbids()) return cudaErrorStreamCaptureUnsupported;
  if (event != nullptr && event->capture != 0) return cudaErrorCapturedEvent;
  return event != nullptr && event->recorded ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  attributes->type = on_device(memory, 1) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->recorded != nullptr) return cudaErrorInvalidValue;
  static std::atomic<unsigned long long> last = 0;
  stream->recorded = new CUgraph_st{{}, ++last};
  ++captures;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = capture_of(stream) == 0 ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph) {
  if (capture_of(stream) != 0) {
    *id = capture_of(stream);
    *graph = stream->recorded;
  }
  return cudaStreamIsCapturing(stream, status);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return cudaSuccess;
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* what, cudaHostFn_t destroy,
                                 unsigned, unsigned) {
  *object = new CUuserObject_st{what, destroy};
  return cudaSuccess;
}

// Takes the one reference there is.
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned,
                                      unsigned flags) {
  if (flags != cudaGraphUserObjectMove) return cudaErrorInvalidValue;
  graph->objects.emplace_back(object);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (stream == nullptr || stream->recorded == nullptr) return cudaErrorInvalidValue;
  *graph = std::exchange(stream->recorded, nullptr);
  --captures;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* recorded, cudaGraph_t graph, unsigned long long) {
  *recorded = new CUgraphExec_st{graph->work, graph->objects};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t recorded, cudaStream_t stream) {
  for (const auto& work : recorded->work) gpu_emulation::enqueue(stream, work);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t recorded) {
  delete recorded;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  *properties = {"emulated GPU", 8};
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaSuccess ? "no error" : "an error of the emulated GPU";
}

const char* cudaGetErrorName(cudaError_t status) {
  switch (status) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated:
      return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorStreamCaptureIsolation:
      return "cudaErrorStreamCaptureIsolation";
    case cudaErrorStreamCaptureImplicit:
      return "cudaErrorStreamCaptureImplicit";
    case cudaErrorCapturedEvent:
      return "cudaErrorCapturedEvent";
  }
  return "unknown";
}
