// Eight bits as a mask for eight numbers, where the processor has no mask registers.
#pragma once

#include <array>
#include <cstdint>

#include "cpu/lanes.hpp"

namespace baltoro::cpu {

// Lane i of of[bits] is all ones where bit i is set.
template <class T>
struct eight_masks {
  alignas(64) std::array<std::array<mask_of<T>, 8>, 256> of{};

  constexpr eight_masks() {
    for (unsigned bits = 0; bits < 256; ++bits) {
      for (unsigned i = 0; i < 8; ++i) of[bits][i] = ((bits >> i) & 1U) != 0 ? -1 : 0;
    }
  }
};

template <class T>
inline constexpr eight_masks<T> eight_masks_of;

}  // namespace baltoro::cpu
