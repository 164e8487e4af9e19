// Walks over a level-order tree: all of it, or the part that meets a rectangle.
#pragma once

#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/types.hpp>

#include <array>
#include <cstdint>

namespace baltoro::format {

// Visits every leaf of a tree in Morton order. The nodes of a level are met from left to right, so
// one cursor a level replaces every rank. Safe on any bytes whose level table fits the signatures:
// a walk that would leave a level ends and returns false.
template <class VisitLeaf>
class full_walk {
 public:
  full_walk(const level_order_view& tree, VisitLeaf visit) : tree_(tree), visit_(visit) {
    for (unsigned level = 0; level < tree.levels; ++level) next_[level] = tree.level_begin[level];
  }

  // Calls visit(code, signature): `code` is the Morton code of the 2×2 block, so its top-left cell
  // is (2·row_of(code), 2·col_of(code)).
  bool run() { return tree_.nodes() == 0 || descend(0, 0); }

 private:
  bool descend(unsigned level, std::uint64_t code) {
    const std::uint64_t node = next_[level]++;
    if (node >= tree_.level_begin[level + 1]) return false;
    const unsigned signature = tree_.signature(node);
    if (level + 1 == tree_.levels) {
      visit_(code, signature);
      return true;
    }
    for (unsigned quadrant = 0; quadrant < 4; ++quadrant) {
      if (((signature >> quadrant) & 1U) != 0 && !descend(level + 1, (code << 2U) | quadrant)) {
        return false;
      }
    }
    return true;
  }

  const level_order_view& tree_;
  VisitLeaf visit_;
  std::array<std::uint64_t, level_order_view::max_levels> next_{};
};

template <class VisitLeaf>
bool visit_all_leaves(const level_order_view& tree, VisitLeaf visit) {
  return full_walk<VisitLeaf>(tree, visit).run();
}

// Calls visit(row, col) for all cells of a valid tree in Morton order.
template <class VisitCell>
void visit_all_cells(const level_order_view& tree, const VisitCell& visit) {
  visit_all_leaves(tree, [&](std::uint64_t code, unsigned signature) {
    const index_t row = 2 * morton::row_of(code);
    const index_t col = 2 * morton::col_of(code);
    for (unsigned b = 0; b < 4; ++b) {
      if (((signature >> b) & 1U) != 0) visit(row + (b >> 1U), col + (b & 1U));
    }
  });
}

// Visits the cells inside a rectangle in Morton order, which within a row is ascending by column
// and within a column ascending by row. Descends only into nodes that meet the rectangle.
template <class VisitCell>
class rectangle_walk {
 public:
  rectangle_walk(const level_order_view& tree, const rectangle& where, VisitCell visit)
      : tree_(tree), where_(where), visit_(visit) {}

  void run() {
    if (tree_.nodes() != 0) descend(0, 0, 0, 0);
  }

 private:
  void descend(unsigned level, std::uint64_t node, std::uint64_t row, std::uint64_t col) {
    const unsigned signature = tree_.signature(node);
    const bool is_leaf = level + 1 == tree_.levels;
    const std::uint64_t half = tree_.side(level + 1);
    std::uint64_t child = is_leaf ? 0 : tree_.first_child(node);
    for (unsigned quadrant = 0; quadrant < 4; ++quadrant) {
      if (((signature >> quadrant) & 1U) == 0) continue;
      const std::uint64_t r = row + (quadrant >> 1U) * half;
      const std::uint64_t c = col + (quadrant & 1U) * half;
      if (r < where_.last_row && r + half > where_.first_row && c < where_.last_col &&
          c + half > where_.first_col) {
        if (is_leaf) {
          visit_(static_cast<index_t>(r), static_cast<index_t>(c));
        } else {
          descend(level + 1, child, r, c);
        }
      }
      ++child;
    }
  }

  const level_order_view& tree_;
  rectangle where_;
  VisitCell visit_;
};

template <class VisitCell>
void visit_rectangle(const level_order_view& tree, const rectangle& where, VisitCell visit) {
  rectangle_walk<VisitCell>(tree, where, visit).run();
}

}  // namespace baltoro::format
