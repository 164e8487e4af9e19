// Four numbers side by side, in the compiler's vector types, and semirings on them.
#pragma once

#include <baltoro/semiring.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baltoro::cpu {

template <class T>
struct lanes_of {
  typedef T type __attribute__((vector_size(4 * sizeof(T))));
};
template <class T>
using lanes = typename lanes_of<T>::type;

// Integers as wide as T: the masks that comparisons of lanes give.
template <class T>
using mask_lanes = lanes<std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>;

template <class T>
lanes<T> load4(const T* from) {
  lanes<T> value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store4(T* to, lanes<T> value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
lanes<T> broadcast(T value) {
  return lanes<T>{value, value, value, value};
}

// Lane i is all ones where bit i of the index is set.
template <class T>
struct lane_masks {
  mask_lanes<T> of[16];

  lane_masks() {
    for (int bits = 0; bits < 16; ++bits) {
      for (int i = 0; i < 4; ++i) of[bits][i] = -((bits >> i) & 1);
    }
  }
};

}  // namespace baltoro::cpu
