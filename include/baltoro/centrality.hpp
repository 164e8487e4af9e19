/// \file
/// \brief Centrality by shortest paths, counted in edges: closeness, harmonic and betweenness centrality, exact or
/// from a sample of sources, and bounds of the diameter. (Katz and eigenvector centrality: spectral.hpp.)
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace baltoro {

/// \p count vertices of a graph of \p vertices, drawn without repetition, ascending; all of them where there are
/// no more. The same seed gives the same sample everywhere.
std::vector<index_t> sample_vertices(index_t vertices, std::uint64_t count, std::uint64_t seed);

/// How distances are summed up.
struct distance_centrality_options {
  bool reverse = false;          ///< paths against the edges: from a vertex to the sources
  bool undirected = false;       ///< paths that follow edges either way, whatever `reverse` says
  progress_callback progress{};  ///< told the sources done. What it throws ends the operation.
};

/// What distances from sources say about each vertex.
struct distance_centrality_result {
  /// With r sources other than v that reach v at distances d, of s sources other than v:
  /// (r / Σd) · (r / s). All vertices as sources make it closeness centrality (Wasserman and Faust); as
  /// networkx has it, it counts paths *to* v.
  std::vector<double> closeness;
  /// Σ 1/d · (n − 1) / s over the same. All vertices as sources make it harmonic centrality.
  std::vector<double> harmonic;
  working_set needs;  ///< what distance_centrality_needs() says
};

/// Closeness and harmonic centrality of every vertex from the distances that the sources have to it (Eppstein and
/// Wang, Fast Approximation of Centrality, 2004), exact where all vertices are sources. Searches of 256 sources
/// advance together as in reach(); 24 bytes a vertex beside their tables and the result. On the CPU.
/// \throws invalid_argument when the matrix is not square or a source is outside it or repeated
distance_centrality_result distance_centrality(const matrix& a, std::span<const index_t> sources,
                                               const distance_centrality_options& options = {});

/// The most memory that distance_centrality() holds, its result included.
working_set distance_centrality_needs(const matrix& a);

/// How betweenness is computed.
struct betweenness_options {
  index_t batch = 8;             ///< sources of one product, B ≥ 1: 44·B bytes a vertex
  device where = device::cpu;    ///< where products run; `automatic` as for a product
  cuda_options cuda{};           ///< how to run on a GPU
  progress_callback progress{};  ///< told the sources done. What it throws ends the operation.
};

/// What betweenness() found.
struct betweenness_result {
  /// For each vertex Σ over sources s and all t of the share of shortest paths from s to t that go through it,
  /// neither s nor t being it, times n / (number of sources) / ((n − 1)(n − 2)): all vertices as sources make it
  /// betweenness centrality as networkx normalises it, for directed graphs and for symmetric ones. 0 where n < 3.
  std::vector<double> scores;
  working_set needs;           ///< what betweenness_needs() says
  device where = device::cpu;  ///< where products ran
};

/// Betweenness centrality (Brandes, A Faster Algorithm for Betweenness Centrality, 2001), B sources at once: a
/// left product a level on the way out counts paths, a right one on the way back gathers what depends on a
/// vertex. Counts are doubles, exact to 2⁵³ paths. The result has the same bits whatever the number of threads.
/// Costs two products of a batch for each level of each batch.
/// \throws invalid_argument when the matrix is not square, a source is outside it, or batch is 0
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
betweenness_result betweenness(const matrix& a, std::span<const index_t> sources,
                               const betweenness_options& options = {});

/// The most memory that betweenness() holds, its result included.
working_set betweenness_needs(const matrix& a, const betweenness_options& options = {});

/// How far the diameter is bounded.
struct diameter_options {
  std::uint32_t max_searches = 64;  ///< stop after so many searches, at least 1
  progress_callback progress{};     ///< told the searches made. What it throws ends the operation.
};

/// Bounds of the diameter.
struct diameter_result {
  index_t lower = 0;  ///< there are two vertices so far apart
  index_t upper = 0;  ///< no two are farther apart; equal to `lower` where the diameter is known
  std::uint64_t vertices = 0;  ///< vertices of the component
  std::uint32_t searches = 0;  ///< searches made
  working_set needs;           ///< what diameter_needs() says
};

/// Bounds of the diameter of the largest weakly connected component, edges followed either way: every search
/// bounds the eccentricity of all vertices by the triangle inequality, the next one starts where the largest
/// upper or the smallest lower bound is (Takes and Kosters, Determining the Diameter of Small World Networks,
/// CIKM 2011). Often exact after a few tens of searches. 8 bytes a vertex beside a search and the components.
/// On the CPU.
/// \throws invalid_argument when the matrix is not square or max_searches is 0
diameter_result diameter_bounds(const matrix& a, const diameter_options& options = {});

/// The most memory that diameter_bounds() holds.
working_set diameter_needs(const matrix& a);

}  // namespace baltoro
