// The edges out of a set of vertices, or into it.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <tbb/parallel_for.h>

#include "algorithms/leaf_sweep.hpp"
#include "algorithms/vertex_bits.hpp"
#include "format/adaptive/bit_vectors.hpp"

namespace baltoro::algorithms {

// Visits the neighbours of an ascending list of vertices by one descent that enters a node only with the
// vertices that lie in its half of the matrix.
template <bool Reverse, class Visit>
class neighbour_descent {
 public:
  neighbour_descent(const level_order_view& tree, const Visit& visit)
      : tree_(tree), visit_(visit) {}

  void run(std::span<const index_t> vertices) {
    if (tree_.nodes() != 0 && !vertices.empty()) descend(0, 0, 0, 0, vertices);
  }

 private:
  // `from` is the first vertex of the node on the side of the frontier, `to` on the other side.
  void descend(unsigned level, std::uint64_t node, std::uint64_t from, std::uint64_t to,
               std::span<const index_t> vertices) {
    const unsigned signature = tree_.signature(node);
    const bool leaf = level + 1 == tree_.levels;
    const std::uint64_t half = tree_.side(level + 1);
    const auto middle = std::lower_bound(vertices.begin(), vertices.end(), from + half);
    const std::span<const index_t> parts[2] = {{vertices.begin(), middle},
                                               {middle, vertices.end()}};
    const std::uint64_t first_child = leaf ? 0 : tree_.first_child(node);
    for (unsigned b = 0; b < 4; ++b) {
      if (((signature >> b) & 1U) == 0) continue;
      const unsigned from_half = Reverse ? b & 1U : b >> 1U;
      const unsigned to_half = Reverse ? b >> 1U : b & 1U;
      const auto part = parts[from_half];
      if (part.empty()) continue;
      if (leaf) {
        visit_(part[0], static_cast<index_t>(to + to_half));
      } else {
        descend(level + 1, first_child + popcount(signature & ((1U << b) - 1U)),
                from + from_half * half, to + to_half * half, part);
      }
    }
  }

  const level_order_view& tree_;
  const Visit& visit_;
};

// Finds the containers that hold a vertex of an ascending list: quarters the matrix, and enters a quarter
// with the vertices and the containers that lie in it. Each is found once, in order.
template <bool Reverse>
class container_search {
 public:
  container_search(const adaptive_view& a, std::span<const index_t> vertices)
      : a_(a), all_(vertices) {}

  std::vector<std::uint64_t> run() {
    unsigned level = 0;
    while ((std::uint64_t{8} << level) < std::max(a_.dims.rows, a_.dims.cols)) ++level;
    descend(0, 0, level, 0, a_.containers, all_);
    return std::move(found_);
  }

 private:
  std::uint64_t search(std::uint64_t from, std::uint64_t to, std::uint64_t leaf) const {
    return static_cast<std::uint64_t>(
        std::lower_bound(a_.places + from, a_.places + to, leaf << 4U) - a_.places);
  }

  void take(std::uint64_t i) {
    const square where = square_of(a_, i);
    const std::uint64_t first = Reverse ? where.col : where.row;
    const auto from = std::lower_bound(all_.begin(), all_.end(), first);
    if (from != all_.end() && *from - first < 1ULL << where.side_log2) found_.push_back(i);
  }

  // `first` is the first vertex of the square with the corner `corner`; its containers are among [from, to),
  // but for one before them that may reach into it.
  void descend(std::uint64_t corner, std::uint64_t first, unsigned level, std::uint64_t from,
               std::uint64_t to, std::span<const index_t> vertices) {
    if (vertices.empty()) return;
    const std::uint64_t begin = search(from, to, corner);
    const std::uint64_t end = search(begin, to, corner + (1ULL << (2 * level)));
    std::uint64_t at = begin;
    if (at > 0) {
      const std::uint64_t differ = a_.first_leaf(at - 1) ^ corner;
      if (differ >> (2 * a_.level(at - 1)) == 0) --at;
    }
    at = std::max(at, done_);
    if (at >= end) return;
    if (end - at <= 2 || level == 0) {
      for (; at < end; ++at) take(at);
      done_ = end;
      return;
    }
    const std::uint64_t half = std::uint64_t{4} << level;
    const auto middle = std::lower_bound(vertices.begin(), vertices.end(), first + half);
    const std::span<const index_t> parts[2] = {{vertices.begin(), middle},
                                               {middle, vertices.end()}};
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
      const std::uint64_t side = Reverse ? quarter & 1U : quarter >> 1U;
      descend(corner + (quarter << (2 * (level - 1))), first + side * half, level - 1, begin, end,
              parts[side]);
    }
  }

  const adaptive_view& a_;
  std::span<const index_t> all_;
  std::uint64_t done_ = 0;  // containers before this one have been tried
  std::vector<std::uint64_t> found_;
};

// What a search follows: edges from row to column, from column to row, or both.
struct traversal {
  bool along = true;
  bool against = false;

  static constexpr traversal of(bool reverse, bool undirected) {
    return {undirected || !reverse, undirected || reverse};
  }
};

// What visits a leaf by calling visit(from, to) for its edges out of the vertices of a set, or into them (Reverse).
template <bool Reverse, class Visit>
auto edges_of(const vertex_bits& set, const Visit& visit) {
  return [&](index_t row8, index_t col8, std::uint64_t pattern) {
    const unsigned members = set.byte(Reverse ? col8 : row8);
    if (members == 0) return;
    const std::uint64_t cells = Reverse ? format::columns_of(members) : format::bytes_of(members);
    for_each_cell(row8, col8, pattern & cells, [&](index_t row, index_t col) {
      visit(Reverse ? col : row, Reverse ? row : col);
    });
  };
}

// Calls visit(from, to) for all edges from -> to out of an ascending list of vertices, or to -> from into it
// (Reverse), on all threads. `set` holds the same vertices.
template <bool Reverse, class Visit>
void push(const matrix& a, std::span<const index_t> vertices, const vertex_bits& set,
          const Visit& visit) {
  if (a.kind() == layout::adaptive) {
    const adaptive_view& view = a.adaptive();
    const auto containers = container_search<Reverse>(view, vertices).run();
    tbb::parallel_for(std::size_t{0}, containers.size(), [&](std::size_t i) {
      visit_container(view, containers[i], edges_of<Reverse>(set, visit));
    });
    return;
  }
  constexpr std::size_t piece = 1024;
  const std::size_t pieces = (vertices.size() + piece - 1) / piece;
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
    neighbour_descent<Reverse, Visit>(a.tree(), visit)
        .run(vertices.subspan(i * piece, std::min(piece, vertices.size() - i * piece)));
  });
}

// Whether so many vertices are better followed by a pass over the squares that hold them than one by one.
constexpr bool is_dense(std::uint64_t members, std::uint64_t vertices) {
  return members > vertices / 64;
}

// The same, in whichever way is cheaper.
template <bool Reverse, class Visit>
void visit_neighbours(const matrix& a, std::span<const index_t> vertices, const vertex_bits& set,
                      const Visit& visit) {
  if (!is_dense(vertices.size(), set.size())) {
    push<Reverse>(a, vertices, set, visit);
    return;
  }
  sweep_leaves(
      a, [&](const square& s) { return set.any(Reverse ? s.col : s.row, s.side_log2); },
      edges_of<Reverse>(set, visit));
}

}  // namespace baltoro::algorithms
