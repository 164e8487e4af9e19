/// \file
/// \brief PageRank by power iteration on the compressed matrix, for one personalisation or for many seeds at
/// once.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace baltoro {

/// Where the rank of vertices without successors goes.
enum class dangling {
  uniform,          ///< to all vertices alike
  personalization,  ///< as the personalisation says (what networkx does)
};

/// How PageRank is computed.
struct pagerank_options {
  double damping = 0.85;                ///< probability of following an edge, 0 ≤ damping < 1
  double tolerance = 1e-9;              ///< stop when two iterates differ by less in L1
  std::uint32_t max_iterations = 1000;  ///< stop after so many products
  /// Where a jump lands: n non-negative weights, not all 0, scaled to sum 1; empty: uniform.
  std::span<const double> personalization{};
  dangling dangling_to = dangling::uniform;  ///< where the rank of dangling vertices goes
  device where = device::cpu;  ///< where everything runs; `automatic` as for a product
  cuda_options cuda{};         ///< how to run on a GPU
  /// On a GPU: vectors are floats, which halves their memory; ranks are then rounded to floats in every iteration,
  /// so that a change below 1e-7 means little. No effect on the CPU.
  bool single_precision = false;
  /// Told the iteration and the L1 change after each product; on a GPU of several products together. What it
  /// throws ends the operation.
  std::function<void(std::uint32_t iteration, double change)> on_iteration{};
};

/// What PageRank found.
struct pagerank_result {
  std::vector<double> ranks;     ///< one a vertex, sum 1
  std::uint32_t iterations = 0;  ///< products made
  double change = 0;             ///< L1 difference of the last two iterates
  bool converged = false;        ///< whether change < tolerance
  working_set needs;             ///< memory of everything where it ran
  device where = device::cpu;    ///< where it ran
};

/// The ranks r = d·(Aᵀ D⁻¹ r + dangling) + (1 − d)·personalisation of a square matrix, D the
/// out-degrees, in double. One left product an iteration; extra memory 28 bytes a vertex. On the CPU, with the
/// layout adaptive, an iteration is one pass: rank, change, what dangling vertices lose and what the next
/// iteration passes along the edges are made of a strip of sums while it is in the cache. The result has the
/// same bits whatever the number of threads. On a GPU the vectors, two of them and the degrees, stay there from the
/// first iteration to the last; all but the product is one pass over them, and the host does not wait between
/// iterations.
/// \throws invalid_argument when the matrix is not square or an option is outside its range
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
pagerank_result pagerank(const matrix& a, const pagerank_options& options = {});

/// The most memory that pagerank() holds with these options: on the CPU, its result included, or on the GPU.
/// \throws invalid_argument as pagerank() does, and on a GPU the rest as a plan does
working_set pagerank_needs(const matrix& a, const pagerank_options& options = {});

/// What PageRank found for many seeds.
struct personalized_pagerank_result {
  /// n × B in row-major order: entry v·B + k is the rank of vertex v for seed k. For each seed the sum is 1.
  std::vector<double> ranks;
  std::uint32_t iterations = 0;  ///< products made
  double change = 0;             ///< largest L1 difference of the last two iterates, over the seeds
  bool converged = false;        ///< whether change < tolerance
  working_set needs;             ///< as in pagerank_result
  device where = device::cpu;    ///< where it ran
};

/// PageRank for B seeds at once, each on its own: for seed k every jump lands on that vertex. One
/// product of a batch an iteration for all of them; extra memory 24·B + 4 bytes a vertex, on a GPU 16·B + 4 or with
/// single_precision 8·B + 4. Seeds may repeat.
/// \param options `personalization` must be empty; on_iteration is told the largest change
/// \throws invalid_argument when the matrix is not square, a seed is outside it, or an option is outside its
/// range
/// \throws not_compiled, cuda_error, out_of_memory as a plan does
personalized_pagerank_result personalized_pagerank(const matrix& a, std::span<const index_t> seeds,
                                                   const pagerank_options& options = {});

/// The most memory that personalized_pagerank() holds for so many seeds, otherwise as pagerank_needs().
working_set personalized_pagerank_needs(const matrix& a, std::uint64_t seeds,
                                        const pagerank_options& options = {});

}  // namespace baltoro
