#include "format/adaptive/escapes.hpp"

#include <algorithm>
#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

// The nibbles of `count` trees, or 0 where they need more than there are or one is empty.
std::uint64_t check_trees(const std::uint32_t* words, std::uint64_t nibbles, std::uint32_t count) {
  std::uint64_t begin = 0;
  std::uint64_t end = count;
  for (unsigned level = 0; level < 3; ++level) {
    if (end > nibbles) return 0;
    std::uint64_t children = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t nibble = read_nibble(words, static_cast<std::uint32_t>(i));
      if (nibble == 0) return 0;
      children += static_cast<unsigned>(std::popcount(nibble));
    }
    begin = end;
    if (level < 2) end += children;
  }
  return end;
}

// The bytes of `count` patterns by rows, or 0 where they need more than there are or one is 0.
std::uint64_t check_rows(const std::uint32_t* words, std::uint64_t bytes, std::uint32_t count) {
  if (count > bytes) return 0;
  std::uint64_t end = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    end += static_cast<unsigned>(std::popcount(read_byte(words, i)));
  }
  if (end > bytes) return 0;
  for (std::uint32_t i = 0; i < end; ++i) {
    if (read_byte(words, i) == 0) return 0;
  }
  return end;
}

}  // namespace

void encode_escapes(const leaf_classes& classes, std::span<const std::uint64_t> patterns,
                    std::uint32_t* words) {
  bit_writer out(words);
  for (unsigned part = 0; part < escape_parts; ++part) {
    for (const std::uint64_t pattern : patterns) {
      const escape_part some = part_of_escape(classes, pattern, part);
      out.write(static_cast<std::uint32_t>(some.value), std::min(some.bits, 32U));
      if (some.bits > 32) out.write(static_cast<std::uint32_t>(some.value >> 32U), some.bits - 32);
    }
  }
}

std::uint64_t check_escapes(const leaf_classes& classes, const std::uint32_t* from,
                            std::uint64_t words, std::uint32_t count) {
  if (classes.escapes_by_rows()) return 8 * check_rows(from, 4 * words, count);
  return 4 * check_trees(from, 8 * words, count);
}

escape_reader::escape_reader(const leaf_classes& classes, const std::uint32_t* words,
                             std::uint32_t count)
    : words_(words),
      count_(count),
      rows_(classes.escapes_by_rows()),
      second_(count),
      block_(count) {
  if (rows_) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    block_ += static_cast<std::uint32_t>(std::popcount(read_nibble(words, i)));
  }
  first_block_ = block_;
}

std::uint64_t escape_reader::next() { return rows_ ? next_rows() : next_tree(); }

std::uint64_t escape_reader::next_tree() {
  std::uint64_t pattern = 0;
  for (std::uint32_t root = read_nibble(words_, next_++); root != 0; root &= root - 1) {
    const auto q = static_cast<unsigned>(std::countr_zero(root));
    for (std::uint32_t blocks = read_nibble(words_, second_++); blocks != 0; blocks &= blocks - 1) {
      const auto b = static_cast<unsigned>(std::countr_zero(blocks));
      pattern |= block_cells(read_nibble(words_, block_++), q, b);
    }
  }
  return pattern;
}

std::uint64_t escape_reader::next_rows() {
  std::uint64_t differences = 0;
  for (std::uint32_t rows = read_byte(words_, next_++); rows != 0; rows &= rows - 1) {
    const auto r = static_cast<unsigned>(std::countr_zero(rows));
    differences |= std::uint64_t{read_byte(words_, second_++)} << (8 * r);
  }
  return from_row_differences(differences);
}

std::uint64_t escape_reader::at(std::uint32_t number) {
  if (number < next_) {
    next_ = 0;
    second_ = count_;
    block_ = first_block_;
  }
  while (next_ < number) next();
  return next();
}

}  // namespace baltoro::format
