#include <baltoro/error.hpp>
#include <baltoro/pagerank.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "algorithms/iterations.hpp"
#include "algorithms/place.hpp"
#include "algorithms/square.hpp"
#include "cpu/fused_product.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

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

void check_seeds(std::uint64_t seeds) {
  if (seeds > max_dimension) {
    throw invalid_argument(fmt::format("{} seeds, more than {}", seeds, max_dimension));
  }
}

}  // namespace

namespace {

// The probabilities of a jump; empty where all vertices are alike.
std::vector<double> jumps_of(std::span<const double> weights) {
  std::vector<double> jumps(weights.begin(), weights.end());
  if (jumps.empty()) return jumps;
  // By the largest first: the sum of huge weights would overflow, the inverse of a tiny one too.
  const double largest = *std::max_element(jumps.begin(), jumps.end());
  const double total =
      algorithms::sum(jumps.size(), [&](std::size_t i) { return jumps[i] / largest; });
  for (double& jump : jumps) jump = jump / largest / total;
  return jumps;
}

// Σ over the blocks, in their order, of what each of `batch` vectors has.
std::vector<double> totals(const std::vector<double>& of_blocks, std::size_t batch) {
  std::vector<double> sums(batch);
  for (std::size_t i = 0; i < of_blocks.size(); ++i) sums[i % batch] += of_blocks[i];
  return sums;
}

// The iteration for B vectors side by side, or one (Single, so that the compiler knows). jump(v, k) is the
// probability that a jump of vector k lands on v.
template <bool Single, class Jump>
class power_iteration {
 public:
  power_iteration(const matrix& a, const pagerank_options& options, std::size_t batch, Jump jump)
      : n_(a.rows()),
        batch_(batch),
        options_(options),
        jump_(jump),
        degrees_(a.out_degrees()),
        product_(cpu::make_fused_product(a, direction::left, static_cast<index_t>(batch))),
        ranks_(n_ * batch),
        shares_(n_ * batch),
        next_shares_(n_ * batch),
        changes_(blocks() * batch),
        losses_(blocks() * batch) {}

  // Fills ranks and figures of the result.
  template <class Result>
  void run(Result& result) {
    start();
    while (result.iterations < options_.max_iterations && !result.converged) {
      const std::vector<double> lost = totals(losses_, batch_);
      product_->run(shares_, [&](std::uint64_t first, std::uint64_t last, const double* sums) {
        take(first, last, sums, lost);
      });
      shares_.swap(next_shares_);
      const std::vector<double> changes = totals(changes_, batch_);
      result.change = *std::max_element(changes.begin(), changes.end());
      ++result.iterations;
      result.converged = result.change < options_.tolerance;
      if (options_.on_iteration) options_.on_iteration(result.iterations, result.change);
    }
    result.ranks = std::move(ranks_);
  }

 private:
  std::size_t batch() const { return Single ? 1 : batch_; }
  std::size_t blocks() const { return (n_ + algorithms::block - 1) / algorithms::block; }

  void start() {
    algorithms::for_each_block(n_, [&](std::uint64_t first, std::uint64_t last) {
      double* const losses = losses_.data() + first / algorithms::block * batch();
      for (std::uint64_t v = first; v < last; ++v) {
        for (std::size_t k = 0; k < batch(); ++k) {
          const double rank = jump_(v, k);
          ranks_[v * batch() + k] = rank;
          pass(v, v * batch() + k, rank, shares_, losses[k]);
        }
      }
    });
  }

  // What a vertex gives along each of its edges; a dangling one loses all it has.
  void pass(std::uint64_t v, std::size_t at, double rank, std::vector<double>& shares,
            double& loss) const {
    shares[at] = degrees_[v] == 0 ? 0 : rank / degrees_[v];
    loss += degrees_[v] == 0 ? rank : 0;
  }

  void take(std::uint64_t begin, std::uint64_t end, const double* sums,
            const std::vector<double>& lost) {
    static_assert(cpu::fused_product::range == algorithms::block);
    const double uniform = 1.0 / static_cast<double>(n_);
    const bool to_jumps = options_.dangling_to == dangling::personalization;
    for (std::uint64_t first = begin; first < end; first += algorithms::block) {
      const std::uint64_t last = std::min(end, first + algorithms::block);
      double* const losses = losses_.data() + first / algorithms::block * batch();
      double* const changes = changes_.data() + first / algorithms::block * batch();
      std::fill_n(losses, batch(), 0.0);
      std::fill_n(changes, batch(), 0.0);
      for (std::uint64_t v = first; v < last; ++v) {
        for (std::size_t k = 0; k < batch(); ++k) {
          const std::size_t at = v * batch() + k;
          const double sum = sums == nullptr ? 0 : sums[at - begin * batch()];
          const double jump = jump_(v, k);
          const double refill = lost[k] * (to_jumps ? jump : uniform);
          const double rank = options_.damping * (sum + refill) + (1 - options_.damping) * jump;
          changes[k] += std::abs(rank - ranks_[at]);
          ranks_[at] = rank;
          pass(v, at, rank, next_shares_, losses[k]);
        }
      }
    }
  }

