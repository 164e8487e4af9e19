#include "format/adaptive/line_order.hpp"

#include <baltoro/morton.hpp>

#include <array>

#include <hwy/contrib/sort/vqsort.h>

namespace baltoro::format {

std::uint32_t line_key(std::uint32_t offset, line_axis axis) {
  const std::uint32_t row = morton::row_of(offset);
  const std::uint32_t col = morton::col_of(offset);
  return axis == line_axis::rows ? row << 16U | col : col << 16U | row;
}

std::uint32_t line_offset(std::uint32_t line, std::uint32_t place, line_axis axis) {
  return static_cast<std::uint32_t>(axis == line_axis::columns ? morton::encode(place, line)
                                                               : morton::encode(line, place));
}

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
