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

namespace baltoro::format {

// Bits that a pattern takes among the escapes.
std::uint64_t escape_bits(const leaf_classes& classes, std::uint64_t pattern);

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