  std::uint64_t n_;
  std::size_t batch_;
  const pagerank_options& options_;
  Jump jump_;
  std::vector<index_t> degrees_;
  std::unique_ptr<cpu::fused_product> product_;
  std::vector<double> ranks_;
  std::vector<double> shares_;
  std::vector<double> next_shares_;
  std::vector<double> changes_;  // of each block and vector
  std::vector<double> losses_;   // likewise, of the dangling vertices
};

working_set needs_of_batch(const matrix& a, std::uint64_t batch) {
  const std::uint64_t n = a.rows();
  working_set needs{.matrix_bytes = a.bytes().total(), .vector_bytes = 3 * 8 * n * batch};
  if (n == 0 || batch == 0) return needs;
  const std::uint64_t blocks = (n + algorithms::block - 1) / algorithms::block;
  needs.scratch_bytes =
      cpu::make_fused_product(a, direction::left, static_cast<index_t>(batch))->scratch_bytes() +
      n * sizeof(index_t) + 2 * blocks * batch * sizeof(double);
  return needs;
}

pagerank_result pagerank_on_cpu(const matrix& a, const pagerank_options& options,
                                const std::vector<double>& jumps) {
  pagerank_result result;
  result.needs = needs_of_batch(a, 1);
  const double uniform = 1.0 / static_cast<double>(a.rows());
  if (jumps.empty()) {
    const auto jump = [uniform](std::uint64_t, std::size_t) { return uniform; };
    power_iteration<true, decltype(jump)>(a, options, 1, jump).run(result);
  } else {
    const auto jump = [&jumps](std::uint64_t v, std::size_t) { return jumps[v]; };
    power_iteration<true, decltype(jump)>(a, options, 1, jump).run(result);
  }
  return result;
}

personalized_pagerank_result personalized_on_cpu(const matrix& a, std::span<const index_t> seeds,
                                                 const pagerank_options& options) {
  personalized_pagerank_result result;
  result.needs = needs_of_batch(a, seeds.size());
  const auto jump = [seeds](std::uint64_t v, std::size_t k) { return seeds[k] == v ? 1.0 : 0.0; };
  power_iteration<false, decltype(jump)>(a, options, seeds.size(), jump).run(result);
  return result;
}

}  // namespace

working_set pagerank_needs(const matrix& a, const pagerank_options& options) {
  check(a, options);
  return algorithms::at_place(
      options.where,
      [&] { return a.rows() == 0 ? working_set{} : cuda::pagerank_needs(a, options); },
      [&] { return needs_of_batch(a, 1); });
}

working_set personalized_pagerank_needs(const matrix& a, std::uint64_t seeds,
                                        const pagerank_options& options) {
  check(a, options);
  check_seeds(seeds);
  return algorithms::at_place(
      options.where,
      [&] {
        return seeds == 0 ? working_set{} : cuda::personalized_pagerank_needs(a, seeds, options);
      },
      [&] { return needs_of_batch(a, seeds); });
}

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

personalized_pagerank_result personalized_pagerank(const matrix& a, std::span<const index_t> seeds,
                                                   const pagerank_options& options) {
  check(a, options);
  if (!options.personalization.empty()) {
    throw invalid_argument("personalized_pagerank: the seeds are the personalisation");
  }
  for (const index_t seed : seeds) {
    if (seed >= a.rows()) {
      throw invalid_argument(
          fmt::format("seed {} is outside the graph of {} vertices", seed, a.rows()));
    }
  }
  check_seeds(seeds.size());
  const device where = resolve(options.where);
  if (seeds.empty()) {
    personalized_pagerank_result result;
    result.converged = true;
    return result;
  }
  if (where == device::cpu) return personalized_on_cpu(a, seeds, options);
  try {
    return cuda::personalized_pagerank(a, seeds, options);
  } catch (const out_of_memory&) {
    if (options.where == device::cuda) throw;
    return personalized_on_cpu(a, seeds, options);
  }
}

}  // namespace baltoro
