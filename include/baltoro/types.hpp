/// \file
/// \brief Indices, shapes and edges: the small types every other header uses.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace baltoro {

/// A row, a column or a number of rows or columns. All indices are 0-based.
using index_t = std::uint32_t;

/// The most rows and the most columns a matrix may have, 2³²−1.
inline constexpr index_t max_dimension = 0xFFFF'FFFFU;

/// The number of rows and of columns of a matrix.
struct shape {
  index_t rows = 0;  ///< number of rows, at most max_dimension
  index_t cols = 0;  ///< number of columns, at most max_dimension

  /// Two shapes are equal when both numbers are.
  friend constexpr bool operator==(const shape&, const shape&) = default;
};

/// One non-zero cell of a Boolean matrix, or one edge row → col of a graph.
struct edge {
  index_t row = 0;  ///< 0-based row, the source vertex
  index_t col = 0;  ///< 0-based column, the target vertex

  /// Row-major order.
  friend constexpr auto operator<=>(const edge&, const edge&) = default;
};

/// The cells with first_row ≤ row < last_row and first_col ≤ col < last_col.
struct rectangle {
  index_t first_row = 0;  ///< first row inside
  index_t first_col = 0;  ///< first column inside
  index_t last_row = 0;   ///< first row after the rectangle
  index_t last_col = 0;   ///< first column after the rectangle
};

/// How the cells of a matrix are laid out in memory and on disk.
enum class layout : std::uint32_t {
  level_order = 1,  ///< the k²-tree of the paper: k = 2, one nibble a node, level by level
  adaptive = 2,     ///< containers in the cheapest of several encodings, 8×8 leaves by dictionary
};

/// The layout that is built where nobody asks for another.
inline constexpr layout default_layout = layout::level_order;

/// The name of a layout as users write it, for instance "level-order".
constexpr const char* name_of(layout kind) {
  switch (kind) {
    case layout::level_order:
      return "level-order";
    case layout::adaptive:
      return "adaptive";
  }
  return "unknown";
}

}  // namespace baltoro
