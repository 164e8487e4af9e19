// Bits in 32-bit words, from the low bit up: how every stream of a payload is written and read.
#pragma once

#include <baltoro/host_device.hpp>

#include <bit>
#include <cstdint>

namespace baltoro::format {

// Words that so many bits fill.
BALTORO_HOST_DEVICE constexpr std::uint32_t words_for(std::uint64_t bits) {
  return static_cast<std::uint32_t>((bits + 31) / 32);
}

// Whether no bit is set from bit `end` on in words that end with the one of the last bit before it.
BALTORO_HOST_DEVICE constexpr bool ends_at(const std::uint32_t* words, std::uint64_t end) {
  return (end & 31U) == 0 || words[end >> 5U] >> (end & 31U) == 0;
}

// Bits that a number takes: the place of the highest that is set, from 1, or 0 for 0.
BALTORO_HOST_DEVICE constexpr std::uint32_t width_of(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return 32U - static_cast<std::uint32_t>(__clz(static_cast<int>(value)));
#else
  return static_cast<std::uint32_t>(std::bit_width(value));
#endif
}

// The `width` < 32 bits from bit `at` on. Reads up to one word beyond them; none where width is 0, and on a
// GPU one.
BALTORO_HOST_DEVICE constexpr std::uint32_t read_bits(const std::uint32_t* words, std::uint32_t at,
                                                      std::uint32_t width) {
  const std::uint32_t* const from = words + (at >> 5U);
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(from[0], from[1], at) & ((1U << width) - 1);
#else
  if (width == 0) return 0;  // `at` may be the end of what there is
  const std::uint64_t both = from[0] | std::uint64_t{from[1]} << 32U;
  return static_cast<std::uint32_t>((both >> (at & 31U)) & ((1ULL << width) - 1));
#endif
}

// Nibble number `at`.
BALTORO_HOST_DEVICE constexpr std::uint32_t read_nibble(const std::uint32_t* words,
                                                        std::uint32_t at) {
  return (words[at >> 3U] >> (4U * (at & 7U))) & 15U;
}

// Byte number `at`.
BALTORO_HOST_DEVICE constexpr std::uint32_t read_byte(const std::uint32_t* words,
                                                      std::uint32_t at) {
  return (words[at >> 2U] >> (8U * (at & 3U))) & 255U;
}

// Appends bits to words that are zero.
class bit_writer {
 public:
  explicit constexpr bit_writer(std::uint32_t* words) : words_(words) {}

  // Appends the low `width` ≤ 32 bits of a value that has no others.
  constexpr void write(std::uint32_t value, std::uint32_t width) {
    if (width == 0) return;
    const std::uint64_t shifted = std::uint64_t{value} << (at_ & 31U);
    words_[at_ >> 5U] |= static_cast<std::uint32_t>(shifted);
    const auto rest = static_cast<std::uint32_t>(shifted >> 32U);
    if (rest != 0) words_[(at_ >> 5U) + 1] |= rest;
    at_ += width;
  }

  // Goes on at the next word.
  constexpr void align() { at_ = (at_ + 31U) & ~31U; }

  constexpr std::uint32_t position() const { return at_; }

 private:
  std::uint32_t* words_;
  std::uint32_t at_ = 0;
};

}  // namespace baltoro::format
