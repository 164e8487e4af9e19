// Owners of device memory, of pinned memory on the host and of streams. Every byte the library holds on a GPU is allocated here.
#pragma once

#include <cstdint>
#include <utility>

#include <cuda_runtime.h>

namespace baltoro::cuda {

// One allocation; nothing for 0 bytes.
class device_memory {
 public:
  device_memory() = default;
  // Throws out_of_memory that names `what`.
  device_memory(std::uint64_t bytes, const char* what);
  ~device_memory();
  device_memory(device_memory&& other) noexcept { swap(other); }
  // Frees what was held before.
  device_memory& operator=(device_memory&& other) noexcept {
    device_memory taken(std::move(other));
    swap(taken);
    return *this;
  }

  void* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  // The values at an offset in bytes that suits their type.
  template <class T>
  T* at(std::uint64_t offset_bytes = 0) const {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(data_) + offset_bytes);
  }

 private:
  void swap(device_memory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }
  void* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Memory of the host that the device copies to while the host goes on.
class pinned_memory {
 public:
  pinned_memory() = default;
  explicit pinned_memory(std::uint64_t bytes);
  ~pinned_memory();
  pinned_memory(pinned_memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  pinned_memory& operator=(pinned_memory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }

  template <class T>
  T* at(std::uint64_t offset_bytes = 0) const {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(data_) + offset_bytes);
  }

 private:
  void* data_ = nullptr;
};

// What cudaMalloc aligns to; parts of one allocation start at multiples of it.
constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

// A stream that does not wait for the default one.
class stream {
 public:
  stream();
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  cudaStream_t get() const { return stream_; }
  void wait() const;

 private:
  cudaStream_t stream_ = nullptr;
};

// Makes a device the current one while it lives.
class device_guard {
 public:
  explicit device_guard(int device);
  ~device_guard();
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

 private:
  int before_ = 0;
  int device_;
};

int current_device();
// What the current device has free.
std::uint64_t free_bytes();

void copy_to_device(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream);
void copy_to_host(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream);

}  // namespace baltoro::cuda
