// Those leaves of a container that lead from the frontier to open vertices, decoded by one warp.
#pragma once

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/search/container_list.cuh"
#include "format/adaptive/bit_vectors.hpp"

namespace baltoro::cuda {

// The cells of a leaf in those of its inputs and outputs whose bits are set.
template <direction Side>
__device__ __forceinline__ std::uint64_t cells_between(unsigned inputs, unsigned outputs) {
  return Side == direction::right ? format::bytes_of(outputs) & format::columns_of(inputs)
                                  : format::bytes_of(inputs) & format::columns_of(outputs);
}

// Calls put(leaf, inputs, outputs, pattern) for the leaves of a container that may lead from the frontier to
// open vertices, whose bits are in `inputs` and `outputs`. Up to 32 leaves at a time, those of one chunk
// by different lanes.
template <direction Side, class Space, class Put>
__device__ __forceinline__ unsigned for_each_wanted_leaf(const device_view& a,
                                                         const search_sets& sets,
                                                         std::uint64_t container,
                                                         const container_place& at, Space& space,
                                                         const Put& put) {
  const std::uint32_t* const words = a.matrix.payload_of(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const std::uint32_t* const rest = load_positions<team<1>>(
      words + 1, header, at.level, space.nodes, space.corners, space.positions);
  const auto ends_of = [&](unsigned leaf, unsigned& inputs, unsigned& outputs) {
    const std::uint32_t position = space.positions[leaf];
    inputs = sets.active.byte(at.input + input_strip<Side>(position));
    outputs = inputs == 0 ? 0 : sets.open.byte(at.output + output_strip<Side>(position));
  };
  const content_reader contents(a, rest, leaves);
  bool escapes = false;
  for (unsigned chunk = 0; warp::lanes * chunk < leaves; ++chunk) {
    const unsigned leaf = warp::lanes * chunk + warp::lane();
    unsigned inputs = 0;
    unsigned outputs = 0;
    if (leaf < leaves) ends_of(leaf, inputs, outputs);
    if (__any_sync(warp::all, outputs != 0) == 0) {
      put(leaf, 0U, 0U, std::uint64_t{0});
      continue;
    }
    const std::uint64_t pattern = contents.named(chunk);
    escapes = escapes || (outputs != 0 && pattern == 0);
    put(leaf, inputs, outputs, pattern);
  }
  if (__any_sync(warp::all, escapes) == 0) return leaves;
  __syncwarp();
  for (unsigned chunk = 0; warp::lanes * chunk < leaves; ++chunk) {
    contents.list_escape(chunk, space.escapes);
  }
  __syncwarp();
  contents.for_each_escape([&](unsigned escape, std::uint64_t pattern) {
    const unsigned leaf = space.escapes[escape];
    unsigned inputs = 0;
    unsigned outputs = 0;
    ends_of(leaf, inputs, outputs);
    if (outputs != 0) put(leaf, inputs, outputs, pattern);
  });
  return leaves;
}

}  // namespace baltoro::cuda
