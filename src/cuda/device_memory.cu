#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

device_memory::device_memory(std::uint64_t bytes, const char* what) : bytes_(bytes) {
  if (bytes == 0) return;
  const cudaError_t status = cudaMalloc(&data_, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // reported here, not by the next launch
    throw out_of_memory(what, bytes, free_bytes(), "the GPU has no more memory free");
  }
  check(status, "cudaMalloc");
}

device_memory::~device_memory() { cudaFree(data_); }

pinned_memory::pinned_memory(std::uint64_t bytes) {
  if (bytes != 0) check(cudaMallocHost(&data_, bytes), "cudaMallocHost");
}

pinned_memory::~pinned_memory() { cudaFreeHost(data_); }

stream::stream() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
}

stream::~stream() { cudaStreamDestroy(stream_); }

void stream::wait() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

device_guard::device_guard(int device) : before_(current_device()), device_(device) {
  if (before_ != device_) check(cudaSetDevice(device_), "cudaSetDevice");
}

device_guard::~device_guard() {
  if (before_ != device_) cudaSetDevice(before_);
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

std::uint64_t free_bytes() {
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  return available;
}

void copy_to_device(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
}

void copy_to_host(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
}

}  // namespace baltoro::cuda
