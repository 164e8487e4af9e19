#include "support/cuda_allocations.hpp"

#include <atomic>
#include <cstddef>

namespace {

std::atomic<std::uint64_t> bytes_allocated = 0;
std::atomic<std::uint64_t> allocations = 0;

}  // namespace

// The linker's option --wrap=cudaMalloc makes every call of cudaMalloc one of __wrap_cudaMalloc.
extern "C" {
int __real_cudaMalloc(void** memory, std::size_t bytes);
int __wrap_cudaMalloc(void** memory, std::size_t bytes) {
  const int status = __real_cudaMalloc(memory, bytes);
  if (status == 0) {
    bytes_allocated += bytes;
    ++allocations;
  }
  return status;
}
}

namespace baltoro::test {

std::uint64_t cuda_bytes_allocated() { return bytes_allocated; }
std::uint64_t cuda_allocations() { return allocations; }

}  // namespace baltoro::test
