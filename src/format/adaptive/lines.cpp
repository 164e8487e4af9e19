#include "format/adaptive/lines.hpp"

#include <baltoro/adaptive.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/kinds.hpp"

namespace baltoro::format {
namespace {

constexpr unsigned capacity = 1024;  // what a header can say

// Calls line(first, last) for each line that has leaves; at(i) says leaf i's line.
template <class At, class Line>
void for_each_line(std::size_t leaves, const At& at, const Line& line) {
  for (std::size_t first = 0; first < leaves;) {
    std::size_t last = first + 1;
    while (last < leaves && at(last) == at(first)) ++last;
    line(static_cast<unsigned>(first), static_cast<unsigned>(last));
    first = last;
  }
}

// line_low_bits() of every level and number of leaves.
using low_bits_table =
    std::array<std::array<std::uint8_t, capacity + 1>, adaptive_view::max_level + 1>;
constexpr low_bits_table low_bits_of = [] {
  low_bits_table table{};
  for (unsigned level = 0; level <= adaptive_view::max_level; ++level) {
    const unsigned side = 1U << level;
    for (unsigned leaves = 1; leaves <= std::min(side, capacity); ++leaves) {
      table[level][leaves] = static_cast<std::uint8_t>(line_low_bits(leaves, side));
    }
  }
  return table;
}();

// Bits of leaves with these keys. Where a line ends is as good as random, so no branch asks for it.
std::uint64_t count_bits(std::span<const std::uint32_t> sorted, unsigned level) {
  const auto& low_bits = low_bits_of[level];
  std::uint32_t bits = static_cast<std::uint32_t>(sorted.size()) + (sorted.back() >> 16U);
  std::uint32_t leaves = 0;
  const auto add = [&](std::uint32_t key, std::uint32_t next) {
    const std::uint32_t ends = key >> 16U != next >> 16U ? ~0U : 0U;
    ++leaves;
    const std::uint32_t low = low_bits[leaves];
    const std::uint32_t reach = (key & 0xFFFFU) - (leaves - 1);
    bits += (leaves * (1 + low) + (reach >> low)) & ends;
    leaves &= ~ends;
  };
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) add(sorted[i], sorted[i + 1]);
  add(sorted.back(), ~sorted.back());
  return bits;
}

std::optional<encoded_size> measure(const leaf_positions& positions, unsigned level) {
  std::optional<encoded_size> best;
  for (const line_axis axis : {line_axis::columns, line_axis::rows}) {
    const auto sorted = axis == line_axis::rows ? positions.by_rows : positions.by_columns;
    const std::uint32_t words = words_for(count_bits(sorted, level));
    if (words > max_line_words || (best && words >= best->words)) continue;
    best = {words, lines_detail::of(axis, words).value};
  }
  return best;
}

void encode(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t detail,
            std::uint32_t* to) {
  const line_axis axis = lines_detail{detail}.axis();
  std::array<std::uint32_t, capacity> space;
  for (std::size_t i = 0; i < offsets.size(); ++i) space[i] = line_key(offsets[i], axis);
  const std::span<const std::uint32_t> sorted(space.data(), offsets.size());
  const unsigned side = 1U << level;
  bit_writer out(to);
  const auto write_unary = [&](std::uint32_t zeros) {
    for (; zeros >= 31; zeros -= 31) out.write(0, 31);
    out.write(1U << zeros, zeros + 1);
  };
  std::uint32_t line = 0;
  for (const std::uint32_t key : sorted) {
    write_unary((key >> 16U) - line);
    line = key >> 16U;
  }
  const auto line_of = [&](std::size_t i) { return sorted[i] >> 16U; };
  for_each_line(sorted.size(), line_of, [&](unsigned first, unsigned last) {
    const unsigned low = line_low_bits(last - first, side);
    std::uint32_t before = 0;
    for (unsigned i = first; i < last; ++i) {
      const std::uint32_t high = ((sorted[i] & 0xFFFFU) - (i - first)) >> low;
      write_unary(high - before);
      before = high;
    }
  });
  for_each_line(sorted.size(), line_of, [&](unsigned first, unsigned last) {
    const unsigned low = line_low_bits(last - first, side);
    for (unsigned i = first; i < last; ++i) {
      out.write(((sorted[i] & 0xFFFFU) - (i - first)) & ((1U << low) - 1), low);
    }
  });
}

void order(std::span<const std::uint32_t> offsets, unsigned, std::uint32_t detail,
           std::span<std::uint16_t> numbers) {
  order_by_lines(offsets, lines_detail{detail}.axis(), numbers);
}

std::uint32_t words(unsigned, std::uint32_t detail) { return lines_detail{detail}.words(); }

// The places of the first 2 · leaves ones; false where there are fewer.
bool find_ones(const std::uint32_t* from, std::uint32_t words, unsigned leaves,
               std::array<std::uint16_t, 2 * capacity>& ones) {
  unsigned found = 0;
  for (std::uint32_t word = 0; word < words; ++word) {
    for (std::uint32_t left = from[word]; left != 0; left &= left - 1) {
      ones[found++] =
          static_cast<std::uint16_t>(32 * word + static_cast<unsigned>(std::countr_zero(left)));
      if (found == 2 * leaves) return true;
    }
  }
  return false;
}

// The unary parts, read.
struct unary_parts {
  std::array<std::uint16_t, 2 * capacity> ones;
  unsigned leaves;

