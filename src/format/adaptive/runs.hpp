// Container kind `runs`: the leaves row by row, neighbours in a row as one run. Made to be decoded in no time:
// every leaf by itself, by counting bits in words of its own, and in the order in which a right product adds
// them up.
//
// Words, one part after the other:
//   one word: the first row that has leaves in bits 0 to 15, the smallest column of a run in bits 16 to 31;
//   a bitmap of the rows from the first one on, which of them have leaves;
//   for every 32 leaves two words: which are the first of their row, and which start a run. Each leaf whose
//     number is a multiple of 32 starts one;
//   the column in which each run starts less the smallest one, `place_bits` bits each.
//
// The detail is place_bits in 4 bits, the number of runs - 1 in 9 bits, the words of the bitmap in 5 bits.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>

#include "format/adaptive/bits.hpp"

namespace baltoro::format {

// The most rows that the bitmap spans.
inline constexpr std::uint32_t max_run_rows = 31 * 32;
inline constexpr std::uint32_t max_runs = 512;

// Leaves are told by their keys by rows (line_key()), each with that of the leaf before it, which does not matter to
// leaf 0.
BALTORO_HOST_DEVICE constexpr bool starts_row(std::uint32_t i, std::uint32_t key,
                                              std::uint32_t before) {
  return i == 0 || key >> 16U != before >> 16U;
}
// Column 0 does not follow on the last column of the row before, which is smaller than 2^16 - 1.
BALTORO_HOST_DEVICE constexpr bool starts_run(std::uint32_t i, std::uint32_t key,
                                              std::uint32_t before) {
  return i % 32 == 0 || key != before + 1;
}

struct runs_detail {
  std::uint32_t value = 0;

  // Of runs in so many rows that start in columns which are `range` apart at most.
  BALTORO_HOST_DEVICE static constexpr runs_detail of(std::uint32_t range, std::uint32_t runs,
                                                      std::uint32_t rows) {
    return {width_of(range) | (runs - 1) << 4U | words_for(rows) << 13U};
  }
  BALTORO_HOST_DEVICE constexpr std::uint32_t place_bits() const { return value & 15U; }
  BALTORO_HOST_DEVICE constexpr std::uint32_t runs() const { return (value >> 4U & 511U) + 1; }
  BALTORO_HOST_DEVICE constexpr std::uint32_t row_words() const { return value >> 13U; }

  // The word where the pairs of words for every 32 leaves begin, the places of the runs, and the end.
  BALTORO_HOST_DEVICE constexpr std::uint32_t flags_begin() const { return 1 + row_words(); }
  BALTORO_HOST_DEVICE constexpr std::uint32_t places_begin(unsigned leaves) const {
    return flags_begin() + 2 * words_for(leaves);
  }
  BALTORO_HOST_DEVICE constexpr std::uint32_t words(unsigned leaves) const {
    return places_begin(leaves) + words_for(std::uint64_t{runs()} * place_bits());
  }
};

}  // namespace baltoro::format
