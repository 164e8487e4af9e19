// Copies from device memory to shared memory that run while the thread goes on (sm_80 and later).
#pragma once

#include <cstring>

namespace baltoro::cuda {

// Starts a copy of 4, 8 or 16 bytes, both addresses multiples of that.
template <unsigned Bytes>
__device__ __forceinline__ void copy_async(void* shared, const void* from) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(from), "n"(Bytes)
               : "memory");
#else
  std::memcpy(shared, from, Bytes);
#endif
}

// Ends a group of this thread's copies; it may be empty.
__device__ __forceinline__ void end_copy_group() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most the last `Pending` of this thread's groups are under way.
template <unsigned Pending>
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

}  // namespace baltoro::cuda
