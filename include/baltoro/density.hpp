/// \file
/// \brief Where the non-zeros of a matrix lie, as a small picture.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <vector>

namespace baltoro {

/// The matrix cut into squares, and how many non-zeros each holds.
struct density_map {
  unsigned side_log2 = 0;             ///< a square is 2^side_log2 cells a side
  index_t rows = 0;                   ///< rows of squares
  index_t cols = 0;                   ///< columns of squares
  std::vector<std::uint64_t> counts;  ///< rows × cols non-zeros, in row-major order
};

/// Counts the non-zeros of aligned squares, the smallest of which at most \p most_side fit in a row
/// and in a column of the map. level_order: two calls of first_child a level for each square that is
/// not empty, and one pass over the signatures of the leaves. adaptive: every container is decoded
/// once, in parallel. No cell is expanded unless squares are smaller than a leaf. Extra memory: the
/// map.
/// \throws invalid_argument when most_side is 0 or exceeds 16384
density_map density(const matrix& a, index_t most_side = 512);

}  // namespace baltoro
