// The 16 cells of a 4×4 block, reordered from the quadrants of the tree to lines of a product.
#pragma once

#include <baltoro/product.hpp>

#include <array>
#include <cstdint>

namespace baltoro::cpu {

// Tables over one half of a block's mask (its two upper or its two lower 2×2 leaves).
struct block_mask_tables {
  // Bit 4·column + row, for rows 0 and 1: what each input of a right product adds to.
  std::array<std::uint16_t, 256> by_column{};
  // Bit 4·row + column, for rows 0 and 1: what each input of a left product adds to.
  std::array<std::uint16_t, 256> by_row{};

  constexpr block_mask_tables() {
    for (unsigned half = 0; half < 256; ++half) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (((half >> bit) & 1U) == 0) continue;
        const unsigned row = (bit >> 1U) & 1U;
        const unsigned column = 2 * (bit >> 2U) + (bit & 1U);
        by_column[half] = static_cast<std::uint16_t>(by_column[half] | (1U << (4 * column + row)));
        by_row[half] = static_cast<std::uint16_t>(by_row[half] | (1U << (4 * row + column)));
      }
    }
  }
};

inline constexpr block_mask_tables block_masks;

// Bit 4·i + o is set when input i of the block adds to its output o.
template <direction Side>
constexpr unsigned mask_by_input(unsigned mask) {
  if constexpr (Side == direction::right) {
    return block_masks.by_column[mask & 255U] | (block_masks.by_column[mask >> 8U] << 2U);
  } else {
    return block_masks.by_row[mask & 255U] | (block_masks.by_row[mask >> 8U] << 8U);
  }
}

}  // namespace baltoro::cpu
