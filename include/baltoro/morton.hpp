/// \file
/// \brief Morton codes: the bits of a row and a column interleaved, the row bit above the column
/// bit.
///
/// Reading a code from its highest pair of bits down gives the path from the root of a k²-tree to
/// the cell, one quadrant number b = 2·b1 + b0 a level (paper, section 3.1).
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/types.hpp>

#include <cstdint>

namespace baltoro::morton {

/// Moves bit i of \p value to bit 2i.
BALTORO_HOST_DEVICE constexpr std::uint64_t spread(index_t value) {
  std::uint64_t v = value;
  v = (v | (v << 16U)) & 0x0000'FFFF'0000'FFFFULL;
  v = (v | (v << 8U)) & 0x00FF'00FF'00FF'00FFULL;
  v = (v | (v << 4U)) & 0x0F0F'0F0F'0F0F'0F0FULL;
  v = (v | (v << 2U)) & 0x3333'3333'3333'3333ULL;
  v = (v | (v << 1U)) & 0x5555'5555'5555'5555ULL;
  return v;
}

/// Collects the even bits of \p value: the inverse of spread.
BALTORO_HOST_DEVICE constexpr index_t compact(std::uint64_t value) {
  std::uint64_t v = value & 0x5555'5555'5555'5555ULL;
  v = (v | (v >> 1U)) & 0x3333'3333'3333'3333ULL;
  v = (v | (v >> 2U)) & 0x0F0F'0F0F'0F0F'0F0FULL;
  v = (v | (v >> 4U)) & 0x00FF'00FF'00FF'00FFULL;
  v = (v | (v >> 8U)) & 0x0000'FFFF'0000'FFFFULL;
  v = (v | (v >> 16U)) & 0x0000'0000'FFFF'FFFFULL;
  return static_cast<index_t>(v);
}

/// The code of cell (row, col).
BALTORO_HOST_DEVICE constexpr std::uint64_t encode(index_t row, index_t col) {
  return (spread(row) << 1U) | spread(col);
}

/// The row of a code.
BALTORO_HOST_DEVICE constexpr index_t row_of(std::uint64_t code) { return compact(code >> 1U); }

/// The column of a code.
BALTORO_HOST_DEVICE constexpr index_t col_of(std::uint64_t code) { return compact(code); }

/// The code of the transposed cell: row and column bits change places.
BALTORO_HOST_DEVICE constexpr std::uint64_t transpose(std::uint64_t code) {
  return ((code & 0x5555'5555'5555'5555ULL) << 1U) | ((code >> 1U) & 0x5555'5555'5555'5555ULL);
}

}  // namespace baltoro::morton
