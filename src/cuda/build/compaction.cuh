// Taking the heads out of a sequence: of equal neighbours the first, of the cells of a node or a leaf the first.
// Everything that construction makes of sorted codes is a compaction.
//
// One warp works off a strip of consecutive places, twice: first it counts its heads, then, when a scan has
// told where its heads go, it hands them over.
#pragma once

#include <baltoro/level_order.hpp>

#include <cstdint>

#include <cub/device/device_scan.cuh>

#include "cuda/build/workspace.hpp"
#include "cuda/check.cuh"

namespace baltoro::cuda {

inline constexpr unsigned compaction_threads = 256;
inline constexpr std::uint64_t strip_places = 1024;

BALTORO_HOST_DEVICE constexpr std::uint64_t strips_for(std::uint64_t places) {
  return (places + strip_places - 1) / strip_places;
}
// Counts that a compaction of so many places works with.
constexpr std::uint64_t counts_for(std::uint64_t places) { return strips_for(places) + 1; }

// Blocks for one warp each strip, or one thread each item.
inline dim3 blocks_for_warps(std::uint64_t warps) {
  constexpr std::uint64_t per_block = compaction_threads / 32;
  return dim3(static_cast<unsigned>((warps + per_block - 1) / per_block));
}
inline dim3 blocks_for_threads(std::uint64_t threads) {
  return dim3(static_cast<unsigned>((threads + compaction_threads - 1) / compaction_threads));
}
__device__ inline std::uint64_t warp_number() {
  return (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
}
__device__ inline std::uint64_t thread_number() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

template <class Head>
__global__ void count_heads(const __grid_constant__ Head head, std::uint64_t places,
                            std::uint64_t* counts) {
  const std::uint64_t strip = warp_number();
  const std::uint64_t first = strip * strip_places;
  if (first >= places) {
    // One count more than there are strips, whose sum is that of all.
    if (strip == strips_for(places) && threadIdx.x % 32 == 0) counts[strip] = 0;
    return;
  }
  std::uint64_t count = 0;
  for (std::uint64_t at = first; at < first + strip_places && at < places; at += 32) {
    const std::uint64_t i = at + threadIdx.x % 32;
    count += popcount(std::uint64_t{__ballot_sync(~0U, i < places && head(i))});
  }
  if (threadIdx.x % 32 == 0) counts[strip] = count;
}

template <class Head, class Take>
__global__ void take_heads(const __grid_constant__ Head head, const __grid_constant__ Take take,
                           std::uint64_t places, const std::uint64_t* begins) {
  const std::uint64_t strip = warp_number();
  const std::uint64_t first = strip * strip_places;
  if (first >= places) return;
  std::uint64_t next = begins[strip];
  const unsigned lane = threadIdx.x % 32;
  for (std::uint64_t at = first; at < first + strip_places && at < places; at += 32) {
    const std::uint64_t i = at + lane;
    const bool is_head = i < places && head(i);
    const unsigned heads = __ballot_sync(~0U, is_head);
    if (is_head) take(next + popcount(std::uint64_t{heads & ((1U << lane) - 1)}), i);
    next += popcount(std::uint64_t{heads});
  }
}

// Counts the heads of `places` ≥ 1 places and waits for the answer.
template <class Head>
std::uint64_t count_heads_of(const Head& head, std::uint64_t places, const compaction_space& space,
                             cudaStream_t stream) {
  launch(count_heads<Head>, blocks_for_warps(counts_for(places)), dim3(compaction_threads), 0,
         stream, head, places, space.counts);
  std::size_t bytes = space.scan_bytes;
  check(cub::DeviceScan::ExclusiveSum(space.scan, bytes, space.counts, space.counts,
                                      static_cast<std::int64_t>(counts_for(places)), stream),
        "DeviceScan");
  return read_value(space.counts + strips_for(places), stream);
}

// Calls take(number, place) for each head, after count_heads_of() with the same.
template <class Head, class Take>
void take_heads_of(const Head& head, const Take& take, std::uint64_t places,
                   const compaction_space& space, cudaStream_t stream) {
  launch(take_heads<Head, Take>, blocks_for_warps(strips_for(places)), dim3(compaction_threads), 0,
         stream, head, take, places, space.counts);
}

// Both; returns the number of heads.
template <class Head, class Take>
std::uint64_t compact(const Head& head, const Take& take, std::uint64_t places,
                      const compaction_space& space, cudaStream_t stream) {
  const std::uint64_t heads = count_heads_of(head, places, space, stream);
  take_heads_of(head, take, places, space, stream);
  return heads;
}

// The first of those with equal bits from `shift` on.
struct first_of_equal {
  const std::uint64_t* codes;
  unsigned shift;
  __device__ bool operator()(std::uint64_t i) const {
    return i == 0 || codes[i] >> shift != codes[i - 1] >> shift;
  }
};

// Keeps the heads' codes, without the low bits.
struct keep_code {
  const std::uint64_t* codes;
  unsigned shift;
  std::uint64_t* into;
  __device__ void operator()(std::uint64_t number, std::uint64_t place) const {
    into[number] = codes[place] >> shift;
  }
};

}  // namespace baltoro::cuda
