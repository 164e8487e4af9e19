// One step of a search: the edges out of a set of vertices, or into it.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <tbb/parallel_for.h>

#include "format/adaptive/decoder.hpp"

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

// The vertices of a frontier as bits.
class vertex_set {
 public:
  vertex_set(std::uint64_t size, std::span<const index_t> vertices) : words_((size + 63) / 64) {
    for (const index_t v : vertices) words_[v / 64] |= 1ULL << (v % 64);
  }
  // The members among vertices 8·strip to 8·strip + 7.
  unsigned strip(std::uint64_t strip) const {
    return static_cast<unsigned>(words_[strip / 8] >> (strip % 8 * 8)) & 0xFFU;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// The same for containers: those that hold no vertex of the list are passed over.
template <bool Reverse, class Visit>
void visit_containers(const adaptive_view& a, std::span<const index_t> vertices,
                      const Visit& visit) {
  const vertex_set set(Reverse ? a.dims.cols : a.dims.rows, vertices);
  const auto axis = [](std::uint64_t code) {
    return std::uint64_t{Reverse ? morton::col_of(code) : morton::row_of(code)};
  };
  tbb::parallel_for(std::uint64_t{0}, a.containers, [&](std::uint64_t i) {
    const unsigned level = a.level(i);
    const std::uint64_t first = 8 * (axis(a.first_leaf(i)) >> level << level);
    const auto from = std::lower_bound(vertices.begin(), vertices.end(), first);
    if (from == vertices.end() || *from - first >= std::uint64_t{8} << level) return;
    thread_local format::decoded_container container;
    container.load(a, i);
    for (std::size_t k = 0; k < container.offsets().size(); ++k) {
      const std::uint64_t code = container.corner() + container.offsets()[k];
      const unsigned members = set.strip(axis(code));
      if (members == 0) continue;
      for (std::uint64_t left = container.patterns()[k]; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        if (((members >> (Reverse ? bit % 8 : bit / 8)) & 1U) == 0) continue;
        const index_t row = 8 * morton::row_of(code) + bit / 8;
        const index_t col = 8 * morton::col_of(code) + bit % 8;
        visit(Reverse ? col : row, Reverse ? row : col);
      }
    }
  });
}

// Calls visit(from, to) for edges from -> to out of an ascending list of vertices, or to -> from into it
// (Reverse), on all threads: for all of them, or where several lead to one vertex at least for that from
// the smallest.
template <bool Reverse, class Visit>
void visit_neighbours(const matrix& a, std::span<const index_t> vertices, const Visit& visit) {
  if (a.kind() == layout::adaptive) {
    visit_containers<Reverse>(a.adaptive(), vertices, visit);
    return;
  }
  constexpr std::size_t piece = 4096;
  const std::size_t pieces = (vertices.size() + piece - 1) / piece;
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
    neighbour_descent<Reverse, Visit>(a.tree(), visit)
        .run(vertices.subspan(i * piece, std::min(piece, vertices.size() - i * piece)));
  });
}

}  // namespace baltoro::algorithms
