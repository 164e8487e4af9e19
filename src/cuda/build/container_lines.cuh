// The kind `lines` for the warp that encodes a container: its leaves sorted by line, and where lines begin.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>

#include "cuda/build/warp.cuh"
#include "format/adaptive/lines.hpp"

namespace baltoro::cuda {

// In shared memory, one a warp.
struct line_space {
  static constexpr unsigned capacity = adaptive_view::max_leaves;
  std::uint64_t keys[capacity];  // line_key() << 16 | number of the leaf, ascending
  std::uint16_t
      starts[capacity + 1];  // number of the first leaf of each line; then how many leaves
  std::uint16_t zeros_before[capacity + 1];  // of the places, before each line
  std::uint16_t low_before[capacity + 1];    // bits of the low parts before each line
};

__device__ inline std::uint32_t line_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 32U);
}
__device__ inline std::uint32_t place_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 16U) & 0xFFFFU;
}
// line_key() of the leaf.
__device__ inline std::uint32_t line_key_of(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> 16U);
}
__device__ inline unsigned leaf_of(std::uint64_t key) {
  return static_cast<unsigned>(key) & 0xFFFFU;
}

// Sorts the leaves of a container by line and place. offset_of(i) is that of leaf i.
template <class OffsetOf>
__device__ void sort_by_line(line_space& space, unsigned leaves, format::line_axis axis,
                             const OffsetOf& offset_of) {
  unsigned size = 1;
  while (size < leaves) size *= 2;
  __syncwarp();  // what was there has been read
  for (unsigned i = lane_number(); i < size; i += 32) {
    space.keys[i] = i < leaves ? std::uint64_t{format::line_key(offset_of(i), axis)} << 16U | i
                               : ~std::uint64_t{0};
  }
  __syncwarp();
  for (unsigned run = 2; run <= size; run *= 2) {
    for (unsigned distance = run / 2; distance != 0; distance /= 2) {
      for (unsigned i = lane_number(); i < size; i += 32) {
        const unsigned other = i ^ distance;
        if (other < i) continue;
        const std::uint64_t a = space.keys[i];
        const std::uint64_t b = space.keys[other];
        if ((a > b) == ((i & run) == 0)) {
          space.keys[i] = b;
          space.keys[other] = a;
        }
      }
      __syncwarp();
    }
  }
}

// Calls visit(k, valid, line) for the leaves in their order, with the number of leaf k's line among those that
// have leaves.
template <class Visit>
__device__ void for_each_line_leaf(const line_space& space, unsigned leaves, const Visit& visit) {
  unsigned lines = 0;
  for_each_of_warp(leaves, [&](unsigned k, bool valid) {
    const bool first = valid && (k == 0 || line_of(space.keys[k]) != line_of(space.keys[k - 1]));
    const unsigned firsts = __ballot_sync(~0U, first);
    const unsigned up_to = lanes_before() | 1U << lane_number();
    visit(k, valid, lines + count_bits(firsts & up_to) - 1, first);
    lines += count_bits(firsts);
  });
}

// Finds where lines begin and returns how many there are.
__device__ inline unsigned find_lines(line_space& space, unsigned leaves) {
  unsigned lines = 0;
  for_each_line_leaf(space, leaves, [&](unsigned k, bool valid, unsigned line, bool first) {
    if (first) space.starts[line] = static_cast<std::uint16_t>(k);
    lines = valid ? line + 1 : lines;
  });
  // The last leaf's lane knows.
  lines = __shfl_sync(~0U, lines, (leaves - 1) % 32);
  if (lane_number() == 0) space.starts[lines] = static_cast<std::uint16_t>(leaves);
  __syncwarp();
  return lines;
}

// One line: its leaves, low bits of each, and the zeros of its places.
struct line_facts {
  unsigned leaves;
  unsigned low;
  std::uint32_t zeros;
};
__device__ inline line_facts facts_of_line(const line_space& space, unsigned line, unsigned level) {
  const unsigned leaves = space.starts[line + 1] - space.starts[line];
  const unsigned low = format::line_low_bits(leaves, 1U << level);
  const std::uint32_t reach = place_of(space.keys[space.starts[line + 1] - 1]) - (leaves - 1);
  return {leaves, low, reach >> low};
}

// Bits that the leaves take, after sort_by_line().
__device__ inline std::uint32_t count_line_bits(line_space& space, unsigned leaves,
                                                unsigned level) {
  const unsigned lines = find_lines(space, leaves);
  std::uint32_t bits = 0;
  for (unsigned line = lane_number(); line < lines; line += 32) {
    const line_facts facts = facts_of_line(space, line, level);
    bits += facts.leaves * (1 + facts.low) + facts.zeros;
  }
  return leaves + line_of(space.keys[leaves - 1]) + sum_of_warp(bits);
}

// Writes them into words that are zero, after sort_by_line().
__device__ inline void encode_lines(line_space& space, unsigned leaves, unsigned level,
                                    std::uint32_t* to) {
  const unsigned lines = find_lines(space, leaves);
  std::uint32_t zeros = 0;
  std::uint32_t low_bits = 0;
  for_each_of_warp(lines, [&](unsigned line, bool valid) {
    const line_facts facts = valid ? facts_of_line(space, line, level) : line_facts{0, 0, 0};
    const std::uint32_t low = facts.leaves * facts.low;
    const std::uint32_t zeros_up_to = sum_up_to_lane(facts.zeros);
    const std::uint32_t low_up_to = sum_up_to_lane(low);
    if (valid) {
      space.zeros_before[line] = static_cast<std::uint16_t>(zeros + zeros_up_to - facts.zeros);
      space.low_before[line] = static_cast<std::uint16_t>(low_bits + low_up_to - low);
    }
    zeros += __shfl_sync(~0U, zeros_up_to, 31);
    low_bits += __shfl_sync(~0U, low_up_to, 31);
  });
  __syncwarp();
  const std::uint32_t places_at = leaves + line_of(space.keys[leaves - 1]);
  const std::uint32_t low_at = places_at + leaves + zeros;
  for_each_line_leaf(space, leaves, [&](unsigned k, bool valid, unsigned line, bool) {
    if (!valid) return;
    const line_facts facts = facts_of_line(space, line, level);
    const unsigned number = k - space.starts[line];
    const std::uint32_t distance = place_of(space.keys[k]) - number;
    put_bits(to, line_of(space.keys[k]) + k, 1);
    put_bits(to, places_at + space.zeros_before[line] + (distance >> facts.low) + k, 1);
    put_bits(to, low_at + space.low_before[line] + number * facts.low,
             distance & ((1U << facts.low) - 1));
  });
}

}  // namespace baltoro::cuda
