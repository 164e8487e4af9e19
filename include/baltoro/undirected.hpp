/// \file
/// \brief What is counted on undirected graphs: triangles and cores. An undirected graph is a symmetric matrix,
/// each edge two cells.
///
/// A matrix that is not symmetric is refused, not guessed at: symmetric_union() makes of it the graph that has an
/// edge where it has one in either direction. Loops (cells on the diagonal) are ignored by all of them.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <vector>

namespace baltoro {

/// Whether the matrix equals its transpose. One pass: compares sums of two 64-bit hashes of the 8×8 squares and
/// of the transposed ones, so an asymmetric matrix passes with a chance of 2⁻¹²⁸; false where it is not square.
bool is_symmetric(const matrix& a);

/// The matrix with every cell and its transposed one, of the side of the larger dimension, in the layout of
/// \p a. It is built as any other matrix is.
/// \param options memory_bytes, temporary_directory, directory_step, container_leaves and progress are used
/// \throws invalid_argument when an option is outside its range
/// \throws io_error under a memory limit, when the disk is full
matrix symmetric_union(const matrix& a, const build_options& options = {});

/// How triangles and cores are counted.
struct undirected_options {
  progress_callback progress{};  ///< told the vertices done. What it throws ends the operation.
};

/// What triangle counting found.
struct triangles_result {
  std::uint64_t triangles = 0;           ///< sets of three vertices with all edges between them
  std::vector<std::uint64_t> at_vertex;  ///< for each vertex the triangles it is part of
  /// For each vertex the share of pairs of neighbours that have an edge between them; 0 with fewer than two
  /// neighbours.
  std::vector<double> clustering;
  working_set needs;  ///< the most memory it held
};

/// Counts triangles u < v < w. The neighbours of 256 smallest vertices at once are rows of bits; an edge between
/// two neighbours closes as many triangles as their rows have bits in common. A batch of vertices enters only
/// squares whose rows and columns hold neighbours of the batch. 56 bytes a vertex beside the result. On the CPU.
/// \throws invalid_argument when the matrix is not symmetric
triangles_result count_triangles(const matrix& a, const undirected_options& options = {});

/// The most memory that count_triangles() holds, its result included.
working_set triangles_needs(const matrix& a);

/// What k-cores are.
struct cores_result {
  /// For each vertex the largest k such that it is part of a subgraph in which every vertex has at least k
  /// neighbours.
  std::vector<index_t> core;
  index_t degeneracy = 0;  ///< the largest of them
  working_set needs;       ///< the most memory it held
};

/// Core numbers by peeling: vertices with fewer than k neighbours left go, and with them their edges, for k = 1,
/// 2, … (Matula and Beck, 1983; in parallel steps, whose cost follows the vertices that go). 20 bytes a
/// vertex beside the result. On the CPU.
/// \throws invalid_argument when the matrix is not symmetric
cores_result core_numbers(const matrix& a, const undirected_options& options = {});

/// The most memory that core_numbers() holds, its result included.
working_set cores_needs(const matrix& a);

}  // namespace baltoro
