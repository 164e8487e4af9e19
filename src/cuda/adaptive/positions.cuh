// Where the leaves of a container are: each kind decoded by one warp.
//
// A position is the row of a leaf in its container, counted in leaves, in the high 16 bits, its column
// in the low ones.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/morton.hpp>

#include <cstdint>

#include "cuda/adaptive/warp.cuh"
#include "format/adaptive/bitmap_tree.hpp"
#include "format/adaptive/bits.hpp"
#include "format/adaptive/elias_fano.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/lines.hpp"
#include "format/adaptive/quadtree.hpp"
#include "format/adaptive/runs.hpp"

namespace baltoro::cuda {

// Shared memory of one warp while positions are decoded.
struct node_space {
  static constexpr unsigned words = (format::max_quadtree_nodes + 7) / 8;

  std::uint32_t nibbles[words];
  std::uint16_t before[words];  // set bits in the words before
};

// The nodes of a tree below its `top` nodes at the top, whose positions are in `corners` already: all get
// theirs there, by number, and the leaves in `positions`. A lane needs nothing but a node's own word to
// place its children.
__device__ inline void descend(const std::uint32_t* words, unsigned levels, unsigned nodes,
                               unsigned top, node_space& space, std::uint32_t* corners,
                               std::uint32_t* positions) {
  const unsigned lane = warp::lane();
  const unsigned count = (nodes + 7) / 8;
  unsigned total = top;
  for (unsigned first = 0; first < count; first += warp::lanes) {
    const unsigned at = first + lane;
    const std::uint32_t word = at < count ? words[at] : 0;
    const unsigned sum = warp::inclusive_sum(popcount(word));
    space.nibbles[at] = word;
    space.before[at] = static_cast<std::uint16_t>(total + sum - popcount(word));
    total += warp::of_last(sum);
  }
  __syncwarp();
  const auto first_child = [&](unsigned node) {
    const std::uint32_t below = space.nibbles[node / 8] & ((1U << (4 * (node % 8))) - 1);
    return space.before[node / 8] + popcount(below);
  };
  unsigned begin = 0;
  unsigned end = top;
  for (; levels != 0; --levels) {
    std::uint32_t* const children = levels == 1 ? positions - nodes : corners;
    for (unsigned node = begin + lane; node < end; node += warp::lanes) {
      const std::uint32_t nibble = format::read_nibble(space.nibbles, node);
      const std::uint32_t corner = corners[node] << 1U;
      std::uint32_t* child = children + first_child(node);
      if ((nibble & 1U) != 0) *child++ = corner;
      if ((nibble & 2U) != 0) *child++ = corner + 1;
      if ((nibble & 4U) != 0) *child++ = corner + 0x1'0000;
      if ((nibble & 8U) != 0) *child++ = corner + 0x1'0001;
    }
    begin = end;
    end = end < nodes ? first_child(end) : total;
    __syncwarp();
  }
}

__device__ inline void load_quadtree(const std::uint32_t* words, unsigned level, unsigned nodes,
                                     node_space& space, std::uint32_t* corners,
                                     std::uint32_t* positions) {
  if (warp::lane() == 0) *(level == 0 ? positions : corners) = 0;
  descend(words, level, nodes, 1, space, corners, positions);
}

__device__ inline void load_bitmap_tree(const std::uint32_t* words, unsigned level, unsigned nodes,
                                        node_space& space, std::uint32_t* corners,
                                        std::uint32_t* positions) {
  const unsigned lane = warp::lane();
  const std::uint32_t low = words[0];
  const std::uint32_t high = words[1];
  std::uint32_t* const squares = nodes == 0 ? positions : corners;
  // Bit b = 2·b1 + b0 of each of three steps of a code of six bits.
  const unsigned row = (lane >> 1U & 1U) | (lane >> 2U & 2U);
  const unsigned col = (lane & 1U) | (lane >> 1U & 2U) | (lane >> 2U & 4U);
  const std::uint32_t square = row << 16U | col;
  if ((low >> lane & 1U) != 0) squares[popcount(low & warp::lanes_below())] = square;
  if ((high >> lane & 1U) != 0) {
    squares[popcount(low) + popcount(high & warp::lanes_below())] = square + 0x4'0000;
  }
  if (nodes == 0) {
    __syncwarp();
    return;
  }
  descend(words + format::bitmap_words, format::levels_below_bitmap(level), nodes,
          popcount(low) + popcount(high), space, corners, positions);
}

__device__ inline void load_elias_fano(const std::uint32_t* words, unsigned level,
                                       std::uint32_t detail, unsigned leaves,
                                       std::uint32_t* positions) {
  const unsigned lane = warp::lane();
  const format::elias_fano_detail how{detail};
  const std::uint32_t* const upper = words + how.lower_words(leaves);
  unsigned total = 0;
  for (unsigned first = 0; first < how.upper_words(); first += warp::lanes) {
    const unsigned at = first + lane;
    std::uint32_t word = at < how.upper_words() ? upper[at] : 0;
    const unsigned sum = warp::inclusive_sum(popcount(word));
    unsigned leaf = total + sum - popcount(word);
    for (; word != 0; word &= word - 1, ++leaf) {
      positions[leaf] = 32 * at + static_cast<unsigned>(__ffs(static_cast<int>(word))) - 1 - leaf;
    }
    total += warp::of_last(sum);
  }
  __syncwarp();
  for (unsigned leaf = lane; leaf < leaves; leaf += warp::lanes) {
    const std::uint32_t low = format::read_bits(words, leaf * how.low_bits(), how.low_bits());
    const std::uint32_t value = positions[leaf] << how.low_bits() | low;
    positions[leaf] = value >> level << 16U | (value & ((1U << level) - 1));
  }
  __syncwarp();
}

// Of each line its first leaf is where a one follows a zero. With that known, a lane has all of a leaf that
// it needs: the line from one place of a one, the distance from two others, the low bits from a sum over
// those of the leaves before.
__device__ inline void load_lines(const std::uint32_t* words, unsigned level, std::uint32_t detail,
                                  unsigned leaves, std::uint32_t* corners,
                                  std::uint32_t* positions) {
  const unsigned lane = warp::lane();
  const format::lines_detail how{detail};
  auto* const ones = reinterpret_cast<std::uint16_t*>(corners);       // their places
  std::uint16_t* const first = ones + 2 * adaptive_view::max_leaves;  // leaf of each line
  static_assert(format::max_quadtree_nodes + 1 >= (3 * adaptive_view::max_leaves + 2) / 2);
  unsigned total = 0;
  for (unsigned from = 0; from < how.words() && total < 2 * leaves; from += warp::lanes) {
    const unsigned at = from + lane;
    std::uint32_t word = at < how.words() ? words[at] : 0;
    const unsigned sum = warp::inclusive_sum(popcount(word));
    unsigned one = total + sum - popcount(word);
    for (; word != 0 && one < 2 * leaves; word &= word - 1, ++one) {
      ones[one] = static_cast<std::uint16_t>(
          32 * at + static_cast<unsigned>(__ffs(static_cast<int>(word))) - 1);
    }
    total += warp::of_last(sum);
  }
  __syncwarp();
  // Those of 32 leaves that are first in their line.
  const auto heads_of = [&](unsigned leaf) {
    const bool head = leaf < leaves && (leaf == 0 || ones[leaf] != ones[leaf - 1] + 1);
    return __ballot_sync(warp::all, head);
  };
  unsigned lines = 0;
  for (unsigned from = 0; from < leaves; from += warp::lanes) {
    const std::uint32_t heads = heads_of(from + lane);
    if ((heads >> lane & 1U) != 0) {
      first[lines + popcount(heads & warp::lanes_below())] =
          static_cast<std::uint16_t>(from + lane);
    }
    lines += popcount(heads);
  }
  if (lane == 0) first[lines] = static_cast<std::uint16_t>(leaves);
  __syncwarp();
  const unsigned places = ones[leaves - 1] + 1U;  // the bit where they begin
  unsigned low_at = ones[2 * leaves - 1] + 1U;    // and the low bits of these leaves
  lines = 0;
  for (unsigned from = 0; from < leaves; from += warp::lanes) {
    const unsigned leaf = from + lane;
    const std::uint32_t heads = heads_of(leaf);
    const unsigned line = lines + popcount(heads & warp::lanes_below()) + (heads >> lane & 1U) - 1;
    const unsigned begin = leaf < leaves ? first[line] : 0;
    const unsigned count = leaf < leaves ? first[line + 1] - begin : 1;
    const unsigned low_bits = leaf < leaves ? format::line_low_bits(count, 1U << level) : 0;
    const unsigned sum = warp::inclusive_sum(low_bits);
    if (leaf < leaves) {
      const unsigned base = begin == 0 ? places : ones[leaves + begin - 1] + 1U;
      const unsigned high = ones[leaves + leaf] - base - (leaf - begin);
      const unsigned low = format::read_bits(words, low_at + sum - low_bits, low_bits);
      const unsigned place = (high << low_bits | low) + (leaf - begin);
      const unsigned at = ones[leaf] - leaf;
      positions[leaf] = how.by_columns() ? place << 16U | at : at << 16U | place;
    }
    low_at += warp::of_last(sum);
    lines += popcount(heads);
  }
  __syncwarp();
}

// A lane finds the row of its leaf and the run it is in by counting the bits before it, then reads where that
// run starts.
__device__ inline void load_runs(const std::uint32_t* words, std::uint32_t detail, unsigned leaves,
                                 std::uint32_t* corners, std::uint32_t* positions) {
  const unsigned lane = warp::lane();
  const format::runs_detail how{detail};
  const std::uint32_t* const flags = words + how.flags_begin();
  const std::uint32_t* const places = words + how.places_begin(leaves);
  const std::uint32_t first = words[0];
  const std::uint32_t rows = lane < how.row_words() ? words[1 + lane] : 0;
  std::uint32_t row_starts = 0;  // of this lane's 32 leaves
  std::uint32_t run_starts = 0;
  if (warp::lanes * lane < leaves) {
    row_starts = flags[2 * lane];
    run_starts = flags[2 * lane + 1];
  }
  // Where each row with leaves begins: its number, and the column that those of its runs are relative to.
  unsigned row = 0;
  for (unsigned word = 0; word < how.row_words(); ++word) {
    const std::uint32_t set = __shfl_sync(warp::all, rows, word);
    if ((set >> lane & 1U) != 0) {
      corners[row + popcount(set & warp::lanes_below())] =
          (((first & 0xFFFFU) + warp::lanes * word + lane) << 16U) + (first >> 16U);
    }
    row += popcount(set);
  }
  const unsigned starts = popcount(row_starts) | popcount(run_starts) << 16U;
  const unsigned before = warp::inclusive_sum(starts) - starts;
  __syncwarp();
  const std::uint32_t up_to_lane = 2 * warp::lanes_below() + 1;
  constexpr unsigned at_once = 4;  // chunks of 32 leaves whose loads are under way together
  for (unsigned begin = 0; warp::lanes * begin < leaves; begin += at_once) {
    std::uint32_t found[at_once];
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned chunk = begin + k;
      const std::uint32_t in_row = __shfl_sync(warp::all, row_starts, chunk) & up_to_lane;
      const std::uint32_t in_run = __shfl_sync(warp::all, run_starts, chunk) & up_to_lane;
      const unsigned base = __shfl_sync(warp::all, before, chunk);
      // Beyond the last leaf no bit is set, and the run is the last one.
      const unsigned run = (base >> 16U) + popcount(in_run) - 1;
      const unsigned place = format::read_bits(places, run * how.place_bits(), how.place_bits());
      const auto since = lane + static_cast<unsigned>(__clz(static_cast<int>(in_run))) - 31;
      found[k] = corners[(base & 0xFFFFU) + popcount(in_row) - 1] + place + since;
    }
#pragma unroll
    for (unsigned k = 0; k < at_once; ++k) {
      const unsigned leaf = warp::lanes * (begin + k) + lane;
      if (leaf < leaves) positions[leaf] = found[k];
    }
  }
  __syncwarp();
}

