// Walks over the cells of a valid adaptive matrix: one cell, all of them, or those in a rectangle.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "format/adaptive/bit_vectors.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/decoder.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {

// Whether a cell of the matrix is set: a binary search in the table, then one leaf of one container.
bool contains(const adaptive_view& a, index_t row, index_t col);

// Calls visit(row, col) for the cells of a leaf in Morton order.
template <class VisitCell>
void visit_cells_of(std::uint64_t leaf, std::uint64_t pattern, const VisitCell& visit) {
  const index_t row = 8 * morton::row_of(leaf);
  const index_t col = 8 * morton::col_of(leaf);
  for (std::uint64_t left = morton_order(pattern); left != 0; left &= left - 1) {
    const auto code = static_cast<std::uint64_t>(std::countr_zero(left));
    visit(row + morton::row_of(code), col + morton::col_of(code));
  }
}

// Calls visit(code, pattern) for the leaves of the containers [first, last) in Morton order.
template <class VisitLeaf>
void visit_leaves_of(const adaptive_view& a, std::uint64_t first, std::uint64_t last,
                     const VisitLeaf& visit) {
  decoded_container container;
  for (std::uint64_t i = first; i < last; ++i) {
    container.load(a, i);
    const auto offsets = container.offsets();
    const auto patterns = container.patterns();
    for (std::size_t k = 0; k < offsets.size(); ++k) {
      visit(container.corner() + offsets[k], patterns[k]);
    }
  }
}

template <class VisitCell>
void visit_all_cells(const adaptive_view& a, const VisitCell& visit) {
  visit_leaves_of(a, 0, a.containers, [&](std::uint64_t leaf, std::uint64_t pattern) {
    visit_cells_of(leaf, pattern, visit);
  });
}

// Visits the cells inside a rectangle in Morton order. Quarters the matrix and searches the table for
// each square that meets the rectangle, until a square meets one container or lies inside; decodes the
// positions of the containers that are left, and those patterns that meet the rectangle.
template <class VisitCell>
class adaptive_rectangle_walk {
 public:
  adaptive_rectangle_walk(const adaptive_view& a, const rectangle& where, const VisitCell& visit)
      : a_(a), where_(where), visit_(visit) {}

  void run() {
    constexpr unsigned whole = 29;  // 2^29 leaves a side: every matrix there can be
    descend(0, whole, 0, a_.containers);
  }

 private:
  enum class overlap { none, some, all };

  overlap meets(std::uint64_t corner, unsigned level) const {
    const std::uint64_t side = 8ULL << level;
    const std::uint64_t row = 8ULL * morton::row_of(corner);
    const std::uint64_t col = 8ULL * morton::col_of(corner);
    if (row >= where_.last_row || row + side <= where_.first_row || col >= where_.last_col ||
        col + side <= where_.first_col) {
      return overlap::none;
    }
    return row >= where_.first_row && row + side <= where_.last_row && col >= where_.first_col &&
                   col + side <= where_.last_col
               ? overlap::all
               : overlap::some;
  }

  // The first container in [from, to) whose first leaf is not before `leaf`.
  std::uint64_t search(std::uint64_t from, std::uint64_t to, std::uint64_t leaf) const {
    return static_cast<std::uint64_t>(
        std::lower_bound(a_.places + from, a_.places + to, leaf << 4U) - a_.places);
  }

  // A square whose containers are among [from, to); one more, before them, may reach into it.
  void descend(std::uint64_t corner, unsigned level, std::uint64_t from, std::uint64_t to) {
    const overlap how = meets(corner, level);
    if (how == overlap::none) return;
    const std::uint64_t begin = search(from, to, corner);
    const std::uint64_t end = search(begin, to, corner + (1ULL << (2 * level)));
    std::uint64_t first = begin;
    if (first > 0) {
      const std::uint64_t differ = a_.first_leaf(first - 1) ^ corner;
      if (differ >> (2 * a_.level(first - 1)) == 0) --first;
    }
    first = std::max(first, done_);
    if (first >= end) return;
    if (how == overlap::all || end - first == 1 || level == 0) {
      for (std::uint64_t i = first; i < end; ++i) visit_container(i);
      done_ = end;
      return;
    }
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
      descend(corner + (quarter << (2 * (level - 1))), level - 1, begin, end);
    }
  }

  void visit_container(std::uint64_t container) {
    const unsigned level = a_.level(container);
    const std::uint64_t corner = a_.first_leaf(container) >> (2 * level) << (2 * level);
    if (meets(corner, level) == overlap::none) return;
    const stored_leaves leaves = decode_positions(a_, container, offsets_.data());
    contents_reader contents(a_, leaves.contents, leaves.count);
    found_.clear();
    for (unsigned k = 0; k < leaves.count; ++k) {
      const std::uint64_t leaf = corner + offsets_[k];
      const std::uint64_t inside = cells_inside(leaf);
      if (inside != 0) found_.emplace_back(leaf, contents.pattern(k) & inside);
    }
    if (!leaves.ascending) std::sort(found_.begin(), found_.end());
    for (const auto& [leaf, pattern] : found_) visit_cells_of(leaf, pattern, visit_);
  }

  // The cells of a leaf that lie in the rectangle.
  std::uint64_t cells_inside(std::uint64_t leaf) const {
    const auto part = [](std::uint64_t at, std::uint64_t first, std::uint64_t last) -> unsigned {
      if (at >= last || at + 8 <= first) return 0;
      const auto low = static_cast<unsigned>(first > at ? first - at : 0);
      const auto high = static_cast<unsigned>(std::min<std::uint64_t>(8, last - at));
      return ((1U << high) - 1) & ~((1U << low) - 1);
    };
    const unsigned rows = part(8ULL * morton::row_of(leaf), where_.first_row, where_.last_row);
    const unsigned cols = part(8ULL * morton::col_of(leaf), where_.first_col, where_.last_col);
    return bytes_of(rows) & columns_of(cols);
  }

  const adaptive_view& a_;
  rectangle where_;
  const VisitCell& visit_;
  std::uint64_t done_ = 0;  // containers before this one have been visited
  std::array<std::uint32_t, 1024> offsets_;
  // Leaves of a container that meet the rectangle, and their cells in it.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found_;
};

template <class VisitCell>
void visit_rectangle(const adaptive_view& a, const rectangle& where, const VisitCell& visit) {
  adaptive_rectangle_walk<VisitCell>(a, where, visit).run();
}

// Non-zeros of every row and of every column. Parallel over containers.
std::vector<index_t> count_by_row(const adaptive_view& a);
std::vector<index_t> count_by_column(const adaptive_view& a);

// Non-zeros of every square of 2^level leaves a side, added to `counts`, which has `cols` squares a
// row. Parallel over containers.
void count_by_square(const adaptive_view& a, unsigned level, std::uint64_t cols,
                     std::span<std::uint64_t> counts);

}  // namespace baltoro::format
