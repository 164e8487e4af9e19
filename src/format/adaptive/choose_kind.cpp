#include "format/adaptive/choose_kind.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <hwy/contrib/sort/vqsort.h>

#include "format/adaptive/line_order.hpp"

namespace baltoro::format {
namespace {

// Cells a leaf up to which no bit is spent on time, and from which time has its full weight.
constexpr std::uint64_t cells_of_no_weight = 2;
constexpr std::uint64_t cells_of_full_weight = 8;
// Leaves from which a product is bound by what they take, not by the latency of one container, and what time weighs
// at least in such a matrix.
constexpr std::uint64_t leaves_of_large = 1U << 20U;
constexpr unsigned weight_of_large = 4;

}  // namespace

unsigned weigh_time(std::uint64_t cells, std::uint64_t leaves) {
  const unsigned least = leaves < leaves_of_large ? 0 : weight_of_large;
  if (cells <= cells_of_no_weight * leaves) return least;
  if (cells >= cells_of_full_weight * leaves) return full_weight;
  const std::uint64_t weight = full_weight * (cells - cells_of_no_weight * leaves) /
                               ((cells_of_full_weight - cells_of_no_weight) * leaves);
  return std::max(least, static_cast<unsigned>(weight));
}

leaf_positions sort_positions(std::span<const std::uint32_t> offsets, std::uint32_t* keys) {
  // One sort for both axes: the keys of rows come after those of columns.
  constexpr std::uint32_t by_rows = 1U << 31U;
  const std::size_t leaves = offsets.size();
  for (std::size_t i = 0; i < leaves; ++i) {
    const std::uint32_t key = line_key(offsets[i], line_axis::rows);
    keys[i] = std::rotl(key, 16);
    keys[leaves + i] = key | by_rows;
  }
  hwy::Sorter()(keys, 2 * leaves, hwy::SortAscending());
  for (std::size_t i = leaves; i < 2 * leaves; ++i) keys[i] &= ~by_rows;
  return {offsets, {keys + leaves, leaves}, {keys, leaves}};
}

kind_choice choose_kind(std::span<const std::uint32_t> offsets, unsigned level, unsigned weight) {
  std::array<std::uint32_t, std::size_t{2} * 1024> keys;
  const leaf_positions positions = sort_positions(offsets, keys.data());
  kind_choice best(static_cast<unsigned>(offsets.size()), weight);
  for (std::uint32_t number = 0; number < container_kinds; ++number) {
    const auto size = kind_of(number).measure(positions, level);
    if (size) best.offer(static_cast<container_kind>(number), *size);
  }
  return best;
}

}  // namespace baltoro::format
