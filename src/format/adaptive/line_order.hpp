// Leaves in the order of their lines: rows or columns of a container, and their places in them.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/morton.hpp>

#include <cstdint>
#include <span>

namespace baltoro::format {

enum class line_axis : std::uint32_t {
  rows = 0,     // a line is a row of leaves
  columns = 1,  // a line is a column
};

// The leaf at an offset as line · 2^16 + place in the line, so that keys are in the order of lines and places.
BALTORO_HOST_DEVICE constexpr std::uint32_t line_key(std::uint32_t offset, line_axis axis) {
  const std::uint32_t row = morton::row_of(offset);
  const std::uint32_t col = morton::col_of(offset);
  return axis == line_axis::rows ? row << 16U | col : col << 16U | row;
}
// The other way round.
BALTORO_HOST_DEVICE constexpr std::uint32_t line_offset(std::uint32_t line, std::uint32_t place,
                                                        line_axis axis) {
  return static_cast<std::uint32_t>(axis == line_axis::columns ? morton::encode(place, line)
                                                               : morton::encode(line, place));
}

// numbers[i] = k where offsets[k] is leaf i in the order of keys. \pre at most 1024 offsets
void order_by_lines(std::span<const std::uint32_t> offsets, line_axis axis,
                    std::span<std::uint16_t> numbers);

}  // namespace baltoro::format
