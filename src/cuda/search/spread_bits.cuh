// A level of a search from one set of sources: sets are bits, one lane works on a leaf.
#pragma once

#include <cstdint>

#include "cuda/adaptive/multiply_bits.cuh"
#include "cuda/search/wanted_leaves.cuh"

namespace baltoro::cuda {

inline constexpr unsigned spread_bits_warps = 1;

// The first of those inputs that have a cell with an output in a leaf; there must be one.
template <direction Side>
__device__ __forceinline__ unsigned first_input(std::uint64_t pattern, unsigned inputs,
                                                unsigned output) {
  if constexpr (Side == direction::right) {
    const auto row = static_cast<unsigned>(pattern >> (8 * output)) & inputs;
    return static_cast<unsigned>(__ffs(static_cast<int>(row))) - 1;
  } else {
    const std::uint64_t column = pattern >> output & 0x0101'0101'0101'0101ULL;
    const std::uint64_t cells = column & format::bytes_of(inputs);
    return (static_cast<unsigned>(__ffsll(static_cast<long long>(cells))) - 1) / 8;
  }
}

// `parents`, where not null, keeps the smallest vertex that leads to each vertex that the level reaches.
template <direction Side, bool Parents>
__global__ void __launch_bounds__(spread_bits_warps* warp::lanes)
    spread_bits(const __grid_constant__ device_view a, const __grid_constant__ search_sets sets,
                const __grid_constant__ container_list list, index_t* parents) {
  __shared__ bits_space spaces[spread_bits_warps];
  bits_space& space = spaces[threadIdx.x / warp::lanes];
  for (std::uint32_t container = list.next(); container != ~0U; container = list.next()) {
    const container_place at = place_of<Side>(a.matrix, container);
    const auto put = [&](unsigned leaf, unsigned inputs, unsigned outputs, std::uint64_t pattern) {
      if (outputs == 0 || pattern == 0) return;
      const std::uint32_t position = space.positions[leaf];
      const std::uint32_t strip = at.output + output_strip<Side>(position);
      const unsigned reached = format::multiply_bits<Side>(pattern, inputs) & outputs;
      if (reached == 0) return;
      sets.change(strip, reached);
      if constexpr (Parents) {
        const std::uint32_t first = 8 * (at.input + input_strip<Side>(position));
        for (unsigned left = reached; left != 0; left &= left - 1) {
          const auto output = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
          const index_t parent = first + first_input<Side>(pattern, inputs, output);
          index_t* const to = parents + std::uint64_t{8} * strip + output;
          if (parent < *static_cast<const volatile index_t*>(to)) atomicMin(to, parent);
        }
      }
    };
    for_each_wanted_leaf<Side>(a, sets, container, at, space, put);
    __syncwarp();  // before the next container takes the space
  }
}

}  // namespace baltoro::cuda
