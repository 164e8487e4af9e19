// The inputs of a tile's leaves as one list, by strip of outputs: what a batch is multiplied from.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/place.cuh"
#include "format/adaptive/strips.hpp"

namespace baltoro::cuda {

// One input of a leaf: a row of x, and the outputs that it is added to.
struct alignas(8) batch_input {
  std::uint32_t row;
  std::uint32_t
      outputs;  // bit i for output i of the strip; above these the strip's number in its tile

  static constexpr unsigned strip_shift = 8;
  static_assert(format::most_tile_strips <= 1U << (32 - strip_shift));

  __device__ std::uint32_t strip() const { return outputs >> strip_shift; }
};

// A tile of strips on the device.
struct tile_view {
  std::uint32_t first_strip;
  std::uint32_t strips;
  std::uint32_t inputs;
  const std::uint32_t* begin;  // of each strip its first input
  batch_input* list;           // by strip

  __device__ std::uint32_t end(std::uint32_t strip) const {
    return strip + 1 == strips ? inputs : begin[strip + 1];
  }
};

inline constexpr unsigned expand_warps = 1;  // see multiply_blocks

// Puts the inputs of those leaves of containers list[0], list[1], … that are in the tile where the plan has
// room for them. `next` starts as a copy of tile.begin.
template <direction Side>
__global__ void __launch_bounds__(expand_warps* warp::lanes)
    expand_containers(const __grid_constant__ device_view a, const __grid_constant__ tile_view tile,
                      const std::uint32_t* list, unsigned count, std::uint32_t* next) {
  __shared__ leaf_space spaces[expand_warps];
  const unsigned slot = blockIdx.x * expand_warps + threadIdx.x / warp::lanes;
  if (slot >= count) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const std::uint64_t container = list[slot];
  const unsigned number = load_leaves<Side>(a, container, space);
  const container_place place = place_of<Side>(a.matrix, container);
  for (unsigned at = warp::lane(); at < number; at += warp::lanes) {
    const unsigned leaf = space.sorted[at];
    const std::uint32_t position = space.positions[leaf];
    const std::uint32_t strip = place.output + output_strip<Side>(position) - tile.first_strip;
    if (strip >= tile.strips) continue;
    const std::uint64_t pattern = space.patterns[leaf];
    // Byte j has the outputs of input j.
    const std::uint64_t by_inputs = Side == direction::right ? format::transpose(pattern) : pattern;
    std::uint32_t inputs = format::bytes_in_use(by_inputs);
    batch_input* to = tile.list + atomicAdd(next + strip, popcount(inputs));
    for (; inputs != 0; inputs &= inputs - 1) {
      const auto j = static_cast<unsigned>(__ffs(static_cast<int>(inputs))) - 1;
      const auto outputs = static_cast<std::uint32_t>(by_inputs >> (8 * j)) & 0xFFU;
      *to++ = {8 * (place.input + input_strip<Side>(position)) + j,
               strip << batch_input::strip_shift | outputs};
    }
  }
}

}  // namespace baltoro::cuda
