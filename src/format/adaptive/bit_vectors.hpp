// A leaf times eight Boolean values in a byte.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

namespace baltoro::format {

// Words of 32 bits are what a GPU is good at: a pattern is its first four rows and its last four.

// The cells of those columns of a pattern of which a bit is set, as bytes_of has those of the rows.
BALTORO_HOST_DEVICE constexpr std::uint64_t columns_of(std::uint32_t bits_of_byte) {
  const std::uint32_t half = bits_of_byte * 0x0101'0101U;
  return half | std::uint64_t{half} << 32U;
}

// A byte of ones for every one of four bits that is set.
BALTORO_HOST_DEVICE constexpr std::uint32_t bytes_of_four(std::uint32_t four_bits) {
  // Bit i moves to bit 8·i: no two products meet.
  return (four_bits * 0x0020'4081U & 0x0101'0101U) * 0xFFU;
}

// A byte of ones for every bit that is set.
BALTORO_HOST_DEVICE constexpr std::uint64_t bytes_of(std::uint32_t bits_of_byte) {
  return bytes_of_four(bits_of_byte & 15U) | std::uint64_t{bytes_of_four(bits_of_byte >> 4U)}
                                                 << 32U;
}

// The highest bit of every byte that is not 0.
BALTORO_HOST_DEVICE constexpr std::uint32_t used_bytes(std::uint32_t four_bytes) {
  return (((four_bytes & 0x7F7F'7F7FU) + 0x7F7F'7F7FU) | four_bytes) & 0x8080'8080U;
}

// The values that a leaf makes of those in `x`: for a right product bit r of the result is set where row r
// has a cell in a column that is set in x, for a left one bit c where column c has one in such a row.
template <direction Side>
BALTORO_HOST_DEVICE constexpr std::uint32_t multiply_bits(std::uint64_t pattern, std::uint32_t x) {
  const auto low = static_cast<std::uint32_t>(pattern);
  const auto high = static_cast<std::uint32_t>(pattern >> 32U);
  if constexpr (Side == direction::right) {
    const std::uint32_t columns = x * 0x0101'0101U;
    // Row r is bit 8·r of the first four rows, bit 8·(r - 4) + 4 of the others. A product brings them together
    // from bit 21 on; no two of its terms meet below.
    const std::uint32_t rows =
        (used_bytes(low & columns) >> 7U) | (used_bytes(high & columns) >> 3U);
    return (rows * 0x0020'4081U >> 21U) & 0xFFU;
  } else {
    std::uint32_t hit = (low & bytes_of_four(x & 15U)) | (high & bytes_of_four(x >> 4U));
    hit |= hit >> 16U;
    hit |= hit >> 8U;
    return hit & 0xFFU;
  }
}

}  // namespace baltoro::format
