// Warps that work off one container together.
#pragma once

#include <cstdint>

#include "cuda/adaptive/warp.cuh"

namespace baltoro::cuda {

// So many warps of a block, a whole one where there is more than one.
template <unsigned Warps>
struct team {
  static constexpr unsigned warps = Warps;
  static constexpr unsigned threads = Warps * warp::lanes;

  // This thread's number, and its warp's.
  __device__ static unsigned thread() { return threadIdx.x % threads; }
  __device__ static unsigned member() { return thread() / warp::lanes; }
  // Waits for all, and for what they have written.
  __device__ static void sync() {
    if constexpr (Warps == 1) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }
};

// Up to so many containers leave warps without work, on each of 132 multiprocessors more than half of 24: what counts
// then is how soon one of them is done.
inline constexpr std::uint64_t few_containers = 132 * 12;

// From so many containers on, two for every warp that fits the GPU, one warp reads the leaves of a container one after the
// other; with fewer it would be the latency of one container that counts.
inline constexpr std::uint64_t many_containers = 132 * 64;

// Whether to read leaves as streams, by the option and the number of containers.
inline bool streams_pay(unsigned warps, std::uint64_t containers) {
  return warps == 1 || (warps == 0 && containers >= many_containers);
}

// Calls run(team) with a team of `warps`, 1 or 4, or for 0 the one that suits so many containers.
template <class Run>
void with_team(unsigned warps, std::uint64_t containers, const Run& run) {
  if (warps == 0) warps = containers < few_containers ? 4 : 1;
  if (warps == 1) {
    run(team<1>());
  } else {
    run(team<4>());
  }
}

}  // namespace baltoro::cuda
