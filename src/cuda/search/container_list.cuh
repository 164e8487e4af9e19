// The containers that a level of a search must enter: those that have frontier vertices on one side and open
// ones on the other. While few vertices are in the frontier these are few, when few are open they are few
// again: the two directions of a direction-optimising search (Beamer, Asanović and Patterson, SC 2012).
#pragma once

#include <baltoro/product.hpp>

#include <algorithm>
#include <cstdint>

#include "cuda/adaptive/contents.cuh"
#include "cuda/adaptive/place.cuh"
#include "cuda/check.cuh"
#include "cuda/search/search_sets.cuh"

namespace baltoro::cuda {

struct container_list {
  std::uint32_t* numbers;  // of the containers
  std::uint32_t* count;    // how many
  std::uint32_t* taken;    // how many of them have been worked on

  // The next container, or ~0 when there is none; for all lanes of a warp.
  __device__ std::uint32_t next() const {
    std::uint32_t at = 0;
    if (warp::lane() == 0) at = atomicAdd(taken, 1U);
    at = __shfl_sync(warp::all, at, 0);
    return at < *count ? numbers[at] : ~0U;
  }
};

// An edge leads from an input to an output of the product: from row to column for the left one.
template <direction Side>
__global__ void list_containers(const __grid_constant__ device_view a,
                                const __grid_constant__ search_sets sets,
                                const __grid_constant__ container_list list) {
  const std::uint64_t container = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  bool wanted = container < a.matrix.containers;
  if (wanted) {
    const container_place at = place_of<Side>(a.matrix, container);
    wanted = sets.active.any(at.input, at.level) && sets.open.any(at.output, at.level);
  }
  const unsigned of_warp = __ballot_sync(warp::all, wanted);
  if (of_warp == 0) return;
  std::uint32_t begin = 0;
  if (warp::lane() == 0) begin = atomicAdd(list.count, popcount(of_warp));
  begin = __shfl_sync(warp::all, begin, 0);
  if (wanted) {
    list.numbers[begin + popcount(of_warp & warp::lanes_below())] =
        static_cast<std::uint32_t>(container);
  }
}

// What a level does to the containers of one direction: lists them, then runs `spread` in as many warps as a
// GPU keeps busy.
template <direction Side, class Spread, class... Arguments>
void spread_level(cudaStream_t stream, const device_view& a, const search_sets& sets,
                  const container_list& list, unsigned warps_of_block, const Spread& spread,
                  const Arguments&... arguments) {
  if (a.matrix.containers == 0) return;
  constexpr unsigned threads = 128;
  constexpr std::uint64_t most_blocks = 2048;
  check(cudaMemsetAsync(list.count, 0, 2 * sizeof(std::uint32_t), stream), "cudaMemsetAsync");
  launch(list_containers<Side>,
         dim3(static_cast<unsigned>((a.matrix.containers + threads - 1) / threads)), dim3(threads),
         0, stream, a, sets, list);
  const auto blocks = static_cast<unsigned>(
      std::min((a.matrix.containers + warps_of_block - 1) / warps_of_block, most_blocks));
  launch(spread, dim3(blocks), dim3(warps_of_block * warp::lanes), 0, stream, a, sets, list,
         arguments...);
}

}  // namespace baltoro::cuda
