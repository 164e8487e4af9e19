// The part of CUDA that src/cuda uses, run on the CPU: for tests where there is no GPU.
//
// A kernel's threads are fibers of one thread of the CPU. Each runs until it must wait for others, so the
// order in which lanes touch memory between two operations of a warp is another than on a GPU, and as
// lawful; every second launch it is turned round. Threads that meet in different operations, lanes that
// are missing from one, and copies from or to memory that was not allocated end the program with a message.
// Nothing here says anything about speed.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

// What nvcc gives functions and variables.
#define __host__
#define __device__
#define __global__
#define __grid_constant__
#define __launch_bounds__(...)
// One block runs at a time.
#define __shared__ static
#define __forceinline__ inline

struct dim3 {
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  unsigned x;
  unsigned y;
  unsigned z;
};

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

// Of the thread that runs now.
extern dim3 threadIdx;
extern dim3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

namespace gpu_emulation {

// What lanes or threads meet in.
enum class meeting { sync_warp, shuffle, shuffle_up, any, ballot };

// Waits until all lanes of this warp are here, and returns what each brought.
const std::uint64_t* meet_warp(meeting what, unsigned mask, std::uint64_t brought);
void meet_block();
unsigned lane_of_thread();

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace gpu_emulation

// Warps and blocks.
inline void __syncwarp(unsigned mask = 0xFFFF'FFFF) {
  gpu_emulation::meet_warp(gpu_emulation::meeting::sync_warp, mask, 0);
}
inline void __syncthreads() { gpu_emulation::meet_block(); }
inline void __threadfence() {}
template <class T>
T __shfl_sync(unsigned mask, T value, unsigned lane) {
  using namespace gpu_emulation;
  return from_bits<T>(meet_warp(meeting::shuffle, mask, to_bits(value))[lane % 32]);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
  using namespace gpu_emulation;
  const unsigned lane = lane_of_thread();
  const std::uint64_t* const all = meet_warp(meeting::shuffle_up, mask, to_bits(value));
  return lane < distance ? value : from_bits<T>(all[lane - distance]);
}
inline int __any_sync(unsigned mask, int predicate) {
  using namespace gpu_emulation;
  const std::uint64_t* const all = meet_warp(meeting::any, mask, predicate != 0 ? 1 : 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (all[lane] != 0) return 1;
  }
  return 0;
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  using namespace gpu_emulation;
  const std::uint64_t* const all = meet_warp(meeting::ballot, mask, predicate != 0 ? 1 : 0);
  unsigned result = 0;
  for (unsigned lane = 0; lane < 32; ++lane) result |= static_cast<unsigned>(all[lane]) << lane;
  return result;
}

// Memory. One thread runs at a time, so nothing comes between.
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T atomicAdd(T* to, std::type_identity_t<T> value) {
  const T old = *to;
  *to = old + value;
  return old;
}
template <class T>
T atomicOr(T* to, std::type_identity_t<T> value) {
  const T old = *to;
  *to = old | value;
  return old;
}
template <class T>
T atomicCAS(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  const T old = *to;
  if (old == expected) *to = value;
  return old;
}
template <class T>
T atomicMin(T* to, std::type_identity_t<T> value) {
  const T old = *to;
  if (value < old) *to = value;
  return old;
}
template <class T>
T atomicMax(T* to, std::type_identity_t<T> value) {
  const T old = *to;
  if (value > old) *to = value;
  return old;
}

// Arithmetic.
inline int __ffs(int value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned>(value)) + 1;
}
inline int __ffsll(long long value) {
  return value == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(value)) + 1;
}
inline int __clz(int value) { return std::countl_zero(static_cast<unsigned>(value)); }
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((low | static_cast<unsigned long long>(high) << 32U) >> (shift & 31U));
}
inline int __float_as_int(float value) { return std::bit_cast<int>(value); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }
inline double __longlong_as_double(long long value) { return std::bit_cast<double>(value); }
template <std::integral A, std::integral B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <std::integral A, std::integral B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}

// The runtime. A stream runs what it is given at once, unless it records.
enum cudaError_t {
  cudaSuccess,
  cudaErrorInvalidValue,
  cudaErrorMemoryAllocation,
  cudaErrorInsufficientDriver,
  cudaErrorNoDevice,
  cudaErrorInvalidDevice,
  cudaErrorStreamCaptureInvalidated,
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
inline constexpr unsigned cudaStreamNonBlocking = 1;
struct CUstream_st;
struct CUgraph_st;
struct CUgraphExec_st;
using cudaStream_t = CUstream_st*;
struct CUevent_st;
using cudaEvent_t = CUevent_st*;
inline constexpr unsigned cudaEventDisableTiming = 2;
using cudaGraph_t = CUgraph_st*;
using cudaGraphExec_t = CUgraphExec_st*;
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice };
struct cudaPointerAttributes {
  cudaMemoryType type;
};
struct cudaDeviceProp {
  char name[256];
  int major;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};

extern "C" {
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
}
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t cudaFreeHost(void* memory);
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* recorded, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t recorded, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t recorded);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t status);
const char* cudaGetErrorName(cudaError_t status);

namespace gpu_emulation {

// Runs work at its turn in a stream.
void enqueue(cudaStream_t stream, std::function<void()> work);
// Runs a kernel in all its threads; the thread's variables say which is meant.
void run_kernel(dim3 blocks, dim3 threads, const std::function<void()>& kernel);
// From now on blocks, and threads between two operations that they meet in, run in an order that a number other than 0
// stands for.
void set_order(unsigned order);

}  // namespace gpu_emulation

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments... arguments) {
  const dim3 blocks = config->gridDim;
  const dim3 threads = config->blockDim;
  if (blocks.x == 0 || blocks.y == 0 || blocks.y > 65535 || threads.x == 0 || threads.y == 0 ||
      threads.x * threads.y > 1024 || threads.z != 1 || blocks.z != 1 || config->dynamicSmemBytes != 0) {
    return cudaErrorInvalidValue;
  }
  gpu_emulation::enqueue(config->stream, [=] {
    gpu_emulation::run_kernel(blocks, threads, [&] { kernel(arguments...); });
  });
  return cudaSuccess;
}
