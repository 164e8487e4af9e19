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

}  // namespace

unsigned weigh_time(std::uint64_t cells, std::uint64_t leaves) {
  if (cells <= cells_of_no_weight * leaves) return 0;
  if (cells >= cells_of_full_weight * leaves) return full_weight;
  return static_cast<unsigned>(full_weight * (cells - cells_of_no_weight * leaves) /
                               ((cells_of_full_weight - cells_of_no_weight) * leaves));
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
