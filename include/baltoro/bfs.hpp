/// \file
/// \brief Breadth-first search on the compressed matrix, along the edges or against them.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace baltoro {

/// How the search goes.
struct bfs_options {
  bool reverse = false;  ///< follow edges from column to row
  bool parents = false;  ///< report parents too
};

/// What the search found.
struct bfs_result {
  std::vector<std::int32_t> distances;  ///< edges from the nearest source, −1 where unreached
  /// The smallest vertex that the vertex can be reached from by one edge of a shortest path; a
  /// source is its own parent, an unreached vertex has −1. Empty unless asked for.
  std::vector<std::int64_t> parents;
  std::vector<std::uint64_t> reached_per_level;  ///< vertices at distance 0, 1, 2, …
};

/// Searches a square matrix from one or more sources at once. A step descends only into the parts
/// of the tree whose rows hold a vertex of the frontier, so its cost follows the frontier; all
/// steps together visit a node once for each step that needs it. Extra memory: 8 bytes a vertex.
/// \throws invalid_argument when the matrix is not square or a source is outside it
bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options = {});

}  // namespace baltoro
