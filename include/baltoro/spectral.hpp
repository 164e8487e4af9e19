/// \file
/// \brief Scores of vertices that are fixed points of products: HITS, Katz and eigenvector centrality.
///
/// An edge {row, col} leads from vertex row to vertex col. All scores are in double; every iteration is one or
/// two products, which run where the options say, and passes over the vectors on the CPU, whose result does not
/// depend on the number of threads.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <vector>

namespace baltoro {

/// How an iteration ends, and where it runs.
struct iteration_options {
  double tolerance = 1e-9;              ///< stop when two iterates differ by less in L1
  std::uint32_t max_iterations = 1000;  ///< stop after so many iterations
  device where = device::cpu;           ///< where products run; `automatic` as for a product
  cuda_options cuda{};                  ///< how to run on a GPU
  /// Told the iteration after each, and max_iterations. What it throws ends the operation.
  progress_callback progress{};
};

/// How an iteration ended.
struct iteration_figures {
  std::uint32_t iterations = 0;  ///< iterations made
  double change = 0;             ///< L1 difference of the last two iterates
  bool converged = false;        ///< whether change < tolerance
  working_set needs;             ///< the most memory it held
  device where = device::cpu;    ///< where products ran
};

/// What HITS found.
struct hits_result : iteration_figures {
  std::vector<double> hubs;         ///< one a vertex, sum 1; all 0 in a graph without edges
  std::vector<double> authorities;  ///< one a vertex, sum 1; all 0 in a graph without edges
};

/// HITS (Kleinberg, Authoritative Sources in a Hyperlinked Environment, JACM 1999): h = A·a and a = Aᵀ·h, each
/// scaled to sum 1, from equal scores; a right and a left product an iteration. `change` is that of the
/// authorities and the hubs together. Extra memory: 32 bytes a vertex.
/// \throws invalid_argument when the matrix is not square or an option is outside its range
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
hits_result hits(const matrix& a, const iteration_options& options = {});

/// The most memory that hits() holds, its result included.
working_set hits_needs(const matrix& a, const iteration_options& options = {});

/// What katz_centrality() and eigenvector_centrality() found.
struct centrality_result : iteration_figures {
  std::vector<double> scores;  ///< one a vertex, of Euclidean length 1 (or all 0)
};

/// How Katz centrality is computed.
struct katz_options : iteration_options {
  /// What a step along an edge keeps, α. The sum converges where α is below 1 / the largest eigenvalue.
  double attenuation = 0.1;
  double base = 1;  ///< what every vertex has of its own, β
};

/// Katz centrality (Katz, A New Status Index Derived from Sociometric Analysis, 1953): x = α·Aᵀx + β, over the
/// edges into a vertex as networkx has it, then scaled to Euclidean length 1. Where α is too large the iteration
/// grows; it stops with `converged` false after max_iterations or when a score is no longer finite, and the
/// scores are then of no use. One left product an iteration, 16 bytes a vertex.
/// \throws invalid_argument when the matrix is not square or an option is outside its range
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
centrality_result katz_centrality(const matrix& a, const katz_options& options = {});

/// Eigenvector centrality: the vector of Euclidean length 1 with λx = Aᵀx for the largest λ, over the edges into
/// a vertex as networkx has it, by the iteration x = Aᵀx + x, which also converges on bipartite graphs. In a
/// graph that is not strongly connected the limit depends on the start, which is the same for all vertices. In
/// one without cycles it does not converge but creeps. One left product an iteration, 16 bytes a vertex.
/// \throws invalid_argument when the matrix is not square or an option is outside its range
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
centrality_result eigenvector_centrality(const matrix& a, const iteration_options& options = {});

/// The most memory that katz_centrality() and eigenvector_centrality() hold, their result included.
working_set centrality_needs(const matrix& a, const iteration_options& options = {});

}  // namespace baltoro
