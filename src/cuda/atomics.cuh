// ⊕ by one atomic operation of the hardware (paper, Table 1).
#pragma once

#include <baltoro/semiring.hpp>

#include <type_traits>

namespace baltoro::cuda {

// The bits of a float or a double as a signed integer: numbers that are not negative compare as
// their bits do, negative ones the other way round.
__device__ inline int bits_of(float value) { return __float_as_int(value); }
__device__ inline long long bits_of(double value) { return __double_as_longlong(value); }

template <class T>
using signed_bits = std::conditional_t<sizeof(T) == 4, int, long long>;
template <class T>
using unsigned_bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

// to = min(to, value), neither NaN.
template <class T>
__device__ void atomic_min(T* to, T value) {
  if (bits_of(value) >= 0) {
    atomicMin(reinterpret_cast<signed_bits<T>*>(to), bits_of(value));
  } else {
    atomicMax(reinterpret_cast<unsigned_bits<T>*>(to),
              static_cast<unsigned_bits<T>>(bits_of(value)));
  }
}

// ∨ on words of bits.
template <class T>
struct bitwise_or {
  __device__ static constexpr T zero() { return 0; }
  __device__ static constexpr T term(T x) { return x; }
  __device__ static constexpr T add(T a, T b) { return a | b; }
};

// to = to ⊕ term. Terms that change nothing are left out.
template <template <class> class Ring, class T>
__device__ void accumulate(T* to, T term) {
  if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
    atomicAdd(to, term);
  } else if constexpr (std::is_same_v<Ring<T>, bitwise_or<T>>) {
    if ((term & ~*to) != 0) atomicOr(to, term);
  } else if constexpr (std::is_same_v<Ring<T>, lor_land<T>>) {
    if (term != T{0}) atomicMax(reinterpret_cast<signed_bits<T>*>(to), bits_of(term));
  } else {
    static_assert(std::is_same_v<Ring<T>, min_plus<T>>);
    if (term < Ring<T>::zero()) atomic_min(to, term);
  }
}

}  // namespace baltoro::cuda
