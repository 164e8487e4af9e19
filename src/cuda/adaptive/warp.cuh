// What the 32 lanes of a warp do together.
#pragma once

#include <cstdint>

namespace baltoro::cuda::warp {

inline constexpr unsigned lanes = 32;
inline constexpr unsigned all = 0xFFFF'FFFF;

// This thread's number in its warp.
__device__ inline unsigned lane() { return threadIdx.x % lanes; }

// The lanes before this one.
__device__ inline unsigned lanes_below() { return (1U << lane()) - 1; }

// The sum of a value over this lane and those before it.
__device__ inline unsigned inclusive_sum(unsigned value) {
  for (unsigned distance = 1; distance < lanes; distance *= 2) {
    const unsigned before = __shfl_up_sync(all, value, distance);
    if (lane() >= distance) value += before;
  }
  return value;
}

// What the last lane holds.
__device__ inline unsigned of_last(unsigned value) { return __shfl_sync(all, value, lanes - 1); }

}  // namespace baltoro::cuda::warp
