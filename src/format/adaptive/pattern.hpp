// The pattern of a leaf, an 8×8 square as one word: bit 8·r + c is the cell in row r and column c.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>

#include <cstdint>

namespace baltoro::format {

// The bit of a cell, given the low six bits of its Morton code.
BALTORO_HOST_DEVICE constexpr std::uint64_t cell_bit(std::uint64_t code) {
  return 1ULL << (8U * morton::row_of(code & 63U) + morton::col_of(code & 63U));
}

// Rows become columns: bit 8·r + c moves to bit 8·c + r.
BALTORO_HOST_DEVICE constexpr std::uint64_t transpose(std::uint64_t pattern) {
  std::uint64_t x = pattern;
  std::uint64_t t = (x ^ (x >> 7U)) & 0x00AA'00AA'00AA'00AAULL;
  x ^= t ^ (t << 7U);
  t = (x ^ (x >> 14U)) & 0x0000'CCCC'0000'CCCCULL;
  x ^= t ^ (t << 14U);
  t = (x ^ (x >> 28U)) & 0x0000'0000'F0F0'F0F0ULL;
  x ^= t ^ (t << 28U);
  return x;
}

// A pattern in Morton order: cell_bit(code) moves to bit `code`.
BALTORO_HOST_DEVICE constexpr std::uint64_t morton_order(std::uint64_t pattern) {
  std::uint64_t x = pattern;
  std::uint64_t t = (x ^ (x >> 12U)) & 0x0000'F0F0'0000'F0F0ULL;
  x ^= t ^ (t << 12U);
  t = (x ^ (x >> 4U)) & 0x00F0'00F0'00F0'00F0ULL;
  x ^= t ^ (t << 4U);
  t = (x ^ (x >> 2U)) & 0x0C0C'0C0C'0C0C'0C0CULL;
  x ^= t ^ (t << 2U);
  return x;
}

// The inverse: bit `code` of a pattern in Morton order moves to cell_bit(code).
BALTORO_HOST_DEVICE constexpr std::uint64_t from_morton_order(std::uint64_t cells) {
  std::uint64_t x = cells;
  std::uint64_t t = (x ^ (x >> 2U)) & 0x0C0C'0C0C'0C0C'0C0CULL;
  x ^= t ^ (t << 2U);
  t = (x ^ (x >> 4U)) & 0x00F0'00F0'00F0'00F0ULL;
  x ^= t ^ (t << 4U);
  t = (x ^ (x >> 12U)) & 0x0000'F0F0'0000'F0F0ULL;
  x ^= t ^ (t << 12U);
  return x;
}

// The pattern of the leaf whose cells are those of ascending codes from `first` on.
BALTORO_HOST_DEVICE constexpr std::uint64_t pattern_of(const std::uint64_t* cells,
                                                       std::uint64_t first, std::uint64_t count) {
  std::uint64_t in_order = 0;
  for (std::uint64_t i = first; i < count && cells[i] >> 6U == cells[first] >> 6U; ++i) {
    in_order |= 1ULL << (cells[i] & 63U);
  }
  return from_morton_order(in_order);
}

// A pattern as a k²-tree of three levels, one nibble a node. `quarter` is 0 to 3 in the order of the
// signature's bits, `block` likewise inside the quarter.
BALTORO_HOST_DEVICE constexpr unsigned block_nibble(std::uint64_t pattern, unsigned quarter,
                                                    unsigned block) {
  const unsigned row = 4 * (quarter >> 1U) + 2 * (block >> 1U);
  const unsigned col = 4 * (quarter & 1U) + 2 * (block & 1U);
  const std::uint64_t from = pattern >> (8 * row + col);
  return static_cast<unsigned>((from & 3U) | ((from >> 6U) & 12U));
}
// The inverse: the cells of such a block.
BALTORO_HOST_DEVICE constexpr std::uint64_t block_cells(unsigned nibble, unsigned quarter,
                                                        unsigned block) {
  const unsigned row = 4 * (quarter >> 1U) + 2 * (block >> 1U);
  const unsigned col = 4 * (quarter & 1U) + 2 * (block & 1U);
  return ((nibble & 3U) | (std::uint64_t{nibble} & 12U) << 6U) << (8 * row + col);
}
BALTORO_HOST_DEVICE constexpr unsigned quarter_nibble(std::uint64_t pattern, unsigned quarter) {
  unsigned nibble = 0;
  for (unsigned b = 0; b < 4; ++b) {
    if (block_nibble(pattern, quarter, b) != 0) nibble |= 1U << b;
  }
  return nibble;
}
BALTORO_HOST_DEVICE constexpr unsigned root_nibble(std::uint64_t pattern) {
  unsigned nibble = 0;
  for (unsigned q = 0; q < 4; ++q) {
    if (quarter_nibble(pattern, q) != 0) nibble |= 1U << q;
  }
  return nibble;
}

// Bits that differ from pattern to pattern, the best of them at the top.
BALTORO_HOST_DEVICE constexpr std::uint64_t hash_of_pattern(std::uint64_t pattern) {
  return (pattern ^ pattern >> 32U) * 0x9E37'79B9'7F4A'7C15ULL;
}

// The pieces of a word that are not 0: the lowest bit of each piece of `Bits` bits, a power of two.
template <unsigned Bits>
BALTORO_HOST_DEVICE constexpr std::uint64_t pieces_in_use(std::uint64_t word) {
  for (unsigned half = Bits / 2; half != 0; half /= 2) word |= word >> half;
  return word & (~0ULL / ((Bits == 64 ? 0 : 1ULL << (Bits % 64)) - 1));
}

// Nodes of that tree: what a pattern takes among the escapes, in nibbles.
BALTORO_HOST_DEVICE constexpr unsigned pattern_nodes(std::uint64_t pattern) {
  const std::uint64_t blocks = pieces_in_use<4>(morton_order(pattern));
  return 1 + popcount(pieces_in_use<16>(blocks)) + popcount(blocks);
}

// Each row of a pattern xor the row before it, row 0 as it is; and the inverse.
BALTORO_HOST_DEVICE constexpr std::uint64_t row_differences(std::uint64_t pattern) {
  return pattern ^ pattern << 8U;
}
BALTORO_HOST_DEVICE constexpr std::uint64_t from_row_differences(std::uint64_t differences) {
  differences ^= differences << 8U;
  differences ^= differences << 16U;
  return differences ^ differences << 32U;
}

// The bytes of a word that are not 0: bit r for byte r.
BALTORO_HOST_DEVICE constexpr std::uint32_t bytes_in_use(std::uint64_t word) {
  constexpr std::uint64_t low = 0x7F7F'7F7F'7F7F'7F7FULL;
  const std::uint64_t used = (((word & low) + low) | word) & ~low;
  return static_cast<std::uint32_t>((used >> 7U) * 0x0102'0408'1020'4080ULL >> 56U);
}

}  // namespace baltoro::format
