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

// Shared memory of one warp. What it takes is what limits how many warps a multiprocessor holds.
struct leaf_space {
  static constexpr unsigned bins_log2 = 7;

  union {
    std::uint32_t corners[format::max_quadtree_nodes + 1];  // while positions are decoded
    std::uint64_t patterns[adaptive_view::max_leaves];
  };
  std::uint32_t positions[adaptive_view::max_leaves];
  union {
    node_space nodes;  // while positions are decoded
    std::uint16_t
        escapes[adaptive_view::max_leaves];  // leaves that are escapes, while they are read
    std::uint16_t sorted[adaptive_view::max_leaves];  // leaves, those of a strip side by side
  };
  union {
    uint4 counts[(1U << bins_log2) / 4];
    std::uint32_t bins[1U << bins_log2];  // while leaves are sorted
  };
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

// Sorts the leaves that `keep` is true for by strip of outputs, in linear time, and returns their number.
// Strips of a container of more than 128 are only roughly in order.
template <direction Side, class Keep>
__device__ unsigned sort_leaves(unsigned leaves, unsigned level, leaf_space& space,
                                const Keep& keep) {
  const unsigned lane = warp::lane();
  const unsigned shift = level > leaf_space::bins_log2 ? level - leaf_space::bins_log2 : 0;
  const auto bin = [&](unsigned leaf) {
    return space.bins + (output_strip<Side>(space.positions[leaf]) >> shift);
  };
  space.counts[lane] = uint4{};
  __syncwarp();
#pragma unroll 4
  for (unsigned leaf = lane; leaf < leaves; leaf += warp::lanes) {
    if (keep(leaf)) atomicAdd(bin(leaf), 1U);
  }
  __syncwarp();
  const uint4 count = space.counts[lane];
  const unsigned own = count.x + count.y + count.z + count.w;
  const unsigned end = warp::inclusive_sum(own);
  const unsigned begin = end - own;
  space.counts[lane] =
      uint4{begin, begin + count.x, begin + count.x + count.y, begin + count.x + count.y + count.z};
  __syncwarp();
#pragma unroll 4
  for (unsigned leaf = lane; leaf < leaves; leaf += warp::lanes) {
    if (keep(leaf)) space.sorted[atomicAdd(bin(leaf), 1U)] = static_cast<std::uint16_t>(leaf);
  }
  return warp::of_last(end);
}

// Whether the leaves of a container are numbered by strip of outputs.
template <direction Side>
__device__ bool numbered_by_output(container_header header) {
  using format::container_kind;
  constexpr bool by_columns = Side == direction::left;
  const auto kind = static_cast<container_kind>(header.kind());
  if (kind == container_kind::lines) {
    return format::lines_detail{header.detail()}.by_columns() == by_columns;
  }
  return !by_columns && (kind == container_kind::runs || kind == container_kind::elias_fano);
}

// Decodes a container, by one warp: positions and patterns of its leaves, and their order. Returns
// their number.
template <direction Side>
__device__ unsigned load_leaves(const device_view& a, std::uint64_t container, leaf_space& space) {
  constexpr unsigned at_once = 4;  // chunks of 32 leaves whose loads are under way together
  const unsigned lane = warp::lane();
  const std::uint32_t* const words = a.matrix.payload_of(container);
  const unsigned level = a.matrix.level(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const std::uint32_t* const rest =
      load_positions(words + 1, header, level, space.nodes, space.corners, space.positions);
  const content_reader contents(a, rest, leaves);
  for (unsigned first = 0; first < leaves; first += at_once * warp::lanes) {
    std::uint64_t patterns[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) patterns[k] = contents.named(first / warp::lanes + k);
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned leaf = first + k * warp::lanes + lane;
      if (leaf < leaves) space.patterns[leaf] = patterns[k];
    }
  }
  if (contents.escapes() != 0) {
    __syncwarp();
    for (unsigned chunk = 0; warp::lanes * chunk < leaves; ++chunk) {
      contents.list_escape(chunk, space.escapes);
    }
    __syncwarp();
    contents.for_each_escape([&](unsigned escape, std::uint64_t pattern) {
      space.patterns[space.escapes[escape]] = pattern;
    });
  }
  __syncwarp();
  if (numbered_by_output<Side>(header)) {
    for (unsigned leaf = lane; leaf < leaves; leaf += warp::lanes) {
      space.sorted[leaf] = static_cast<std::uint16_t>(leaf);
    }
  } else {
    sort_leaves<Side>(leaves, level, space, [](unsigned) { return true; });
  }
  __syncwarp();
  return leaves;
}

}  // namespace baltoro::cuda
