#include <baltoro/error.hpp>
#include <baltoro/pagerank.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>

#include "algorithms/square.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

// Σ f(i), cut the same way whatever the number of threads, so that the bits are the same too.
template <class Function>
double sum(std::size_t count, Function f) {
  constexpr std::size_t grain = 4096;
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::size_t>(0, count, grain), 0.0,
      [&](const tbb::blocked_range<std::size_t>& range, double total) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) total += f(i);
        return total;
      },
      std::plus<double>());
}

void check(const matrix& a, const pagerank_options& options) {
  check_square(a, "pagerank");
  if (!(options.damping >= 0 && options.damping < 1)) {
    throw invalid_argument(
        fmt::format("damping {}: it must be at least 0 and below 1", options.damping));
  }
  if (!(options.tolerance > 0)) {
    throw invalid_argument(fmt::format("tolerance {}: it must be above 0", options.tolerance));
  }
  const auto weights = options.personalization;
  if (weights.empty()) return;
  if (weights.size() != a.rows()) {
    throw invalid_argument(fmt::format("the personalisation has {} weights for {} vertices",
                                       weights.size(), a.rows()));
  }
  bool any = false;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i])) {
      throw invalid_argument(
          fmt::format("the personalisation of vertex {} is {}; weights are finite and not negative",
                      i, weights[i]));
    }
    any = any || weights[i] > 0;
  }
  if (!any) throw invalid_argument("the personalisation is 0 everywhere");
}

}  // namespace

namespace {

// The probabilities of a jump; empty where all vertices are alike.
std::vector<double> jumps_of(std::span<const double> weights) {
  std::vector<double> jumps(weights.begin(), weights.end());
  if (jumps.empty()) return jumps;
  // By the largest first: the sum of huge weights would overflow, the inverse of a tiny one too.
  const double largest = *std::max_element(jumps.begin(), jumps.end());
  const double total = sum(jumps.size(), [&](std::size_t i) { return jumps[i] / largest; });
  for (double& jump : jumps) jump = jump / largest / total;
  return jumps;
}

pagerank_result pagerank_on_cpu(const matrix& a, const pagerank_options& options,
                                const std::vector<double>& jumps) {
  pagerank_result result;
  plan<double> product(a, {.side = direction::left});
  result.needs = product.needs();
  const std::size_t n = a.rows();
  const double uniform = 1.0 / static_cast<double>(n);
  const auto jump = [&](std::size_t i) { return jumps.empty() ? uniform : jumps[i]; };
  const bool dangling_jumps = options.dangling_to == dangling::personalization;

  const std::vector<index_t> degrees = a.out_degrees();
  std::vector<double>& ranks = result.ranks;
  ranks.resize(n);
  for (std::size_t i = 0; i < n; ++i) ranks[i] = jump(i);
  std::vector<double> shares(n);  // what a vertex gives along each of its edges
  std::vector<double> next(n);
  while (result.iterations < options.max_iterations && !result.converged) {
    const double lost = sum(n, [&](std::size_t i) {
      shares[i] = degrees[i] == 0 ? 0 : ranks[i] / degrees[i];
      return degrees[i] == 0 ? ranks[i] : 0;
    });
    product.run(shares, next);
    result.change = sum(n, [&](std::size_t i) {
      const double refill = lost * (dangling_jumps ? jump(i) : uniform);
      const double rank = options.damping * (next[i] + refill) + (1 - options.damping) * jump(i);
      const double change = std::abs(rank - ranks[i]);
      ranks[i] = rank;
      return change;
    });
    ++result.iterations;
    result.converged = result.change < options.tolerance;
    if (options.on_iteration) options.on_iteration(result.iterations, result.change);
  }
  return result;
}

}  // namespace

pagerank_result pagerank(const matrix& a, const pagerank_options& options) {
  check(a, options);
  const device where = resolve(options.where);
  if (a.rows() == 0) {
    pagerank_result result;
    result.converged = true;
    return result;
  }
  const std::vector<double> jumps = jumps_of(options.personalization);
  if (where == device::cpu) return pagerank_on_cpu(a, options, jumps);
  try {
    return cuda::pagerank(a, options, jumps);
  } catch (const out_of_memory&) {
    if (options.where == device::cuda) throw;
    return pagerank_on_cpu(a, options, jumps);
  }
}

}  // namespace baltoro
