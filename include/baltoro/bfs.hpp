/// \file
/// \brief Breadth-first search on the compressed matrix: along the edges, against them or both ways, from one
/// set of sources or from many sources at once.
///
/// Vertex v is row v and column v; an edge {row, col} leads from row to col. Sources, parents and paths are
/// 0-based vertices.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>
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
  /// Where to search; `automatic` is the CPU, which need not copy the matrix first.
  device where = device::cpu;
  cuda_options cuda{};  ///< how to run on a GPU
  /// Follow edges both ways, whatever `reverse` says; on a GPU with the layout adaptive.
  bool undirected = false;
  progress_callback
      progress{};  ///< told the vertices reached so far, after steps on the CPU or on a
                   ///< GPU with the layout adaptive
};

/// What the search found.
struct bfs_result {
  std::vector<std::int32_t> distances;  ///< edges from the nearest source, −1 where unreached
  /// The smallest vertex that the vertex can be reached from by one edge of a shortest path; a
  /// source is its own parent, an unreached vertex has −1. Empty unless asked for.
  std::vector<std::int64_t> parents;
  std::vector<std::uint64_t> reached_per_level;  ///< vertices at distance 0, 1, 2, …
  /// On the CPU: steps that pushed, from a list of the frontier, and steps that pulled, over the squares
  /// that hold both frontier and unreached vertices.
  std::uint32_t push_steps = 0;
  std::uint32_t pull_steps = 0;  ///< see push_steps
};

/// Searches a square matrix from one or more sources at once. On the CPU a step takes one of two directions
/// (Beamer, Asanović and Patterson, Direction-Optimizing Breadth-First Search, SC 2012), which the tree serves
/// alike. While the frontier is small it *pushes*: it descends only into the parts whose rows hold a vertex
/// of the frontier, so its cost follows the frontier. Else it *pulls*: frontier and unreached vertices are
/// bits, and it enters only squares whose rows hold the one and whose columns hold the other. All steps
/// together visit a node once for each step that needs it. On a GPU, with the layout adaptive, a step enters the
/// containers whose rows hold a vertex of the frontier and whose columns hold an unreached one, whichever of the
/// two are few: what must be looked at for all is a few bits of each container; it takes 4 bytes a vertex and 3 bits,
/// with parents 8. With the layout level_order a step is one pass over the matrix. All give the same result.
/// \throws invalid_argument when the matrix is not square, a source is outside it, or an undirected search of a
/// level-order matrix is asked of a GPU
/// \throws not_compiled, cuda_error, out_of_memory as a plan does, when a GPU is asked for
bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options = {});

/// The most memory that bfs() holds with these options: on the CPU, its result included, 12 bytes a vertex and 3
/// bits, with parents 24; on a GPU what lies there, but for the sources, 4 bytes each.
/// \throws on a GPU what bfs() does
working_set bfs_needs(const matrix& a, const bfs_options& options = {});

/// The vertices of a shortest path from a source to \p target, both included; empty where the target was not
/// reached. In a search against the edges, each of them has an edge from its successor in the path.
/// \throws invalid_argument when the target is outside the graph or the search kept no parents
std::vector<index_t> path_to(const bfs_result& search, index_t target);

/// How many searches at once go.
struct multi_source_options {
  bool reverse = false;  ///< follow edges from column to row
  /// Stop after so many levels, even where more could be reached.
  std::uint32_t max_levels = std::numeric_limits<std::uint32_t>::max();
  device where = device::cpu;  ///< where to search; `automatic` as for a product
  cuda_options cuda{};         ///< how to run on a GPU
  /// Follow edges both ways, whatever `reverse` says; on a GPU with the layout adaptive.
  bool undirected = false;
  progress_callback progress{};  ///< told the pairs of a source and a vertex found so far, after
                                 ///< steps on the CPU or on a GPU with the layout adaptive
};

/// What many searches found.
struct multi_source_result {
  /// n × B in row-major order: entry v·B + k is the number of edges from source k to vertex v, −1
  /// where v is not reached.
  std::vector<std::int32_t> distances;
  std::uint32_t levels = 0;  ///< the largest distance found, plus one; 0 without sources
  working_set needs;         ///< memory of the search: matrix, tables of n × B, scratch
};

