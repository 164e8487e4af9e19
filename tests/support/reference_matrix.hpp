// The checked twin of a matrix: a std::set of cells, and the k²-tree counted from it level by
// level.
#pragma once

#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <ostream>
#include <set>
#include <span>
#include <vector>

namespace baltoro {

// How GoogleTest prints a shape.
inline void PrintTo(const shape& dims, std::ostream* out) { *out << dims.rows << 'x' << dims.cols; }

}  // namespace baltoro

namespace baltoro::test {

class reference_matrix {
 public:
  reference_matrix(shape dims, std::span<const edge> cells)
      : dims_(dims), cells_(cells.begin(), cells.end()) {}

  const std::set<edge>& cells() const { return cells_; }
  shape dims() const { return dims_; }

  // Non-empty aligned squares of every size from the whole down to 2×2: the nodes of each level.
  std::vector<std::uint64_t> nodes_per_level() const {
    const unsigned levels = levels_for(dims_);
    std::vector<std::uint64_t> counts;
    for (unsigned level = 0; level < levels; ++level) {
      std::set<std::uint64_t> squares;
      for (const edge& e : cells_) {
        const unsigned bits = 2 * (levels - level);
        const std::uint64_t code = morton::encode(e.row, e.col);
        squares.insert(bits >= 64 ? 0 : code >> bits);
      }
      counts.push_back(squares.size());
    }
    return counts;
  }

  std::vector<index_t> row(index_t r) const {
    std::vector<index_t> found;
    for (const edge& e : cells_) {
      if (e.row == r) found.push_back(e.col);
    }
    return found;
  }

  std::vector<index_t> column(index_t c) const {
    std::vector<index_t> found;
    for (const edge& e : cells_) {
      if (e.col == c) found.push_back(e.row);
    }
    return found;
  }

 private:
  shape dims_;
  std::set<edge> cells_;
};

// Shapes around powers of two, thin ones and the smallest, with the limits of blocks and tiles.
inline std::vector<shape> awkward_shapes() {
  return {{1, 1},   {1, 2},   {2, 1},     {2, 2},     {3, 3},    {4, 4},    {5, 4},      {1, 100},
          {100, 1}, {7, 9},   {15, 17},   {16, 16},   {17, 16},  {31, 33},  {64, 64},    {63, 65},
          {128, 1}, {1, 257}, {255, 256}, {256, 257}, {1000, 3}, {3, 1000}, {1023, 1025}};
}

}  // namespace baltoro::test
