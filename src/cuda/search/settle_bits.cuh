// The end of a level of a search from one set of sources.
#pragma once

#include <cstdint>

#include "cuda/search/search_sets.cuh"

namespace baltoro::cuda {

// Ends a level: what it has reached becomes the frontier, gets its distance and is counted.
static __global__ void __launch_bounds__(settle_threads)
    settle_bits(const __grid_constant__ search_sets sets, std::int32_t distance,
                std::int32_t* distances, std::uint32_t* count) {
  std::uint32_t reached = 0;
  sets.settle([&](std::uint32_t vertex, std::uint32_t bits) {
    if ((bits >> warp::lane() & 1U) != 0) {
      distances[std::uint64_t{vertex} + warp::lane()] = distance;
    }
    reached += popcount(bits);
    return bits;
  });
  if (warp::lane() == 0 && reached != 0) atomicAdd(count, reached);
}

}  // namespace baltoro::cuda
