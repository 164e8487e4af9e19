#include "cuda/build/staging.hpp"

#include <algorithm>
#include <cstring>

#include <tbb/parallel_for.h>

#include "cuda/check.hpp"

namespace baltoro::cuda {
namespace {

// Whether the device can copy from there by itself.
bool reachable(const void* memory) {
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

void copy_in_parallel(void* to, const void* from, std::uint64_t bytes) {
  constexpr std::uint64_t piece = std::uint64_t{1} << 20U;
  tbb::parallel_for(std::uint64_t{0}, (bytes + piece - 1) / piece, [&](std::uint64_t i) {
    std::memcpy(static_cast<std::byte*>(to) + i * piece,
                static_cast<const std::byte*>(from) + i * piece,
                std::min(piece, bytes - i * piece));
  });
}

}  // namespace

staging::~staging() {
  cudaStreamSynchronize(stream_);
  for (buffer& b : buffers_) {
    if (b.copied != nullptr) cudaEventDestroy(b.copied);
  }
}

void staging::make_room(std::uint64_t bytes) {
  const std::uint64_t wanted = std::min(buffer_bytes, aligned(bytes));
  if (capacity_ >= wanted) return;
  for (buffer& b : buffers_) {
    wait(b);
    b.memory = pinned_memory();
    b.memory = pinned_memory(wanted);
    if (b.copied == nullptr) {
      check(cudaEventCreateWithFlags(&b.copied, cudaEventDisableTiming), "cudaEventCreate");
    }
  }
  capacity_ = wanted;
}

void staging::begin(buffer& b, void* to, const void* from, std::uint64_t bytes, bool upload) {
  if (upload) {
    copy_to_device(to, from, bytes, stream_);
  } else {
    copy_to_host(to, from, bytes, stream_);
  }
  check(cudaEventRecord(b.copied, stream_), "cudaEventRecord");
  b.busy = true;
}

void staging::wait(buffer& b) {
  if (b.busy) check(cudaEventSynchronize(b.copied), "cudaEventSynchronize");
  b.busy = false;
}

void staging::upload(void* to, const void* from, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (reachable(from)) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
    return;
  }
  make_room(bytes);
  for (std::uint64_t at = 0; at < bytes; at += capacity_) {
    const std::uint64_t some = std::min(capacity_, bytes - at);
    buffer& b = buffers_[next_];
    next_ ^= 1U;
    wait(b);
    void* const pinned = b.memory.at<std::byte>();
    copy_in_parallel(pinned, static_cast<const std::byte*>(from) + at, some);
    begin(b, static_cast<std::byte*>(to) + at, pinned, some, true);
  }
}

void staging::download(const void* from, std::uint64_t bytes,
                       const std::function<void(std::span<const std::byte>)>& take) {
  if (bytes == 0) return;
  make_room(bytes);
  const auto some_at = [&](std::uint64_t at) { return std::min(capacity_, bytes - at); };
  const auto fetch = [&](std::uint64_t at) {
    buffer& b = buffers_[at / capacity_ % 2];
    wait(b);
    begin(b, b.memory.at<std::byte>(), static_cast<const std::byte*>(from) + at, some_at(at),
          false);
  };
  fetch(0);
  for (std::uint64_t at = 0; at < bytes; at += capacity_) {
    if (at + capacity_ < bytes) fetch(at + capacity_);
    buffer& b = buffers_[at / capacity_ % 2];
    wait(b);
    take({b.memory.at<std::byte>(), some_at(at)});
  }
}

void staging::download(void* to, const void* from, std::uint64_t bytes) {
  auto* next = static_cast<std::byte*>(to);
  download(from, bytes, [&](std::span<const std::byte> some) {
    copy_in_parallel(next, some.data(), some.size());
    next += some.size();
  });
}

}  // namespace baltoro::cuda
