// Container kind `lines`: the leaves line by line, a line being a row or a column of leaves. How many there
// are in each is unary; where they are in their line is an Elias–Fano code of its own for each line, so that
// a column with many leaves takes few bits for each, whatever the others hold.
//
// One sequence of bits: for every line a one for each leaf and then a zero, up to the last leaf's one; for
// every leaf as many zeros as its distance from the leaf before it in the line has above its low bits, and a
// one; the low bits of all leaves. Distances are those of place - number in the line, which do not fall: a
// line that is nearly full is a bitmap.
//
// The leaves are numbered line by line. The detail is the axis in bit 0 and the number of words above it.
#pragma once

#include <baltoro/host_device.hpp>

#include <bit>
#include <cstdint>

#include "format/adaptive/line_order.hpp"

namespace baltoro::format {

struct lines_detail {
  std::uint32_t value = 0;

  BALTORO_HOST_DEVICE static constexpr lines_detail of(line_axis axis, std::uint32_t words) {
    return {static_cast<std::uint32_t>(axis) | words << 1U};
  }
  BALTORO_HOST_DEVICE constexpr line_axis axis() const {
    return static_cast<line_axis>(value & 1U);
  }
  BALTORO_HOST_DEVICE constexpr bool by_columns() const { return axis() == line_axis::columns; }
  BALTORO_HOST_DEVICE constexpr std::uint32_t words() const { return value >> 1U; }
};

// The most words: places of bits are kept in 16 bits.
inline constexpr std::uint32_t max_line_words = 512;

// The low bits of each of `leaves` ≥ 1 leaves in a line of `side` places: the logarithm, rounded down, of three
// quarters of the free places a leaf, at least 0.
BALTORO_HOST_DEVICE constexpr unsigned line_low_bits(unsigned leaves, unsigned side) {
  const unsigned quarters = 4 * leaves;
  const unsigned free = 3 * (side - leaves);
  if (free < quarters) return 0;
#if defined(__CUDA_ARCH__)
  const auto bits =
      static_cast<unsigned>(__clz(static_cast<int>(quarters)) - __clz(static_cast<int>(free)));
#else
  const auto bits = static_cast<unsigned>(std::countl_zero(quarters) - std::countl_zero(free));
#endif
  return quarters << bits > free ? bits - 1 : bits;
}

}  // namespace baltoro::format
