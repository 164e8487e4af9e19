#include <baltoro/undirected.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "algorithms/leaf_sweep.hpp"

namespace baltoro {
namespace {

// The finaliser of SplitMix64.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBULL;
  return z ^ (z >> 31U);
}

constexpr std::uint64_t hash(index_t row8, index_t col8, std::uint64_t pattern,
                             std::uint64_t seed) {
  const std::uint64_t place = std::uint64_t{row8} << 32U | col8;
  return mix(mix(place + seed) ^ mix(pattern + 0x9E37'79B9'7F4A'7C15ULL * seed));
}

}  // namespace

bool is_symmetric(const matrix& a) {
  if (a.rows() != a.cols()) return false;
  std::array<std::atomic<std::uint64_t>, 2> differences{};
  algorithms::sweep_leaves(a, [&](index_t row8, index_t col8, std::uint64_t pattern) {
    const std::uint64_t turned = format::transpose(pattern);
    if (row8 == col8 && turned == pattern) return;
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      differences[seed].fetch_add(
          hash(row8, col8, pattern, seed + 1) - hash(col8, row8, turned, seed + 1),
          std::memory_order_relaxed);
    }
  });
  return differences[0] == 0 && differences[1] == 0;
}

matrix symmetric_union(const matrix& a, const build_options& options) {
  build_options own = options;
  const index_t side = std::max(a.rows(), a.cols());
  own.dims = shape{side, side};
  own.kind = a.kind();
  builder to(own);
  std::vector<edge> turned;
  a.for_each([&](std::span<const edge> batch) {
    to.add(batch);
    turned.clear();
    for (const edge& e : batch) turned.push_back({e.col, e.row});
    to.add(turned);
  });
  return to.finish();
}

}  // namespace baltoro
