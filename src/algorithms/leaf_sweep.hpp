// A pass over a matrix by its aligned 8×8 squares, in parallel, of those parts that are asked for.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>

#include <array>
#include <bit>
#include <cstdint>

#include <tbb/parallel_for.h>

#include "cpu/adaptive_leaves.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::algorithms {

// An aligned square of 2^side_log2 cells a side.
struct square {
  std::uint64_t row;
  std::uint64_t col;
  unsigned side_log2;
};

// Level-order trees. Above squares of 512 cells a side every node is asked for; inside, the nodes of a
// level are met one after the other, so that a cursor a level replaces every rank.
template <class Enter, class Visit>
class tree_sweep {
 public:
  tree_sweep(const level_order_view& tree, const Enter& enter, const Visit& visit)
      : tree_(tree), enter_(enter), visit_(visit) {}

  void run() const {
    if (tree_.nodes() == 0) return;
    if (tree_.levels < 3) {
      if (enter_(square{0, 0, 3})) visit_(index_t{0}, index_t{0}, whole_pattern());
      return;
    }
    descend(0, 0, 0, 0);
  }

 private:
  static constexpr unsigned walked_log2 = 9;
  static constexpr unsigned forked_log2 = 13;  // larger squares are left to several threads
  using cursors = std::array<std::uint64_t, level_order_view::max_levels>;

  std::uint64_t whole_pattern() const {
    std::uint64_t pattern = 0;
    for (index_t row = 0; row < tree_.dims.rows; ++row) {
      for (index_t col = 0; col < tree_.dims.cols; ++col) {
        if (contains(tree_, row, col)) pattern |= 1ULL << (8 * row + col);
      }
    }
    return pattern;
  }

  void descend(unsigned level, std::uint64_t node, std::uint64_t row, std::uint64_t col) const {
    const unsigned side_log2 = tree_.levels - level;
    if (!enter_(square{row, col, side_log2})) return;
    if (side_log2 <= walked_log2) {
      cursors next{};
      for (unsigned l = level; l < tree_.levels; ++l) {
        next[l] = node;
        if (l + 1 < tree_.levels) node = tree_.first_child(node);
      }
      walk(level, row, col, next);
      return;
    }
    const unsigned signature = tree_.signature(node);
    const std::uint64_t first_child = tree_.first_child(node);
    const std::uint64_t half = tree_.side(level + 1);
    const auto child = [&](unsigned b) {
      if (((signature >> b) & 1U) == 0) return;
      descend(level + 1, first_child + popcount(signature & ((1U << b) - 1U)),
              row + (b >> 1U) * half, col + (b & 1U) * half);
    };
    if (side_log2 > forked_log2) {
      tbb::parallel_for(0U, 4U, child);
    } else {
      for (unsigned b = 0; b < 4; ++b) child(b);
    }
  }

  void walk(unsigned level, std::uint64_t row, std::uint64_t col, cursors& next) const {
    const unsigned signature = tree_.signature(next[level]++);
    if (level + 3 == tree_.levels) {
      visit_(static_cast<index_t>(row / 8), static_cast<index_t>(col / 8),
             pattern_of(signature, level, next));
      return;
    }
    const std::uint64_t half = tree_.side(level + 1);
    for (unsigned left = signature; left != 0; left &= left - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(left));
      walk(level + 1, row + (b >> 1U) * half, col + (b & 1U) * half, next);
    }
  }

  std::uint64_t pattern_of(unsigned signature, unsigned level, cursors& next) const {
    std::uint64_t pattern = 0;
    for (unsigned quarters = signature; quarters != 0; quarters &= quarters - 1) {
      const auto quarter = static_cast<unsigned>(std::countr_zero(quarters));
      for (unsigned blocks = tree_.signature(next[level + 1]++); blocks != 0;
           blocks &= blocks - 1) {
        pattern |= format::block_cells(tree_.signature(next[level + 2]++), quarter,
                                       static_cast<unsigned>(std::countr_zero(blocks)));
      }
    }
    return pattern;
  }

  const level_order_view& tree_;
  const Enter& enter_;
  const Visit& visit_;
};

// Containers: each is decoded whole.
template <class Visit>
void visit_container(const adaptive_view& a, std::uint64_t i, const Visit& visit) {
  const cpu::decoded_leaves leaves = cpu::decode_leaves(a, i);
  const auto row = static_cast<index_t>(leaves.row);
  const auto col = static_cast<index_t>(leaves.col);
  for (std::size_t k = 0; k < leaves.places.size(); ++k) {
    const std::uint32_t place = leaves.places[k];
    visit(row + (place >> 16U), col + (place & 0xFFFFU), leaves.patterns[k]);
  }
}

inline square square_of(const adaptive_view& a, std::uint64_t i) {
  const unsigned level = a.level(i);
  const std::uint64_t corner = a.first_leaf(i) >> (2 * level) << (2 * level);
  return {std::uint64_t{8} * morton::row_of(corner), std::uint64_t{8} * morton::col_of(corner),
          level + adaptive_view::leaf_log2};
}

// Calls visit(row / 8, column / 8, pattern) for the 8×8 squares that hold a cell and lie in squares for which
// enter(square) holds, each once, on all threads; pattern as in format/adaptive/pattern.hpp.
template <class Enter, class Visit>
void sweep_leaves(const matrix& a, const Enter& enter, const Visit& visit) {
  if (a.kind() == layout::level_order) {
    tree_sweep<Enter, Visit>(a.tree(), enter, visit).run();
    return;
  }
  const adaptive_view& view = a.adaptive();
  tbb::parallel_for(std::uint64_t{0}, view.containers, [&](std::uint64_t i) {
    if (enter(square_of(view, i))) visit_container(view, i, visit);
  });
}

// All of them.
template <class Visit>
void sweep_leaves(const matrix& a, const Visit& visit) {
  sweep_leaves(
      a, [](const square&) { return true; }, visit);
}

// Calls visit(row, col) for the cells of one square.
template <class Visit>
void for_each_cell(index_t row8, index_t col8, std::uint64_t pattern, const Visit& visit) {
  for (std::uint64_t left = pattern; left != 0; left &= left - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(left));
    visit(static_cast<index_t>(8 * row8 + bit / 8), static_cast<index_t>(8 * col8 + bit % 8));
  }
}

}  // namespace baltoro::algorithms
