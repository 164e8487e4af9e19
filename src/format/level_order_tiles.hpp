// The descent of a level-order tree cut into tiles (paper, 3.4): ranges of nodes of one level with at
// most M children, each descended to the last level before the next is expanded, so that one buffer of
// at most M codes a level is enough. The cut depends on the tree alone.
#pragma once

#include <baltoro/level_order.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace baltoro::format {

// One launch: a contiguous range of nodes of one level.
struct tile_step {
  unsigned level = 0;             // of the nodes
  std::uint64_t first_node = 0;   // numbered through the whole tree
  std::uint64_t nodes = 0;        // at least 1
  std::uint64_t input = 0;        // where the code of first_node is in the codes of its level
  std::uint64_t first_child = 0;  // numbered through the whole tree; not set on the level of leaves
  std::uint64_t children = 0;     // how many; not set on the level of leaves
};

// All launches of a descent, in their order. A step above last_level writes the codes of its children
// to the start of the buffer of the level below; a step of last_level is a visit.
struct tile_schedule {
  unsigned first_level = 0;  // whose codes are given
  unsigned last_level = 0;   // whose nodes are visited
  std::vector<tile_step> steps;
  // The most codes each level's buffer ever holds; 0 for levels that need none.
  std::array<std::uint64_t, level_order_view::max_levels> buffer_codes{};
  std::uint64_t most_nodes = 0;  // of one step

  // Codes of all buffers together.
  std::uint64_t codes() const {
    std::uint64_t total = 0;
    for (const std::uint64_t c : buffer_codes) total += c;
    return total;
  }
};

// Cuts the descent from the nodes of first_level to those of last_level into tiles of at most
// `tile_nodes` ≥ 4 children, and visits into pieces of at most as many nodes. The tree has nodes.
tile_schedule cut_into_tiles(const level_order_view& tree, unsigned first_level,
                             unsigned last_level, std::uint64_t tile_nodes);

// The deepest level, at most last_level, with at most `nodes` nodes; the root where there is none.
unsigned deepest_level_within(const level_order_view& tree, unsigned last_level,
                              std::uint64_t nodes);

// The Morton codes of all nodes of a level, expanded from the root.
std::vector<std::uint64_t> codes_of_level(const level_order_view& tree, unsigned level);

}  // namespace baltoro::format
