#include "format/adaptive/escapes.hpp"

#include <algorithm>
#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

// Appends the pieces of a word that are not 0, in order.
template <unsigned Bits>
void write_pieces(bit_writer& out, std::uint64_t word) {
  std::uint64_t together = 0;
  unsigned bits = 0;
  for (std::uint64_t left = pieces_in_use<Bits>(word); left != 0; left &= left - 1, bits += Bits) {
    together |= ((word >> std::countr_zero(left)) & ((1ULL << Bits) - 1)) << bits;
  }
  out.write(static_cast<std::uint32_t>(together), std::min(bits, 32U));
  if (bits > 32) out.write(static_cast<std::uint32_t>(together >> 32U), bits - 32);
}

// In Morton order the blocks are nibbles one after the other, and the quarters four of them each. Bit 0 of each
// nibble says here whether it has cells.
std::uint64_t blocks_in_use(std::uint64_t pattern) {
  return pieces_in_use<4>(morton_order(pattern));
}

// Four nibbles of 0 or 1, as one nibble.
std::uint64_t join_four(std::uint64_t nibbles) { return (nibbles * 0x1248U >> 12U) & 15U; }

void encode_trees(std::span<const std::uint64_t> patterns, bit_writer out) {
  for (const std::uint64_t p : patterns) {
    const std::uint64_t quarters = pieces_in_use<16>(blocks_in_use(p));
    // Bits 0, 16, 32 and 48 to 0, 4, 8 and 12.
    const std::uint64_t joined = quarters | quarters >> 12U | quarters >> 24U | quarters >> 36U;
    out.write(static_cast<std::uint32_t>(join_four(joined & 0x1111U)), 4);
  }
  for (const std::uint64_t p : patterns) {
    std::uint64_t nibbles = 0;
    const std::uint64_t blocks = blocks_in_use(p);
    for (unsigned q = 0; q < 4; ++q) {
      nibbles |= join_four((blocks >> (16 * q)) & 0x1111U) << (4 * q);
    }
    write_pieces<4>(out, nibbles);
  }
  for (const std::uint64_t p : patterns) write_pieces<4>(out, morton_order(p));
}

void encode_rows(std::span<const std::uint64_t> patterns, bit_writer out) {
  for (const std::uint64_t p : patterns) out.write(bytes_in_use(row_differences(p)), 8);
  for (const std::uint64_t p : patterns) write_pieces<8>(out, row_differences(p));
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
