/// \file
/// \brief Breadth-first search on the compressed matrix, along the edges or against them.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace baltoro {

/// How the search goes.
struct bfs_options {
  bool reverse = false;  ///< follow edges from column to row
  bool parents = false;  ///< report parents too
  /// Where to search; `automatic` is the CPU, whose steps cost what their frontier costs, while a
  /// step on a GPU visits the whole matrix.
  device where = device::cpu;
  cuda_options cuda{};  ///< how to run on a GPU
};

/// What the search found.
struct bfs_result {
  std::vector<std::int32_t> distances;  ///< edges from the nearest source, −1 where unreached
  /// The smallest vertex that the vertex can be reached from by one edge of a shortest path; a
  /// source is its own parent, an unreached vertex has −1. Empty unless asked for.
  std::vector<std::int64_t> parents;
  std::vector<std::uint64_t> reached_per_level;  ///< vertices at distance 0, 1, 2, …
};

/// Searches a square matrix from one or more sources at once. On the CPU a step descends only into
/// the parts of the tree whose rows hold a vertex of the frontier, so its cost follows the frontier;
/// all steps together visit a node once for each step that needs it. Extra memory: 8 bytes a vertex.
/// On a GPU a step is one pass over the matrix. Both give the same result.
/// \throws invalid_argument when the matrix is not square or a source is outside it
/// \throws not_compiled, cuda_error, out_of_memory as a plan does, when a GPU is asked for
bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options = {});

/// How many searches at once go.
struct multi_source_options {
  bool reverse = false;  ///< follow edges from column to row
  /// Stop after so many levels, even where more could be reached.
  std::uint32_t max_levels = std::numeric_limits<std::uint32_t>::max();
  device where = device::cpu;  ///< where to search; `automatic` as for a product
  cuda_options cuda{};         ///< how to run on a GPU
};

/// What many searches found.
struct multi_source_result {
  /// n × B in row-major order: entry v·B + k is the number of edges from source k to vertex v, −1
  /// where v is not reached.
  std::vector<std::int32_t> distances;
  std::uint32_t levels = 0;  ///< the largest distance found, plus one; 0 without sources
  working_set needs;         ///< memory of the search: matrix, tables of n × B, scratch
};

/// Searches from B sources, each on its own, up to the fixed point (paper, 5.8). On a GPU all of them
/// advance together: a level is one pass over the matrix with B threads a node, and a vertex is in the
/// frontier of source k where its distance from k is the last level's, so that the table of distances
/// is all that is kept: 4·n·B bytes. On the CPU the sources are searched one after the other.
/// \throws invalid_argument when the matrix is not square or a source is outside it
/// \throws not_compiled, cuda_error, out_of_memory as a plan does, when a GPU is asked for
multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options = {});

}  // namespace baltoro
