// Leaves in the order of their lines: rows or columns of a container, and their places in them.
#pragma once

#include <cstdint>
#include <span>

namespace baltoro::format {

enum class line_axis : std::uint32_t {
  rows = 0,     // a line is a row of leaves
  columns = 1,  // a line is a column
};

// The leaf at an offset as line · 2^16 + place in the line, so that keys are in the order of lines and places.
std::uint32_t line_key(std::uint32_t offset, line_axis axis);
// The other way round.
std::uint32_t line_offset(std::uint32_t line, std::uint32_t place, line_axis axis);

// numbers[i] = k where offsets[k] is leaf i in the order of keys. \pre at most 1024 offsets
void order_by_lines(std::span<const std::uint32_t> offsets, line_axis axis,
                    std::span<std::uint16_t> numbers);

}  // namespace baltoro::format
