#include "format/adaptive/line_order.hpp"

#include <array>

#include <hwy/contrib/sort/vqsort.h>

namespace baltoro::format {

void order_by_lines(std::span<const std::uint32_t> offsets, line_axis axis,
                    std::span<std::uint16_t> numbers) {
  std::array<std::uint64_t, 1024> sorted;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    sorted[i] = std::uint64_t{line_key(offsets[i], axis)} << 16U | i;
  }
  hwy::Sorter()(sorted.data(), offsets.size(), hwy::SortAscending());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    numbers[i] = static_cast<std::uint16_t>(sorted[i]);
  }
}

}  // namespace baltoro::format
