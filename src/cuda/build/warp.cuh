// What the lanes of a warp do together when they encode a container.
#pragma once

#include <baltoro/level_order.hpp>

#include <cstdint>

namespace baltoro::cuda {

__device__ inline unsigned lane_number() { return threadIdx.x % 32; }
__device__ inline unsigned count_bits(unsigned word) { return popcount(std::uint64_t{word}); }
// Bits of the lanes before this one.
__device__ inline unsigned lanes_before() { return (1U << lane_number()) - 1; }

__device__ inline std::uint32_t sum_of_warp(std::uint32_t value) {
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    value += __shfl_sync(~0U, value, lane_number() ^ distance);
  }
  return value;
}

__device__ inline std::uint32_t least_of_warp(std::uint32_t value) {
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    const std::uint32_t other = __shfl_sync(~0U, value, lane_number() ^ distance);
    value = other < value ? other : value;
  }
  return value;
}

// The sum of the values of this lane and those before it.
__device__ inline std::uint32_t sum_up_to_lane(std::uint32_t value) {
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(~0U, value, distance);
    if (lane_number() >= distance) value += before;
  }
  return value;
}

// Sets bits of words that are zero there; other lanes may set their neighbours.
__device__ inline void put_bits(std::uint32_t* words, std::uint32_t at, std::uint32_t value) {
  const std::uint64_t shifted = std::uint64_t{value} << (at & 31U);
  const auto low = static_cast<std::uint32_t>(shifted);
  const auto high = static_cast<std::uint32_t>(shifted >> 32U);
  if (low != 0) atomicOr(words + (at >> 5U), low);
  if (high != 0) atomicOr(words + (at >> 5U) + 1, high);
}

// Calls visit(i, valid) for 0 ≤ i < count, 32 at a time, in all lanes: beyond the end with false.
template <class Visit>
__device__ void for_each_of_warp(unsigned count, const Visit& visit) {
  for (unsigned at = 0; at < count; at += 32) visit(at + lane_number(), at + lane_number() < count);
}

}  // namespace baltoro::cuda
