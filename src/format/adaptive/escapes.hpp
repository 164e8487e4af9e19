// Escapes: the patterns of leaves that the dictionary does not name, in a container's payload. A matrix
// writes all of them in one of two ways (leaf_classes):
//
// `raw`: k²-trees of three levels, one nibble a node, level by level: the roots of all, then all quarters,
// then all blocks. Short where a leaf has few cells.
//
// `raw_rows`: first of every pattern a byte whose bit r is set where row r differs from the row before it (row 0
// from an empty one), then of every pattern those differences that are not 0, a byte each: row r xor row r - 1.
// Short where neighbouring vertices have the same neighbours.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

#include "format/adaptive/pattern.hpp"

namespace baltoro::format {

// Bits that a pattern takes among the escapes.
BALTORO_HOST_DEVICE constexpr std::uint64_t escape_bits(const leaf_classes& classes,
                                                        std::uint64_t pattern) {
  if (!classes.escapes_by_rows()) return 4ULL * pattern_nodes(pattern);
  return 8ULL + 8ULL * popcount(std::uint64_t{bytes_in_use(row_differences(pattern))});
}

// Some of the bits that a pattern takes.
struct escape_part {
  std::uint64_t value = 0;
  unsigned bits = 0;
};

// The pieces of a word that are not 0, one after the other.
template <unsigned Bits>
BALTORO_HOST_DEVICE constexpr escape_part pieces_of(std::uint64_t word) {
  escape_part together;
  for (std::uint64_t left = pieces_in_use<Bits>(word); left != 0; left &= left - 1) {
    const unsigned at = popcount((left & (~left + 1)) - 1);
    together.value |= ((word >> at) & ((1ULL << Bits) - 1)) << together.bits;
    together.bits += Bits;
  }
  return together;
}

// Four nibbles of 0 or 1, as one nibble.
BALTORO_HOST_DEVICE constexpr std::uint64_t join_four(std::uint64_t nibbles) {
  return (nibbles * 0x1248U >> 12U) & 15U;
}

// Escapes are written part by part: the first part of all of them, then the second of all, then the third.
inline constexpr unsigned escape_parts = 3;

// In Morton order the blocks are nibbles one after the other, and the quarters four of them each.
BALTORO_HOST_DEVICE constexpr escape_part part_of_tree(std::uint64_t pattern, unsigned part) {
  const std::uint64_t cells = morton_order(pattern);
  if (part == 2) return pieces_of<4>(cells);
  const std::uint64_t blocks = pieces_in_use<4>(cells);
  if (part == 1) {
    std::uint64_t nibbles = 0;
    for (unsigned q = 0; q < 4; ++q) {
      nibbles |= join_four((blocks >> (16 * q)) & 0x1111U) << (4 * q);
    }
    return pieces_of<4>(nibbles);
  }
  const std::uint64_t quarters = pieces_in_use<16>(blocks);
  // Bits 0, 16, 32 and 48 to 0, 4, 8 and 12.
  const std::uint64_t joined = quarters | quarters >> 12U | quarters >> 24U | quarters >> 36U;
  return {join_four(joined & 0x1111U), 4};
}
BALTORO_HOST_DEVICE constexpr escape_part part_of_rows(std::uint64_t pattern, unsigned part) {
  const std::uint64_t differences = row_differences(pattern);
  if (part == 0) return {bytes_in_use(differences), 8};
  return part == 1 ? pieces_of<8>(differences) : escape_part{};
}
BALTORO_HOST_DEVICE constexpr escape_part part_of_escape(const leaf_classes& classes,
                                                         std::uint64_t pattern, unsigned part) {
  return classes.escapes_by_rows() ? part_of_rows(pattern, part) : part_of_tree(pattern, part);
}

// Writes escapes into words that are zero.
void encode_escapes(const leaf_classes& classes, std::span<const std::uint64_t> patterns,
                    std::uint32_t* words);

// The bits of `count` escapes, read from `words` words that nobody has checked, or 0 where they need more or
// are wrong.
std::uint64_t check_escapes(const leaf_classes& classes, const std::uint32_t* from,
                            std::uint64_t words, std::uint32_t count);

// Escapes, one after the other or by number. A step back starts at the first one again.
class escape_reader {
 public:
  escape_reader(const leaf_classes& classes, const std::uint32_t* words, std::uint32_t count);
  // The pattern after the one read last.
  std::uint64_t next();
  // The pattern of that number.
  std::uint64_t at(std::uint32_t number);

 private:
  std::uint64_t next_tree();
  std::uint64_t next_rows();

  const std::uint32_t* words_;
  std::uint32_t count_;
  bool rows_;
  std::uint32_t next_ = 0;    // escape, and its first
  std::uint32_t second_ = 0;  // node of the second level, or byte of a difference
  std::uint32_t block_ = 0;   // node of the third level
  std::uint32_t first_block_ = 0;
};

}  // namespace baltoro::format
