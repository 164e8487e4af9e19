// Bits as masks for vectors, where the processor has no mask registers.
#pragma once

#include <array>
#include <cstdint>

#include "cpu/lanes.hpp"

namespace baltoro::cpu {

// A table of masks for vectors of `Lanes` lanes: lane i of of[bits] is all ones where bit i is set.
template <class T, unsigned Lanes>
struct bit_masks {
  alignas(64) std::array<std::array<mask_of<T>, Lanes>, 1U << Lanes> of{};

  constexpr bit_masks() {
    for (unsigned bits = 0; bits < 1U << Lanes; ++bits) {
      for (unsigned i = 0; i < Lanes; ++i) of[bits][i] = ((bits >> i) & 1U) != 0 ? -1 : 0;
    }
  }
};

template <class T, unsigned Lanes>
inline constexpr bit_masks<T, Lanes> bit_masks_of;

}  // namespace baltoro::cpu
