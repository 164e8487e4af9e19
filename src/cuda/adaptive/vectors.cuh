// Eight neighbouring entries of a vector, read and added to at once where its address allows.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <type_traits>

#include "cuda/atomics.cuh"

namespace baltoro::cuda {

// The entries from `first` on; those beyond the end are 0. `Inside`: there are eight, and their address is
// a multiple of 16 bytes.
template <bool Inside, class T>
__device__ __forceinline__ void load_strip(const T* x, index_t first, index_t size, T (&to)[8]) {
  if constexpr (Inside) {
    using wide = std::conditional_t<sizeof(T) == 4, float4, double2>;
    constexpr unsigned each = sizeof(wide) / sizeof(T);
    const wide* const from = reinterpret_cast<const wide*>(x + first);
#pragma unroll
    for (unsigned i = 0; i < 8 / each; ++i) {
      const wide value = __ldg(from + i);
      to[each * i] = value.x;
      to[each * i + 1] = value.y;
      if constexpr (each == 4) {
        to[each * i + 2] = value.z;
        to[each * i + 3] = value.w;
      }
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      to[i] = size - first > i ? x[std::uint64_t{first} + i] : T{0};
    }
  }
}

// One addition of four floats.
__device__ inline void add_four(float* to, float a, float b, float c, float d) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(a), "f"(b), "f"(c),
               "f"(d)
               : "memory");
#else
  atomicAdd(to, a);
  atomicAdd(to + 1, b);
  atomicAdd(to + 2, c);
  atomicAdd(to + 3, d);
#endif
}

// y[first + i] = y[first + i] ⊕ sums[i] where `touched`, a pattern, has cells in row i, or for the left
// product in column i.
template <template <class> class Ring, direction Side, bool Inside, class T>
__device__ __forceinline__ void add_strip(T* y, index_t first, std::uint64_t touched,
                                          const T (&sums)[8]) {
  constexpr bool right = Side == direction::right;
  T* const to = y + first;
  if constexpr (Inside && std::is_same_v<Ring<T>, plus_times<float>>) {
    constexpr std::uint64_t first_four = right ? 0xFFFF'FFFFULL : 0x0F0F'0F0F'0F0F'0F0FULL;
    if ((touched & first_four) != 0) add_four(to, sums[0], sums[1], sums[2], sums[3]);
    if ((touched & ~first_four) != 0) add_four(to + 4, sums[4], sums[5], sums[6], sums[7]);
  } else {
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t cells = right ? 0xFFULL << (8 * i) : 0x0101'0101'0101'0101ULL << i;
      if ((touched & cells) != 0) accumulate<Ring>(to + i, sums[i]);
    }
  }
}

}  // namespace baltoro::cuda
