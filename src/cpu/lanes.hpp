// Four numbers side by side, in the vector registers that every processor of the baseline has.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baltoro::cpu {

// Four values of T as one or two registers of 16 bytes. Wider vector types would be taken apart
// into scalars by the compiler wherever they are compared.
template <class T>
struct lanes {
  static constexpr int parts = 4 * sizeof(T) / 16;
  static constexpr int per_part = 16 / sizeof(T);
  typedef T vector __attribute__((vector_size(16)));

  vector part[parts];

  static lanes load(const T* from) {
    lanes value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  void store(T* to) const { std::memcpy(to, this, sizeof *this); }
};

// Integers as wide as T: what comparing lanes gives.
template <class T>
using mask_of = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

// For every four bits a mask: lane i is all ones where bit i is set.
template <class T>
struct lane_masks {
  lanes<mask_of<T>> of[16];

  lane_masks() {
    for (int bits = 0; bits < 16; ++bits) {
      mask_of<T> lane[4];
      for (int i = 0; i < 4; ++i) lane[i] = -static_cast<mask_of<T>>((bits >> i) & 1);
      of[bits] = lanes<mask_of<T>>::load(lane);
    }
  }
};

template <class T>
inline const lane_masks<T> masks_of;

}  // namespace baltoro::cpu
