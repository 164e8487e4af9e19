// Container kind `elias_fano`: the leaves row by row as Elias–Fano code of row · 2^level + column. The low
// `low_bits` bits of each lie one after the other; what is above them is unary: bit (value >> low_bits) + i of
// the upper words is set for leaf i. 2 + log2(area / leaves) bits a leaf, wherever they are.
//
// Its detail is low_bits in 5 bits and the number of upper words in 13. The lower words come first.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>

#include "format/adaptive/bits.hpp"

namespace baltoro::format {

// The most low bits, and the most upper words: a warp reads that many at once.
inline constexpr std::uint32_t max_low_bits = 26;
inline constexpr std::uint32_t max_upper_words = 64;

// row · 2^level + column of the leaf with this key by rows (line_key()).
BALTORO_HOST_DEVICE constexpr std::uint32_t row_value(std::uint32_t key, unsigned level) {
  return key >> 16U << level | (key & 0xFFFFU);
}

struct elias_fano_detail {
  std::uint32_t value = 0;

  BALTORO_HOST_DEVICE static constexpr elias_fano_detail of(std::uint32_t low_bits,
                                                            std::uint32_t upper_words) {
    return {low_bits | upper_words << 5U};
  }
  BALTORO_HOST_DEVICE constexpr std::uint32_t low_bits() const { return value & 31U; }
  BALTORO_HOST_DEVICE constexpr std::uint32_t upper_words() const { return value >> 5U; }
  BALTORO_HOST_DEVICE constexpr std::uint32_t lower_words(unsigned leaves) const {
    return words_for(std::uint64_t{leaves} * low_bits());
  }
  BALTORO_HOST_DEVICE constexpr std::uint32_t words(unsigned leaves) const {
    return lower_words(leaves) + upper_words();
  }
};

}  // namespace baltoro::format
