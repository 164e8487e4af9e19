#include "format/adaptive/choose_kind.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <hwy/contrib/sort/vqsort.h>

#include "format/adaptive/line_order.hpp"

namespace baltoro::format {
namespace {

// Cells a leaf up to which no bit is spent on time, and from which a leaf has its full price.
constexpr std::uint64_t cells_of_no_price = 2;
constexpr std::uint64_t cells_of_full_price = 8;

// The leaves whose time counts.
std::uint64_t priced(std::uint64_t leaves, std::uint64_t cells) {
  if (cells <= cells_of_no_price * leaves) return 0;
  return std::min(leaves, (cells - cells_of_no_price * leaves) /
                              (cells_of_full_price - cells_of_no_price));
}

}  // namespace

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

chosen_kind choose_kind(std::span<const std::uint32_t> offsets, unsigned level,
                        std::uint64_t cells) {
  std::array<std::uint32_t, std::size_t{2} * 1024> keys;
  const leaf_positions positions = sort_positions(offsets, keys.data());
  const std::uint64_t priced_leaves = priced(offsets.size(), cells);
  chosen_kind best;
  std::uint64_t least = ~0ULL;
  for (std::uint32_t number = 0; number < container_kinds; ++number) {
    const kind_functions& kind = kind_of(number);
    const auto size = kind.measure(positions, level);
    if (!size) continue;
    const std::uint64_t cost = 32ULL * size->words + kind.time_bits * priced_leaves;
    if (cost >= least) continue;
    best = {number, *size};
    least = cost;
  }
  return best;
}

}  // namespace baltoro::format
