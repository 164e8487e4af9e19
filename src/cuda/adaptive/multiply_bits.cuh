// y ⊕= A⊗x for one Boolean vector in bits: one warp a container, one lane a leaf.
//
// A leaf reads a byte of x and touches a byte of y, which holds most of what it finds already: an atomic
// operation follows only where it does not.
#pragma once

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "format/adaptive/bit_vectors.hpp"

namespace baltoro::cuda {

inline constexpr unsigned bits_warps = 1;  // see multiply_warps

// Shared memory of one warp.
struct bits_space {
  std::uint32_t corners[format::max_quadtree_nodes + 1];
  std::uint32_t positions[adaptive_view::max_leaves];
  union {
    node_space nodes;  // while positions are decoded
    std::uint16_t escapes[adaptive_view::max_leaves];
  };
};

template <direction Side>
__global__ void __launch_bounds__(bits_warps* warp::lanes, 32)
    multiply_bits(const __grid_constant__ device_view a, const std::uint32_t* x, std::uint32_t* y) {
  __shared__ bits_space spaces[bits_warps];
  const std::uint64_t container =
      std::uint64_t{blockIdx.x} * bits_warps + threadIdx.x / warp::lanes;
  if (container >= a.matrix.containers) return;
  bits_space& space = spaces[threadIdx.x / warp::lanes];
  const unsigned level = a.matrix.level(container);
  const std::uint64_t first = a.matrix.first_leaf(container);
  const std::uint32_t row = morton::row_of(first) >> level << level;
  const std::uint32_t col = morton::col_of(first) >> level << level;
  const std::uint8_t* const in =
      reinterpret_cast<const std::uint8_t*>(x) + (Side == direction::right ? col : row);
  const std::uint32_t output = Side == direction::right ? row : col;
  const std::uint32_t* const words = a.matrix.payload_of(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const std::uint32_t* const rest =
      load_positions(words + 1, header, level, space.nodes, space.corners, space.positions);
  const auto put = [&](unsigned leaf, std::uint64_t pattern) {
    const std::uint32_t position = space.positions[leaf];
    const std::uint32_t reached =
        format::multiply_bits<Side>(pattern, __ldg(in + input_strip<Side>(position)));
    const std::uint32_t strip = output + output_strip<Side>(position);
    const std::uint32_t seen = reinterpret_cast<const volatile std::uint8_t*>(y)[strip];
    if ((reached & ~seen) != 0) atomicOr(y + strip / 4, reached << (strip % 4 * 8));
  };
  constexpr unsigned at_once = 4;
  const content_reader contents(a, rest, leaves);
  for (unsigned begin = 0; begin < leaves; begin += at_once * warp::lanes) {
    std::uint64_t patterns[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) patterns[k] = contents.named(begin / warp::lanes + k);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      if (patterns[k] != 0) put(begin + k * warp::lanes + warp::lane(), patterns[k]);
    }
  }
  if (contents.escapes() == 0) return;
  __syncwarp();
  for (unsigned chunk = 0; warp::lanes * chunk < leaves; ++chunk) {
    contents.list_escape(chunk, space.escapes);
  }
  __syncwarp();
  contents.for_each_escape(
      [&](unsigned escape, std::uint64_t pattern) { put(space.escapes[escape], pattern); });
}

}  // namespace baltoro::cuda
