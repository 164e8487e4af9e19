#include "measure/statistics.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cmath>

namespace baltoro::bench {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

}  // namespace

quartiles quartiles_of(std::vector<double> values) {
  if (values.empty()) throw invalid_argument("quartiles of nothing");
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

}  // namespace baltoro::bench