// Writes the positions of all leaves, by their numbers. `corners` has room for all nodes.
// Returns where the payload goes on.
__device__ inline const std::uint32_t* load_positions(const std::uint32_t* words,
                                                      container_header header, unsigned level,
                                                      node_space& space, std::uint32_t* corners,
                                                      std::uint32_t* positions) {
  const std::uint32_t detail = header.detail();
  if (header.kind() == static_cast<std::uint32_t>(format::container_kind::quadtree)) {
    load_quadtree(words, level, detail, space, corners, positions);
    return words + (detail + 7) / 8;
  }
  if (header.kind() == static_cast<std::uint32_t>(format::container_kind::bitmap_tree)) {
    load_bitmap_tree(words, level, detail, space, corners, positions);
    return words + format::bitmap_words + (detail + 7) / 8;
  }
  if (header.kind() == static_cast<std::uint32_t>(format::container_kind::lines)) {
    load_lines(words, level, detail, header.leaves(), corners, positions);
    return words + format::lines_detail{detail}.words();
  }
  if (header.kind() == static_cast<std::uint32_t>(format::container_kind::runs)) {
    load_runs(words, detail, header.leaves(), corners, positions);
    return words + format::runs_detail{detail}.words(header.leaves());
  }
  load_elias_fano(words, level, detail, header.leaves(), positions);
  const format::elias_fano_detail how{detail};
  return words + how.lower_words(header.leaves()) + how.upper_words();
}

}  // namespace baltoro::cuda
