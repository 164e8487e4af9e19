#include <baltoro/density.hpp>
#include <baltoro/error.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "format/adaptive/walk.hpp"

namespace baltoro {
namespace {

constexpr index_t largest_map = 16384;

index_t squares(index_t cells, unsigned side_log2) {
  return static_cast<index_t>((cells + ((1ULL << side_log2) - 1)) >> side_log2);
}

std::uint64_t square_of(const density_map& map, std::uint64_t row, std::uint64_t col) {
  return row * map.cols + col;
}

// Descends to the level whose nodes are the squares. The descendants of a node fill a range on every
// level below, so two calls of first_child a level find its leaves, whose bits are then counted.
class node_counter {
 public:
  node_counter(const level_order_view& tree, density_map& map)
      : tree_(tree), map_(map), level_(tree.levels - map.side_log2) {}

  void descend(unsigned level, std::uint64_t node, std::uint64_t code) {
    if (level == level_) {
      map_.counts[square_of(map_, morton::row_of(code), morton::col_of(code))] = below(node);
      return;
    }
    const unsigned signature = tree_.signature(node);
    std::uint64_t child = tree_.first_child(node);
    for (unsigned quadrant = 0; quadrant < 4; ++quadrant) {
      if (((signature >> quadrant) & 1U) == 0) continue;
      descend(level + 1, child++, (code << 2U) | quadrant);
    }
  }

 private:
  std::uint64_t below(std::uint64_t node) const {
    std::uint64_t first = node;
    std::uint64_t last = node + 1;
    for (unsigned level = level_; level + 1 < tree_.levels; ++level) {
      first = tree_.first_child(first);
      last = last == tree_.level_begin[level + 1] ? tree_.level_begin[level + 2]
                                                  : tree_.first_child(last);
    }
    return tree_.count(first, last);
  }

  const level_order_view& tree_;
  density_map& map_;
  unsigned level_;
};

}  // namespace

density_map density(const matrix& a, index_t most_side) {
  if (most_side == 0 || most_side > largest_map) {
    throw invalid_argument(fmt::format(
        "a map of {} squares a side was asked for; 1 to {} are possible", most_side, largest_map));
  }
  density_map map;
  while (squares(std::max(a.rows(), a.cols()), map.side_log2) > most_side) ++map.side_log2;
  map.rows = squares(a.rows(), map.side_log2);
  map.cols = squares(a.cols(), map.side_log2);
  map.counts.resize(std::uint64_t{map.rows} * map.cols);
  constexpr unsigned leaf_log2 = adaptive_view::leaf_log2;
  if (a.nnz() == 0) return map;
  if (a.kind() == layout::level_order && map.side_log2 > 0) {
    node_counter(a.tree(), map).descend(0, 0, 0);
  } else if (a.kind() == layout::adaptive && map.side_log2 >= leaf_log2) {
    format::count_by_square(a.adaptive(), map.side_log2 - leaf_log2, map.cols, map.counts);
  } else {
    a.for_each([&](std::span<const edge> cells) {
      for (const edge& e : cells) {
        ++map.counts[square_of(map, e.row >> map.side_log2, e.col >> map.side_log2)];
      }
    });
  }
  return map;
}

}  // namespace baltoro
