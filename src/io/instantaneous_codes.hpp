// The codes that numbers are written in by WebGraph, read from a bit_reader. All stand for x >= 0.
//
// With n = x + 1 and l = floor(log2 n):
//   unary       x zeros, then a one
//   gamma       unary(l), then the l lower bits of n
//   delta       gamma(l), then the l lower bits of n
//   zeta_k      unary(h) with h = floor(l / k), then minimal binary of n - 2^hk below 2^(h+1)k -
//   2^hk pi_k        unary(l >> k), the k lower bits of l, then the l lower bits of n golomb_b
//   unary(x / b), then minimal binary of x % b below b nibble      x in groups of three bits,
//   highest first, each after a bit that is one in the last
// Minimal binary below u, with s = floor(log2 u) and m = 2^(s+1) - u: a number v < m takes s bits;
// any other is v + m in s + 1 bits, the lowest of which comes last in both bit orders.
//
// Source: P. Boldi, S. Vigna, "Codes for the World Wide Web", Internet Mathematics 2 (2005), and,
// for pi, A. Apostolico, G. Drovandi, "Graph compression by BFS", Algorithms 2 (2009), in the
// streamlined form above.
#pragma once

#include <bit>
#include <cstdint>

#include "io/bit_reader.hpp"

namespace baltoro::io {

enum class code_kind : std::uint8_t { unary, gamma, delta, zeta, pi, golomb, nibble };

// A code with its parameter: k of zeta and pi, b of golomb, not used by the others.
struct code {
  code_kind kind = code_kind::gamma;
  std::uint32_t parameter = 0;

  friend bool operator==(const code&, const code&) = default;
};

[[noreturn, gnu::noinline, gnu::cold]] inline void throw_number_too_large() {
  throw bit_stream_error{"a number does not fit 64 bits"};
}

template <bit_order Order>
std::uint64_t read_unary(bit_reader<Order>& in) {
  return in.unary();
}

template <bit_order Order>
[[gnu::noinline, gnu::cold]] std::uint64_t read_long_gamma(bit_reader<Order>& in) {
  const std::uint64_t log = in.unary();
  if (log > 63) throw_number_too_large();
  return (std::uint64_t{1} << log) + in.bits(static_cast<unsigned>(log)) - 1;
}

template <bit_order Order>
[[gnu::always_inline]] inline std::uint64_t read_gamma(bit_reader<Order>& in) {
  const std::uint64_t word = in.window();
  if constexpr (Order == bit_order::msb_first) {
    if (word >= std::uint64_t{1} << 35) [[likely]] {  // at most 28 zeros: the code is in the window
      const unsigned log = in.leading(word);
      in.skip(2 * log + 1);
      return (word >> (63 - 2 * log)) - 1;
    }
  } else {
    if ((word & 0x1FFF'FFFF) != 0) [[likely]] {
      const unsigned log = in.leading(word);
      in.skip(2 * log + 1);
      const std::uint64_t top = std::uint64_t{1} << log;
      return ((word >> (log + 1)) & (top - 1)) + top - 1;
    }
  }
  return read_long_gamma(in);
}

template <bit_order Order>
std::uint64_t read_delta(bit_reader<Order>& in) {
  const std::uint64_t log = read_gamma(in);
  if (log > 63) throw_number_too_large();
  return (std::uint64_t{1} << log) + in.bits(static_cast<unsigned>(log)) - 1;
}

template <bit_order Order>
[[gnu::noinline, gnu::cold]] std::uint64_t read_long_zeta(bit_reader<Order>& in, unsigned k) {
  const std::uint64_t h = in.unary();
  if (h > 63 || (h + 1) * k > 64) throw_number_too_large();
  const unsigned length = static_cast<unsigned>(h + 1) * k - 1;
  const std::uint64_t left = std::uint64_t{1} << (h * k);
  const std::uint64_t prefix = in.bits(length);
  return prefix < left ? prefix + left - 1 : (prefix << 1 | in.bits(1)) - 1;
}

template <bit_order Order>
[[gnu::always_inline]] inline std::uint64_t read_zeta(bit_reader<Order>& in, unsigned k) {
  const std::uint64_t word = in.window();
  if (word != 0) [[likely]] {
    const unsigned h = in.leading(word);
    const unsigned length = (h + 1) * k - 1;
    if (h + length + 2 <= 57) [[likely]] {
      const std::uint64_t left = std::uint64_t{1} << (h * k);
      std::uint64_t prefix = 0;
      std::uint64_t longer = 0;  // the prefix and one more bit
      if constexpr (Order == bit_order::msb_first) {
        longer = (word << (h + 1)) >> (63 - length);
        prefix = longer >> 1;
      } else {
        const std::uint64_t rest = word >> (h + 1);
        prefix = rest & ((std::uint64_t{1} << length) - 1);
        longer = prefix << 1 | ((rest >> length) & 1);
      }
      const bool is_short = prefix < left;
      in.skip(h + 1 + length + (is_short ? 0 : 1));
      return (is_short ? prefix + left : longer) - 1;
    }
  }
  return read_long_zeta(in, k);
}

template <bit_order Order>
std::uint64_t read_pi(bit_reader<Order>& in, unsigned k) {
  const std::uint64_t high = in.unary();
  if (high > 63) throw_number_too_large();
  const std::uint64_t log = (high << k) + in.bits(k);
  if (log > 63) throw_number_too_large();
  return (std::uint64_t{1} << log) + in.bits(static_cast<unsigned>(log)) - 1;
}

template <bit_order Order>
std::uint64_t read_minimal_binary(bit_reader<Order>& in, std::uint64_t bound) {
  const auto log = static_cast<unsigned>(std::bit_width(bound)) - 1;
  const std::uint64_t short_ones = (std::uint64_t{2} << log) - bound;
  const std::uint64_t prefix = in.bits(log);
  return prefix < short_ones ? prefix : (prefix << 1 | in.bits(1)) - short_ones;
}

template <bit_order Order>
std::uint64_t read_golomb(bit_reader<Order>& in, std::uint32_t modulus) {
  const std::uint64_t quotient = in.unary();
  if (quotient >> 32 != 0) throw_number_too_large();
  return quotient * modulus + read_minimal_binary(in, modulus);
}

template <bit_order Order>
std::uint64_t read_nibble(bit_reader<Order>& in) {
  std::uint64_t value = 0;
  for (unsigned group = 0; group < 21; ++group) {
    const bool last = in.short_bits(1) != 0;
    value = value << 3 | in.short_bits(3);
    if (last) return value;
  }
  throw_number_too_large();
}

// Reads a number of any code. \pre zeta: 1 <= k <= 63; pi: k <= 16; golomb: b >= 1
template <bit_order Order>
std::uint64_t read_code(bit_reader<Order>& in, code what) {
  switch (what.kind) {
    case code_kind::unary:
      return read_unary(in);
    case code_kind::gamma:
      return read_gamma(in);
    case code_kind::delta:
      return read_delta(in);
    case code_kind::zeta:
      return read_zeta(in, what.parameter);
    case code_kind::pi:
      return read_pi(in, what.parameter);
    case code_kind::golomb:
      return read_golomb(in, what.parameter);
    case code_kind::nibble:
      return read_nibble(in);
  }
  throw_number_too_large();
}

}  // namespace baltoro::io
