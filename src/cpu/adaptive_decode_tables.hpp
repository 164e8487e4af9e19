// Tables for decoding containers, the same for all instruction sets.
#pragma once

#include <array>
#include <cstdint>

namespace baltoro::cpu {

struct adaptive_decode_tables {
  // For each nibble of a node its children, as row · 2^16 + column inside the node.
  alignas(64) std::array<std::array<std::uint32_t, 4>, 16> children{};
  // For each byte the places of its set bits, ascending.
  alignas(64) std::array<std::array<std::uint16_t, 8>, 256> places{};

  constexpr adaptive_decode_tables() {
    for (unsigned nibble = 0; nibble < 16; ++nibble) {
      unsigned count = 0;
      for (unsigned b = 0; b < 4; ++b) {
        if (((nibble >> b) & 1U) != 0) children[nibble][count++] = (b >> 1U) << 16U | (b & 1U);
      }
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned count = 0;
      for (unsigned b = 0; b < 8; ++b) {
        if (((byte >> b) & 1U) != 0) places[byte][count++] = static_cast<std::uint16_t>(b);
      }
    }
  }
};

inline constexpr adaptive_decode_tables decode_tables;

}  // namespace baltoro::cpu
