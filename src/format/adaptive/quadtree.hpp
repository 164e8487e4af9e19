// Container kind `quadtree`: the k²-tree above the leaves of a container, one nibble a node, level by
// level from the root of its square. Its detail is the number of nodes.
//
// The children of node v are the nodes 1 + rank(v), …, where rank(v) counts the set bits before v; the
// leaves follow the last node in the same numbering, so leaf i is node `nodes + i`.
#pragma once

#include <cstdint>
#include <span>

namespace baltoro::format {

// The most nodes: what a warp keeps in shared memory.
inline constexpr std::uint32_t max_quadtree_nodes = 1023;

// Writes the nibbles of the `levels` levels above leaves at ascending offsets, `nodes` in all, level by level into
// words that are zero.
void encode_nodes(std::span<const std::uint32_t> offsets, unsigned levels, std::uint32_t nodes,
                  std::uint32_t* words);

}  // namespace baltoro::format
