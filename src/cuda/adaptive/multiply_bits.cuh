// y ⊕= A⊗x for one Boolean vector in bits: one team of warps a container, one lane a leaf.
//
// A leaf reads a byte of x and touches a byte of y, which holds most of what it finds already: an atomic
// operation follows only where it does not.
#pragma once

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/place.cuh"
#include "format/adaptive/bit_vectors.hpp"

namespace baltoro::cuda {

// Shared memory of one team.
struct bits_space {
  std::uint32_t corners[format::max_quadtree_nodes + 1];
  std::uint32_t positions[adaptive_view::max_leaves];
  union {
    node_space nodes;  // while positions are decoded
    std::uint16_t escapes[adaptive_view::max_leaves];
  };
};

// Of containers list[0], list[1], …, or of all of them without a list.
template <direction Side, class Team>
__global__ void __launch_bounds__(Team::threads, 32 / Team::warps)
    multiply_bits(const __grid_constant__ device_view a, const std::uint32_t* x, std::uint32_t* y,
                  const std::uint32_t* list) {
  __shared__ bits_space space;
  const std::uint64_t container = list == nullptr ? blockIdx.x : list[blockIdx.x];
  const container_place place = place_of<Side>(a.matrix, container);
  const std::uint8_t* const in = reinterpret_cast<const std::uint8_t*>(x) + place.input;
  const std::uint32_t* const words = a.matrix.payload_of(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const std::uint32_t* const rest = load_positions<Team>(
      words + 1, header, place.level, space.nodes, space.corners, space.positions);
  // Of `Count` leaves a lane: all loads of one kind are under way together.
  const auto put = [&]<unsigned Count>(const unsigned(&leaf)[Count],
                                       const std::uint64_t(&pattern)[Count]) {
    std::uint32_t strip[Count];
    std::uint32_t reached[Count];
    std::uint32_t seen[Count];
#pragma unroll
    for (unsigned k = 0; k < Count; ++k) {
      const std::uint32_t position = pattern[k] != 0 ? space.positions[leaf[k]] : 0;
      strip[k] = place.output + output_strip<Side>(position);
      reached[k] = pattern[k] != 0 ? __ldg(in + input_strip<Side>(position)) : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < Count; ++k) {
      reached[k] = format::multiply_bits<Side>(pattern[k], reached[k]);
    }
#pragma unroll
    for (unsigned k = 0; k < Count; ++k) {
      seen[k] = reached[k] != 0 ? reinterpret_cast<const volatile std::uint8_t*>(y)[strip[k]] : ~0U;
    }
#pragma unroll
    for (unsigned k = 0; k < Count; ++k) {
      if ((reached[k] & ~seen[k]) != 0) {
        atomicOr(y + strip[k] / 4, reached[k] << (strip[k] % 4 * 8));
      }
    }
  };
  constexpr unsigned at_once = Team::warps == 1 ? 4 : 2;
  const content_reader contents(a, rest, leaves);
  for (unsigned chunk = at_once * Team::member(); warp::lanes * chunk < leaves;
       chunk += at_once * Team::warps) {
    unsigned leaf[at_once];
    std::uint64_t patterns[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      leaf[k] = warp::lanes * (chunk + k) + warp::lane();
      patterns[k] = contents.named(chunk + k);
    }
    put(leaf, patterns);
  }
  if (contents.escapes() == 0 || Team::member() != 0) return;
  __syncwarp();
  for (unsigned chunk = 0; warp::lanes * chunk < leaves; ++chunk) {
    contents.list_escape(chunk, space.escapes);
  }
  __syncwarp();
  contents.for_each_escape([&](unsigned escape, std::uint64_t pattern) {
    const unsigned leaf[] = {space.escapes[escape]};
    const std::uint64_t patterns[] = {pattern};
    put(leaf, patterns);
  });
}

}  // namespace baltoro::cuda
