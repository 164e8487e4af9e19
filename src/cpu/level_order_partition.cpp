#include "cpu/level_order_partition.hpp"

#include <algorithm>

namespace baltoro::cpu {
namespace {

constexpr std::uint64_t most_top_nodes = 4096;
// A strip with more than this part of all leaves is cut.
constexpr std::uint64_t shares = 64;

// The first leaf below node `node` of `level`, which may be one past the last node of that level.
std::uint64_t first_leaf(const level_order_view& tree, unsigned level, std::uint64_t node) {
  for (; level + 1 < tree.levels; ++level) {
    node =
        node == tree.level_begin[level + 1] ? tree.level_begin[level + 2] : tree.first_child(node);
  }
  return node;
}

}  // namespace

partition::partition(const level_order_view& tree, direction of_product) {
  if (tree.nodes() == 0) return;
  nodes.push_back({0, 0, 0});
  // Products work on blocks of 4×4 cells, so pieces start at their level or above.
  while (level + 2 < tree.levels && tree.nodes_at(level + 1) <= most_top_nodes) {
    std::vector<top_node> children;
    children.reserve(tree.nodes_at(level + 1));
    std::uint64_t child = tree.level_begin[level + 1];
    for (const top_node& n : nodes) {
      const unsigned signature = tree.signature(n.node);
      for (unsigned b = 0; b < 4; ++b) {
        if (((signature >> b) & 1U) == 0) continue;
        const unsigned lower = b >> 1U;
        const unsigned right = b & 1U;
        const bool by_row = of_product == direction::right;
        children.push_back(
            {child++, 2 * n.out + (by_row ? lower : right), 2 * n.in + (by_row ? right : lower)});
      }
    }
    nodes = std::move(children);
    ++level;
  }
  side = tree.side(level);
  std::stable_sort(nodes.begin(), nodes.end(), [](const top_node& a, const top_node& b) {
    return a.out != b.out ? a.out < b.out : a.in < b.in;
  });

  const std::uint64_t share =
      std::max<std::uint64_t>(1, (tree.nodes() - tree.internal_nodes()) / shares);
  std::uint64_t work = 0;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const bool new_strip = i == 0 || nodes[i].out != nodes[i - 1].out;
    const std::uint64_t leaves =
        first_leaf(tree, level, nodes[i].node + 1) - first_leaf(tree, level, nodes[i].node);
    const auto count = static_cast<std::uint32_t>(pieces.size());
    if (new_strip) {
      strips.push_back({nodes[i].out, count, count});
      work = 0;
    }
    if (new_strip || (work > 0 && work + leaves > share)) {
      pieces.push_back({i, i, static_cast<std::uint32_t>(strips.size() - 1)});
      ++strips.back().pieces_end;
      work = 0;
    }
    ++pieces.back().nodes_end;
    work += leaves;
  }
}

std::uint64_t partition::bytes() const {
  return nodes.capacity() * sizeof(top_node) + strips.capacity() * sizeof(strip) +
         pieces.capacity() * sizeof(piece);
}

}  // namespace baltoro::cpu
