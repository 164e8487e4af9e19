// Numbers in fixed point: 64-bit integers, whose sums are the same in any order.
//
// x becomes the integer nearest to x · 2^k, a negative one its two's complement. k is such that no sum of a product
// reaches 2^62: those are in between do not matter, since integers wrap. What is no finite number becomes one of three
// values that no x has. These are not added up: outputs that they reach are marked, and have no use for their sums.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <cuda_runtime.h>

namespace baltoro::cuda {

using fixed_t = unsigned long long;  // as atomicAdd wants it

template <class T>
inline constexpr bool is_fixed = std::is_same_v<T, fixed_t>;

// In two bits, so that marks can be added by ∨: ∞ and −∞ are NaN.
inline constexpr unsigned plus_infinity_mark = 1;
inline constexpr unsigned minus_infinity_mark = 2;
inline constexpr unsigned nan_mark = 3;

// What an input is where it is no number, 0 where it is one.
__device__ __forceinline__ unsigned mark_of(fixed_t x) {
  return static_cast<std::uint32_t>(x >> 32U) == 1U << 31U ? static_cast<unsigned>(x) & 3U : 0;
}

// Where products note the outputs that have a sum of other than finite numbers; nothing for other types.
template <class T>
struct output_marks {};

template <>
struct output_marks<fixed_t> {
  static constexpr unsigned of_word = 16;

  std::uint32_t* words;      // 16 outputs each
  const std::uint32_t* any;  // 0: x has finite numbers only

  __device__ void add(std::uint64_t output, unsigned mark) const {
    atomicOr(words + output / of_word, mark << (2 * (output % of_word)));
  }
  __device__ unsigned of(std::uint64_t output) const {
    return *any == 0 ? 0 : words[output / of_word] >> (2 * (output % of_word)) & 3U;
  }
};

// 2^k for one vector. Two factors, since k can be beyond the exponents of a double; that of the sums likewise.
class fixed_scale {
 public:
  // \param largest the bits of the largest finite |x|, as a double
  // \param terms most terms of an output, at most 2^32
  __device__ fixed_scale(std::uint64_t largest, std::uint64_t terms) {
    const int k = largest == 0 ? 0 : 62 - bits_for(terms) - bound_of(largest);
    const int half = k / 2;
    up_[0] = power_of_two(half);
    up_[1] = power_of_two(k - half);
    down_[0] = power_of_two(-half);
    down_[1] = power_of_two(half - k);
  }

  __device__ fixed_t to_fixed(double x) const {
    constexpr double most = std::numeric_limits<double>::max();
    constexpr fixed_t special = 1ULL << 63U;
    if (x > most) return special | plus_infinity_mark;
    if (x < -most) return special | minus_infinity_mark;
    if (x != x) return special | nan_mark;
    return static_cast<fixed_t>(llrint(x * up_[0] * up_[1]));
  }
  // Rounds to a double, and once more where that is subnormal.
  __device__ double to_double(fixed_t sum) const {
    return static_cast<double>(static_cast<long long>(sum)) * down_[0] * down_[1];
  }

 private:
  // The field of a double's exponent.
  __device__ static int exponent_field(double value) {
    return static_cast<int>(static_cast<std::uint64_t>(__double_as_longlong(value)) >> 52U);
  }
  // The least e with |x| < 2^e.
  __device__ static int bound_of(std::uint64_t bits) {
    const auto field = static_cast<int>(bits >> 52U);
    if (field != 0) return field - 1022;
    return exponent_field(static_cast<double>(bits)) - 1022 - 1074;  // subnormal: bits · 2^−1074
  }
  // The least b with count ≤ 2^b.
  __device__ static int bits_for(std::uint64_t count) {
    return count <= 1 ? 0 : exponent_field(static_cast<double>(count - 1)) - 1022;
  }
  __device__ static double power_of_two(int exponent) {
    return __longlong_as_double(static_cast<long long>(exponent + 1023) << 52U);
  }

  double up_[2];
  double down_[2];
};

// What an output is by its mark.
__device__ inline double value_of_mark(unsigned mark) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (mark == nan_mark) return nan;
  return mark == plus_infinity_mark ? infinity : -infinity;
}

}  // namespace baltoro::cuda
