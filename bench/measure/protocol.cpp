#include "measure/protocol.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace baltoro::bench {
namespace {

constexpr double most_products = 1e5;

}  // namespace

std::uint64_t products_for(const protocol& how, double product_ms) {
  if (!(product_ms > 0)) return static_cast<std::uint64_t>(most_products);
  return static_cast<std::uint64_t>(
      std::clamp(std::ceil(how.run_ms / product_ms), 1.0, most_products));
}

timing measure(place& where, product& what, const protocol& how) {
  // The first run loads the kernels and the second records them where an engine does so.
  const double first_ms = where.run_ms(what, 1);
  if (first_ms > how.slowest_ms) {
    throw too_slow(fmt::format("a product takes {:.3g} s, longer than the {:.3g} s allowed",
                               first_ms / 1000, how.slowest_ms / 1000));
  }
  double product_ms = where.run_ms(what, 1);
  if (product_ms < how.run_ms) {
    product_ms = where.run_ms(what, 1);
    // Alone it pays for its launch; among others it may not.
    const std::uint64_t some = products_for(how, product_ms);
    product_ms = where.run_ms(what, some) / static_cast<double>(some);
  }
  timing result;
  result.runs = how.runs;
  result.products_per_run = products_for(how, product_ms);
  std::vector<double> times;
  for (unsigned run = 0; run < how.runs; ++run) {
    times.push_back(where.run_ms(what, result.products_per_run) /
                    static_cast<double>(result.products_per_run));
  }
  result.ms = quartiles_of(std::move(times));
  return result;
}

}  // namespace baltoro::bench
