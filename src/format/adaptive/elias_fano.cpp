#include "format/adaptive/elias_fano.hpp"

#include <algorithm>
#include <bit>

#include "format/adaptive/kinds.hpp"
#include "format/adaptive/line_order.hpp"

namespace baltoro::format {
namespace {

std::uint32_t offset_of(std::uint32_t value, unsigned level) {
  return line_offset(value >> level, value & ((1U << level) - 1), line_axis::rows);
}

std::uint32_t words(unsigned leaves, std::uint32_t detail) {
  return elias_fano_detail{detail}.words(leaves);
}

std::optional<encoded_size> measure(const leaf_positions& positions, unsigned level) {
  const auto leaves = static_cast<unsigned>(positions.by_rows.size());
  const std::uint32_t last = row_value(positions.by_rows.back(), level);
  std::optional<encoded_size> best;
  for (std::uint32_t low = 0; low <= max_low_bits; ++low) {
    const std::uint32_t upper = words_for(std::uint64_t{last >> low} + leaves);
    if (upper > max_upper_words) continue;
    const auto detail = elias_fano_detail::of(low, upper);
    const std::uint32_t size = words(leaves, detail.value);
    if (!best || size < best->words) best = {size, detail.value};
  }
  return best;
}

void encode(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t detail,
            std::uint32_t* to) {
  const elias_fano_detail how{detail};
  const auto leaves = static_cast<unsigned>(offsets.size());
  bit_writer lower(to);
  std::uint32_t* const upper = to + how.lower_words(leaves);
  for (unsigned i = 0; i < leaves; ++i) {
    const std::uint32_t value = row_value(line_key(offsets[i], line_axis::rows), level);
    lower.write(value & ((1U << how.low_bits()) - 1), how.low_bits());
    const std::uint32_t at = (value >> how.low_bits()) + i;
    upper[at >> 5U] |= 1U << (at & 31U);
  }
}

void decode(const std::uint32_t* from, unsigned level, std::uint32_t detail,
            std::span<std::uint32_t> offsets) {
  const elias_fano_detail how{detail};
  const auto leaves = static_cast<unsigned>(offsets.size());
  const std::uint32_t* const upper = from + how.lower_words(leaves);
  std::uint32_t i = 0;
  for (std::uint32_t word = 0; word < how.upper_words(); ++word) {
    for (std::uint32_t left = upper[word]; left != 0; left &= left - 1) {
      const std::uint32_t at = 32 * word + static_cast<std::uint32_t>(std::countr_zero(left));
      offsets[i] = offset_of(
          (at - i) << how.low_bits() | read_bits(from, i * how.low_bits(), how.low_bits()), level);
      ++i;
    }
  }
}

bool valid(const std::uint32_t* from, unsigned level, std::uint32_t detail, unsigned leaves) {
  const elias_fano_detail how{detail};
  if (how.low_bits() > max_low_bits || how.upper_words() > max_upper_words) return false;
  if (!ends_at(from, leaves * how.low_bits())) return false;
  const std::uint32_t* const upper = from + how.lower_words(leaves);
  std::uint64_t set = 0;
  for (std::uint32_t word = 0; word < how.upper_words(); ++word) {
    set += static_cast<unsigned>(std::popcount(upper[word]));
  }
  if (set != leaves) return false;
  std::uint64_t before = 0;
  std::uint32_t i = 0;
  for (std::uint32_t word = 0; word < how.upper_words(); ++word) {
    for (std::uint32_t left = upper[word]; left != 0; left &= left - 1, ++i) {
      const std::uint64_t at = 32ULL * word + static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t value =
          (at - i) << how.low_bits() | read_bits(from, i * how.low_bits(), how.low_bits());
      if (value >> (2 * level) != 0 || (i != 0 && value <= before)) return false;
      before = value;
    }
  }
  return true;
}

// The leaves with these high bits follow the zero of that number.
unsigned find(const std::uint32_t* from, unsigned level, std::uint32_t detail, unsigned leaves,
              std::uint32_t offset) {
  const elias_fano_detail how{detail};
  const std::uint32_t* const upper = from + how.lower_words(leaves);
  const std::uint32_t value = row_value(line_key(offset, line_axis::rows), level);
  const std::uint32_t high = value >> how.low_bits();
  const std::uint32_t low = value & ((1U << how.low_bits()) - 1);
  std::uint32_t at = 0;
  for (std::uint32_t zeros = 0; zeros < high;) {
    if (at >= 32 * how.upper_words()) return leaves;
    std::uint32_t unset = ~upper[at >> 5U];
    const auto here = static_cast<std::uint32_t>(std::popcount(unset));
    if (zeros + here < high) {
      zeros += here;
      at += 32;
      continue;
    }
    for (; zeros + 1 < high; ++zeros) unset &= unset - 1;
    at += static_cast<std::uint32_t>(std::countr_zero(unset)) + 1;
    break;
  }
  for (; at < 32 * how.upper_words() && ((upper[at >> 5U] >> (at & 31U)) & 1U) != 0; ++at) {
    const std::uint32_t leaf = at - high;
    if (read_bits(from, leaf * how.low_bits(), how.low_bits()) == low) return leaf;
  }
  return leaves;
}

void order(std::span<const std::uint32_t> offsets, unsigned, std::uint32_t,
           std::span<std::uint16_t> numbers) {
  order_by_lines(offsets, line_axis::rows, numbers);
}

}  // namespace

const kind_functions elias_fano_kind = {"elias_fano", measure, encode, words,
                                        decode,       valid,   find,   order};

}  // namespace baltoro::format
