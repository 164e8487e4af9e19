#include "format/adaptive/escapes.hpp"

#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

void encode_trees(std::span<const std::uint64_t> patterns, bit_writer out) {
  for (const std::uint64_t p : patterns) out.write(root_nibble(p), 4);
  for (const std::uint64_t p : patterns) {
    for (unsigned q = 0; q < 4; ++q) {
      const unsigned nibble = quarter_nibble(p, q);
      if (nibble != 0) out.write(nibble, 4);
    }
  }
  for (const std::uint64_t p : patterns) {
    for (unsigned q = 0; q < 4; ++q) {
      for (unsigned b = 0; b < 4; ++b) {
        const unsigned nibble = block_nibble(p, q, b);
        if (nibble != 0) out.write(nibble, 4);
      }
    }
  }
}

void encode_rows(std::span<const std::uint64_t> patterns, bit_writer out) {
  for (const std::uint64_t p : patterns) out.write(bytes_in_use(row_differences(p)), 8);
  for (const std::uint64_t p : patterns) {
    for (std::uint64_t left = row_differences(p); left != 0; left >>= 8U) {
      const auto byte = static_cast<std::uint32_t>(left & 0xFFU);
      if (byte != 0) out.write(byte, 8);
    }
  }
}

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

std::uint64_t escape_bits(const leaf_classes& classes, std::uint64_t pattern) {
  if (!classes.escapes_by_rows()) return 4ULL * pattern_nodes(pattern);
  return 8ULL + 8ULL * popcount(std::uint64_t{bytes_in_use(row_differences(pattern))});
}

void encode_escapes(const leaf_classes& classes, std::span<const std::uint64_t> patterns,
                    std::uint32_t* words) {
  if (classes.escapes_by_rows()) {
    encode_rows(patterns, bit_writer(words));
  } else {
    encode_trees(patterns, bit_writer(words));
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