/// Searches from B sources, each on its own, up to the fixed point (paper, 5.8). On the CPU, and on a GPU with
/// the layout adaptive, up to 256 sources advance together, as in reach(); on a GPU distances are kept there bit by
/// bit: n·B/8 bytes for each bit of the largest. On a GPU with the layout level_order all sources advance
/// together: a level is one pass over the matrix with B threads a node, and a vertex is in the frontier of source
/// k where its distance from k is the last level's, so that the table of distances is all that is kept: 4·n·B
/// bytes.
/// \throws invalid_argument when the matrix is not square, a source is outside it, or an undirected search of a
/// level-order matrix is asked of a GPU
/// \throws not_compiled, cuda_error, out_of_memory as a plan does, when a GPU is asked for
multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options = {});

/// The memory that multi_source_bfs() holds with these options: on the CPU the table of distances, and three tables
/// of bits; on a GPU what lies there. There, with the layout adaptive, distances take another bit a pair whenever
/// they reach a power of two; those below 256 are counted.
/// \throws on a GPU what multi_source_bfs() does
working_set multi_source_needs(const matrix& a, std::uint64_t sources,
                               const multi_source_options& options = {});

/// How reachability is searched.
struct reach_options {
  bool reverse = false;     ///< follow edges from column to row
  bool undirected = false;  ///< follow edges both ways, whatever `reverse` says
  /// Stop after so many levels, even where more could be reached.
  std::uint32_t max_levels = std::numeric_limits<std::uint32_t>::max();
  /// Where to search; `automatic` takes a GPU that is there where the layout is adaptive.
  device where = device::cpu;
  cuda_options cuda{};  ///< how to run on a GPU
  progress_callback
      progress{};  ///< told the pairs of a source and a vertex found so far, after steps
};

/// Who reaches whom.
struct reach_result {
  std::uint64_t sources = 0;           ///< B
  std::uint64_t words_per_vertex = 0;  ///< ⌈B / 64⌉
  /// n × words_per_vertex: bit k mod 64 of word v·words_per_vertex + k / 64 is set where source k reaches
  /// vertex v. A source reaches itself.
  std::vector<std::uint64_t> table;
  std::vector<std::uint64_t> reached;  ///< for each source, the vertices that it reaches
  /// levels × B in row-major order: entry d·B + k counts the vertices at distance d from source k.
  std::vector<std::uint64_t> reached_per_level;
  std::uint32_t levels = 0;    ///< the largest distance found, plus one; 0 without sources
  working_set needs;           ///< memory of the search where it ran: matrix, tables, scratch
  device where = device::cpu;  ///< where it ran

  /// Whether source \p k reaches vertex \p v. \pre k < sources, v is a vertex
  bool reaches(std::uint64_t k, index_t v) const {
    return ((table[v * words_per_vertex + k / 64] >> (k % 64)) & 1U) != 0;
  }
};

/// Searches from B sources at once, each on its own, with three tables of one bit for a source and a
/// vertex: seen, frontier, next (Then et al., The More the Merrier, VLDB 2014). A level is one pass over the
/// squares whose rows hold a frontier vertex and whose columns hold one that some source has not seen; an
/// edge costs ⌈B / 64⌉ words. On a GPU up to 256 sources share a search, with two tables of ⌈B / 64⌉ words a vertex:
/// seen before and after the level.
/// \throws invalid_argument when the matrix is not square, a source is outside it, or a GPU is asked for and the
/// layout is not adaptive
/// \throws not_compiled, cuda_error, out_of_memory as a plan does, when a GPU is asked for
reach_result reach(const matrix& a, std::span<const index_t> sources,
                   const reach_options& options = {});

/// The memory that reach() holds with these options: on the CPU, its result included, 3·n·⌈B / 64⌉ words and 2 bits
/// a vertex; on a GPU what lies there.
/// \throws on a GPU what reach() does
working_set reach_needs(const matrix& a, std::uint64_t sources, const reach_options& options = {});

}  // namespace baltoro
