// A leaf times eight Boolean values in a byte.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

namespace baltoro::format {

// The cells of those columns of a pattern of which a bit is set, as bytes_of has those of the rows.
BALTORO_HOST_DEVICE constexpr std::uint64_t columns_of(std::uint32_t bits_of_byte) {
  return bits_of_byte * 0x0101'0101'0101'0101ULL;
}

// A byte of ones for every bit that is set.
BALTORO_HOST_DEVICE constexpr std::uint64_t bytes_of(std::uint32_t bits_of_byte) {
  // Bit i moves to byte i, then fills it.
  const std::uint64_t spread = columns_of(bits_of_byte) & 0x8040'2010'0804'0201ULL;
  const std::uint64_t lowest =
      ((spread + 0x7F7F'7F7F'7F7F'7F7FULL) >> 7U & 0x0101'0101'0101'0101ULL) |
      (spread >> 7U & 0x0101'0101'0101'0101ULL);
  return lowest * 0xFFU;
}

// The values that a leaf makes of those in `x`: for a right product bit r of the result is set where row r
// has a cell in a column that is set in x, for a left one bit c where column c has one in such a row.
template <direction Side>
BALTORO_HOST_DEVICE constexpr std::uint32_t multiply_bits(std::uint64_t pattern, std::uint32_t x) {
  if constexpr (Side == direction::right) {
    std::uint64_t hit = pattern & columns_of(x);
    hit |= hit >> 4U;
    hit |= hit >> 2U;
    hit |= hit >> 1U;
    // The lowest bits of the bytes come together in the highest byte.
    return static_cast<std::uint32_t>((hit & 0x0101'0101'0101'0101ULL) * 0x0102'0408'1020'4080ULL >>
                                      56U);
  } else {
    std::uint64_t hit = pattern & bytes_of(x);
    hit |= hit >> 32U;
    hit |= hit >> 16U;
    hit |= hit >> 8U;
    return static_cast<std::uint32_t>(hit) & 0xFFU;
  }
}

}  // namespace baltoro::format
