// The leaves of a container in shared memory, those of one strip of outputs side by side.
//
// A strip is eight rows, or for the left product eight columns. A lane that works on leaves of one
// strip adds them up in registers and touches the outputs once.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/contents.cuh"
#include "cuda/adaptive/positions.cuh"
#include "cuda/adaptive/warp.cuh"

namespace baltoro::cuda {

// Shared memory of one warp.
struct leaf_space {
  static constexpr unsigned bins_log2 = 7;

  union {
    std::uint32_t corners[format::max_quadtree_nodes + 1];    // while positions are decoded
    std::uint64_t patterns[adaptive_view::max_leaves];  // sorted
  };
  std::uint32_t positions[adaptive_view::max_leaves];  // in the order of their codes
  union {
    node_space nodes;
    std::uint32_t sorted[adaptive_view::max_leaves];  // positions, like patterns
  };
  alignas(16) std::uint32_t bins[1U << bins_log2];
};

// The strip of outputs, and of inputs, of a position.
template <direction Side>
__device__ unsigned output_strip(std::uint32_t position) {
  return Side == direction::right ? position >> 16U : position & 0xFFFFU;
}
template <direction Side>
__device__ unsigned input_strip(std::uint32_t position) {
  return Side == direction::right ? position & 0xFFFFU : position >> 16U;
}

// Decodes a container into space.patterns and space.sorted, by one warp. Returns the number of leaves.
// Strips of a container of more than 128 are only roughly in order.
template <direction Side>
__device__ unsigned load_leaves(const adaptive_view& a, std::uint64_t container,
                                leaf_space& space) {
  const unsigned lane = warp::lane();
  const std::uint32_t* const words = a.payload_of(container);
  const unsigned level = a.level(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const std::uint32_t* const rest =
      load_positions(words + 1, header, level, space.nodes, space.corners, space.positions);
  // A counting sort: the bins' sizes, their beginnings, and a place for every leaf.
  uint4* const bins = reinterpret_cast<uint4*>(space.bins) + lane;
  *bins = uint4{};
  __syncwarp();
  const unsigned shift = level > leaf_space::bins_log2 ? level - leaf_space::bins_log2 : 0;
  for (unsigned leaf = lane; leaf < leaves; leaf += warp::lanes) {
    atomicAdd(space.bins + (output_strip<Side>(space.positions[leaf]) >> shift), 1U);
  }
  __syncwarp();
  const uint4 count = *bins;
  const unsigned own = count.x + count.y + count.z + count.w;
  const unsigned begin = warp::inclusive_sum(own) - own;
  *bins = uint4{begin, begin + count.x, begin + count.x + count.y,
                begin + count.x + count.y + count.z};
  __syncwarp();
  content_reader contents(a, rest, leaves);
  for (unsigned first = 0; first < leaves; first += warp::lanes) {
    const std::uint64_t pattern = contents.pattern(first / warp::lanes);
    const unsigned leaf = first + lane;
    if (leaf < leaves) {
      const std::uint32_t position = space.positions[leaf];
      const unsigned slot = atomicAdd(space.bins + (output_strip<Side>(position) >> shift), 1U);
      space.patterns[slot] = pattern;
      space.sorted[slot] = position;
    }
  }
  __syncwarp();
  return leaves;
}

}  // namespace baltoro::cuda
