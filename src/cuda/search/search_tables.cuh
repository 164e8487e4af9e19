// The tables of searches from many sources: a bit for every source and vertex.
//
// A table at level d says who is seen within d edges. The next one is that one, or-ed with itself across the
// edges out of the frontier: what a vertex had before the last level its neighbours have already. So two
// tables are enough.
#pragma once

#include <cstdint>

#include "cuda/adaptive/warp.cuh"

namespace baltoro::cuda {

// Bits of `words` words a vertex.
struct search_tables {
  // Words of a slice: with eight vertices a warp.
  static constexpr unsigned slice = warp::lanes / 8;

  std::uint32_t* seen;  // within the levels that are done
  std::uint32_t* next;  // within the level that is searched too
  unsigned words;
  unsigned sources;

  // The bits of a word that are sources.
  __device__ std::uint32_t full(unsigned word) const {
    const unsigned rest = sources - min(sources, 32 * word);
    return rest >= 32 ? 0xFFFF'FFFFU : (1U << rest) - 1;
  }
};

// Bits 0, 4, 8, … of a word side by side: what a ballot of the lanes says of the eight vertices.
__device__ inline unsigned vertices_of(unsigned ballot) {
  ballot |= ballot >> 1U;
  ballot |= ballot >> 2U;
  ballot &= 0x1111'1111U;
  ballot = (ballot | ballot >> 3U) & 0x0303'0303U;
  ballot = (ballot | ballot >> 6U) & 0x000F'000FU;
  return (ballot | ballot >> 12U) & 0xFFU;
}

}  // namespace baltoro::cuda