  std::uint32_t line(std::size_t i) const { return ones[i] - static_cast<std::uint32_t>(i); }
  // Zeros before the one of leaf i among those of the places.
  std::uint32_t zeros(std::size_t i) const {
    return ones[leaves + i] - (ones[leaves - 1] + 1U) - static_cast<std::uint32_t>(i);
  }
  std::uint32_t zeros_before_line(std::size_t first) const {
    return first == 0 ? 0 : zeros(first - 1);
  }
  // Where the low bits begin.
  std::uint32_t end() const { return ones[2 * leaves - 1] + 1U; }
};

void decode(const std::uint32_t* from, unsigned level, std::uint32_t detail,
            std::span<std::uint32_t> offsets) {
  const lines_detail how{detail};
  unary_parts unary;
  unary.leaves = static_cast<unsigned>(offsets.size());
  find_ones(from, how.words(), unary.leaves, unary.ones);
  std::uint32_t at = unary.end();
  for_each_line(
      offsets.size(), [&](std::size_t i) { return unary.line(i); },
      [&](unsigned first, unsigned last) {
        const unsigned low = line_low_bits(last - first, 1U << level);
        const std::uint32_t base = unary.zeros_before_line(first);
        for (unsigned i = first; i < last; ++i, at += low) {
          const std::uint32_t high = unary.zeros(i) - base;
          const std::uint32_t place = (high << low | read_bits(from, at, low)) + (i - first);
          offsets[i] = line_offset(unary.line(first), place, how.axis());
        }
      });
}

bool valid(const std::uint32_t* from, unsigned level, std::uint32_t detail, unsigned leaves) {
  const lines_detail how{detail};
  const std::uint32_t side = 1U << level;
  unary_parts unary;
  unary.leaves = leaves;
  if (how.words() > max_line_words || !find_ones(from, how.words(), leaves, unary.ones))
    return false;
  if (unary.line(leaves - 1) >= side) return false;
  std::uint64_t at = unary.end();
  bool good = true;
  for_each_line(
      leaves, [&](std::size_t i) { return unary.line(i); },
      [&](unsigned first, unsigned last) {
        if (last - first > side) good = false;
        if (!good) return;
        const unsigned low = line_low_bits(last - first, side);
        const std::uint32_t base = unary.zeros_before_line(first);
        if (at + std::uint64_t{low} * (last - first) > 32ULL * how.words()) {
          good = false;
          return;
        }
        std::uint64_t before = 0;
        for (unsigned i = first; i < last; ++i, at += low) {
          // A shorter read than read_bits may make: the low bits can end with the words.
          std::uint64_t distance = std::uint64_t{unary.zeros(i) - base} << low;
          for (unsigned b = 0; b < low; ++b) {
            const auto bit = static_cast<std::uint32_t>(at) + b;
            distance |= std::uint64_t{(from[bit >> 5U] >> (bit & 31U)) & 1U} << b;
          }
          if (distance < before || distance + (i - first) >= side) good = false;
          before = distance;
        }
      });
  if (!good || words_for(at) != how.words()) return false;
  return ends_at(from, at);
}

// Finds the leaves of the line, then looks at each of them.
unsigned find(const std::uint32_t* from, unsigned level, std::uint32_t detail, unsigned leaves,
              std::uint32_t offset) {
  const lines_detail how{detail};
  const std::uint32_t key = line_key(offset, how.axis());
  unary_parts unary;
  unary.leaves = leaves;
  find_ones(from, how.words(), leaves, unary.ones);
  unsigned result = leaves;
  std::uint32_t at = unary.end();
  for_each_line(
      leaves, [&](std::size_t i) { return unary.line(i); },
      [&](unsigned first, unsigned last) {
        const unsigned low = line_low_bits(last - first, 1U << level);
        if (unary.line(first) == key >> 16U) {
          const std::uint32_t base = unary.zeros_before_line(first);
          for (unsigned i = first; i < last; ++i) {
            const std::uint32_t high = unary.zeros(i) - base;
            const std::uint32_t place =
                (high << low | read_bits(from, at + (i - first) * low, low)) + (i - first);
            if (place == (key & 0xFFFFU)) result = i;
          }
        }
        at += (last - first) * low;
      });
  return result;
}

}  // namespace

const kind_functions lines_kind = {"lines", measure, encode, words, decode, valid, find, order};

}  // namespace baltoro::format
