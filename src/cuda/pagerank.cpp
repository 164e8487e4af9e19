#include <baltoro/pagerank.hpp>

#include <span>
#include <vector>

#include "cuda/algorithms.hpp"
#include "cuda/power_iteration.hpp"

namespace baltoro::cuda {
namespace {

template <class T, class Result>
Result rank(const matrix& a, const pagerank_options& options, std::span<const double> jumps,
            std::span<const index_t> seeds) {
  const std::size_t batch = seeds.empty() ? 1 : seeds.size();
  power_iteration<T> iteration(make_rank_product<T>(a, static_cast<index_t>(batch), options.cuda),
                               options, jumps, seeds);
  const auto figures = iteration.run();
  Result result;
  result.where = device::cuda;
  result.needs = iteration.needs();
  result.iterations = figures.iterations;
  result.change = figures.change;
  result.converged = figures.converged;
  result.ranks.resize(std::uint64_t{a.rows()} * batch);
  iteration.copy_ranks(result.ranks.data());
  return result;
}

template <class Result>
Result rank(const matrix& a, const pagerank_options& options, std::span<const double> jumps,
            std::span<const index_t> seeds) {
  return options.single_precision ? rank<float, Result>(a, options, jumps, seeds)
                                  : rank<double, Result>(a, options, jumps, seeds);
}

working_set needs(const matrix& a, const pagerank_options& options, std::span<const double> jumps,
                  std::span<const index_t> seeds) {
  const auto of = [&]<class T>(T) {
    const auto batch = static_cast<index_t>(seeds.empty() ? 1 : seeds.size());
    return power_iteration<T>(make_rank_product<T>(a, batch, options.cuda), options, jumps, seeds)
        .needs();
  };
  return options.single_precision ? of(float{}) : of(double{});
}

}  // namespace

working_set pagerank_needs(const matrix& a, const pagerank_options& options) {
  return needs(a, options, options.personalization, {});
}

working_set personalized_pagerank_needs(const matrix& a, std::uint64_t seeds,
                                        const pagerank_options& options) {
  return needs(a, options, {}, std::vector<index_t>(seeds));
}

pagerank_result pagerank(const matrix& a, const pagerank_options& options,
                         std::span<const double> jumps) {
  return rank<pagerank_result>(a, options, jumps, {});
}

personalized_pagerank_result personalized_pagerank(const matrix& a, std::span<const index_t> seeds,
                                                   const pagerank_options& options) {
  return rank<personalized_pagerank_result>(a, options, {}, seeds);
}

}  // namespace baltoro::cuda
