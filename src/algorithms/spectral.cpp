#include <baltoro/error.hpp>
#include <baltoro/spectral.hpp>

#include <cmath>

#include <fmt/format.h>

#include "algorithms/iterations.hpp"
#include "algorithms/square.hpp"

namespace baltoro {
namespace {

using algorithms::sum;

void check(const matrix& a, const iteration_options& options, const char* algorithm) {
  check_square(a, algorithm);
  if (!(options.tolerance > 0)) {
    throw invalid_argument(
        fmt::format("{}: tolerance {}: it must be above 0", algorithm, options.tolerance));
  }
}

plan<double> product_of(const matrix& a, direction side, const iteration_options& options) {
  return plan<double>(a, {.side = side, .where = options.where, .cuda = options.cuda});
}

// Multiplies and returns the L1 distance from `old`, which becomes the same.
double settle(std::vector<double>& fresh, std::vector<double>& old, double factor) {
  return sum(fresh.size(), [&](std::uint64_t i) {
    const double value = fresh[i] * factor;
    const double change = std::abs(value - old[i]);
    old[i] = value;
    return change;
  });
}

double inverse_or_zero(double value) { return value > 0 ? 1 / value : 0; }

double length_of(const std::vector<double>& x) {
  return std::sqrt(sum(x.size(), [&](std::uint64_t i) { return x[i] * x[i]; }));
}

// Ends an iteration: whether another is to be made.
bool go_on(iteration_figures& to, double change, const iteration_options& options,
           algorithms::reporter& report) {
  to.change = change;
  ++to.iterations;
  to.converged = change < options.tolerance;
  report(to.iterations, options.max_iterations);
  return !to.converged && std::isfinite(change) && to.iterations < options.max_iterations;
}

}  // namespace

working_set hits_needs(const matrix& a, const iteration_options& options) {
  working_set needs = product_of(a, direction::right, options).needs();
  needs.scratch_bytes += product_of(a, direction::left, options).needs().scratch_bytes;
  needs.vector_bytes = 4 * sizeof(double) * a.rows();
  return needs;
}

hits_result hits(const matrix& a, const iteration_options& options) {
  check(a, options, "hits");
  hits_result result;
  plan<double> to_hubs = product_of(a, direction::right, options);
  plan<double> to_authorities = product_of(a, direction::left, options);
  result.needs = hits_needs(a, options);
  result.where = to_hubs.where();
  const std::uint64_t n = a.rows();
  const double uniform = n == 0 ? 0 : 1 / static_cast<double>(n);
  result.hubs.assign(n, uniform);
  result.authorities.assign(n, uniform);
  if (n == 0) {
    result.converged = true;
    return result;
  }
  std::vector<double> hubs(n);
  std::vector<double> authorities(n);
  const auto total = [](const std::vector<double>& x) {
    return sum(x.size(), [&](std::uint64_t i) { return x[i]; });
  };
  algorithms::reporter report(options.progress, "iterating", "iterations");
  double change = 0;
  if (options.max_iterations == 0) return result;
  do {
    to_authorities.run(result.hubs, authorities);
    change = settle(authorities, result.authorities, inverse_or_zero(total(authorities)));
    to_hubs.run(result.authorities, hubs);
    change += settle(hubs, result.hubs, inverse_or_zero(total(hubs)));
  } while (go_on(result, change, options, report));
  return result;
}

working_set centrality_needs(const matrix& a, const iteration_options& options) {
  return product_of(a, direction::left, options).needs();
}

centrality_result katz_centrality(const matrix& a, const katz_options& options) {
  check(a, options, "katz_centrality");
  if (!(options.attenuation >= 0) || !std::isfinite(options.attenuation)) {
    throw invalid_argument(
        fmt::format("katz_centrality: attenuation {}: it must be finite and not negative",
                    options.attenuation));
  }
  if (!(options.base > 0) || !std::isfinite(options.base)) {
    throw invalid_argument(
        fmt::format("katz_centrality: base {}: it must be finite and above 0", options.base));
  }
  centrality_result result;
  plan<double> product = product_of(a, direction::left, options);
  result.needs = product.needs();
  result.where = product.where();
  const std::uint64_t n = a.rows();
  std::vector<double>& x = result.scores;
  x.assign(n, 0);
  std::vector<double> next(n);
  algorithms::reporter report(options.progress, "iterating", "iterations");
  double change = 0;
  if (options.max_iterations == 0) return result;
  do {
    product.run(x, next);
    change = sum(n, [&](std::uint64_t i) {
      const double value = options.attenuation * next[i] + options.base;
      const double difference = std::abs(value - x[i]);
      x[i] = value;
      return difference;
    });
  } while (go_on(result, change, options, report));
  const double factor = inverse_or_zero(length_of(x));
  for (double& score : x) score *= factor;
  return result;
}

centrality_result eigenvector_centrality(const matrix& a, const iteration_options& options) {
  check(a, options, "eigenvector_centrality");
  centrality_result result;
  plan<double> product = product_of(a, direction::left, options);
  result.needs = product.needs();
  result.where = product.where();
  const std::uint64_t n = a.rows();
  std::vector<double>& x = result.scores;
  x.assign(n, n == 0 ? 0 : 1 / std::sqrt(static_cast<double>(n)));
  std::vector<double> next(n);
  algorithms::reporter report(options.progress, "iterating", "iterations");
  double change = 0;
  if (options.max_iterations == 0) return result;
  do {
    next = x;
    product.run(x, next, {.alpha = 1, .beta = 1});
    change = settle(next, x, inverse_or_zero(length_of(next)));
  } while (go_on(result, change, options, report));
  return result;
}

}  // namespace baltoro
