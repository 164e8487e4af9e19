// Eight neighbouring entries of a vector, read and added to at once where its address allows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/atomics.cuh"

namespace baltoro::cuda {

// The entries from `first` on; those beyond the end are 0.
template <class T>
__device__ void load_strip(const T* x, std::uint64_t first, std::uint64_t size, bool aligned,
                           T (&to)[8]) {
  if (aligned && first + 8 <= size) {
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
    return;
  }
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) to[i] = first + i < size ? x[first + i] : T{0};
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

// to[i] = to[i] ⊕ sums[i] for the rows i that `touched`, a pattern, has cells in.
template <template <class> class Ring, class T>
__device__ void add_strip(T* y, std::uint64_t first, std::uint64_t size, bool aligned,
                          std::uint64_t touched, const T (&sums)[8]) {
  if constexpr (std::is_same_v<Ring<T>, plus_times<float>>) {
    if (aligned && first + 8 <= size) {
      float* const to = y + first;
      if (static_cast<std::uint32_t>(touched) != 0) add_four(to, sums[0], sums[1], sums[2], sums[3]);
      if (touched >> 32U != 0) add_four(to + 4, sums[4], sums[5], sums[6], sums[7]);
      return;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) {
    if ((touched >> (8 * i) & 0xFFU) != 0) accumulate<Ring>(y + first + i, sums[i]);
  }
}

}  // namespace baltoro::cuda
