// Bits read from bytes in memory, in either order, 57 at a time.
//
// msb_first: the first bit of a byte is its highest one, and numbers come highest bit first
// (WebGraph's "big" endianness). lsb_first: the first bit is the lowest one, numbers come lowest
// bit first
// ("little"). Reading keeps no buffer: each read loads the 8 bytes around the position, which is
// one load, one byte swap and one shift, and makes seeking free.
//
// Past the end there are zeros. Whoever reads checks position() against size() when it suits; only
// reads that would not end by themselves (a run of zeros) throw bit_stream_error there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace baltoro::io {

enum class bit_order { msb_first, lsb_first };

// What is wrong with the bits; the caller, who knows file and place, turns it into invalid_format.
struct bit_stream_error {
  const char* reason;
};

template <bit_order Order>
class bit_reader {
 public:
  explicit bit_reader(std::span<const std::uint8_t> bytes)
      : data_(bytes.data()),
        size_bytes_(bytes.size()),
        last_whole_load_(bytes.size() < 8 ? -1 : static_cast<std::int64_t>(bytes.size() - 8)) {}

  // Bits read so far; may lie beyond size().
  std::uint64_t position() const { return position_; }
  std::uint64_t size() const { return std::uint64_t{8} * size_bytes_; }
  std::uint64_t remaining() const { return position_ < size() ? size() - position_ : 0; }
  void seek(std::uint64_t position) { position_ = position; }
  void skip(std::uint64_t bits) { position_ += bits; }

  // At least the next 57 bits, the next one being the highest (msb_first) or the lowest
  // (lsb_first); zeros in the rest of the word.
  [[gnu::always_inline]] std::uint64_t window() const {
    const auto byte = static_cast<std::int64_t>(position_ >> 3);
    const std::uint64_t word =
        byte <= last_whole_load_ ? load(data_ + byte) : load_at_end(position_ >> 3);
    const auto shift = static_cast<unsigned>(position_ & 7);
    return Order == bit_order::msb_first ? word << shift : word >> shift;
  }

  // The number in the next `count` bits, count <= 57.
  std::uint64_t short_bits(unsigned count) {
    const std::uint64_t word = window();
    position_ += count;
    if constexpr (Order == bit_order::msb_first) return (word >> 1) >> (63 - count);
    return word & ((std::uint64_t{1} << count) - 1);
  }

  // The number in the next `count` bits, count <= 64.
  std::uint64_t bits(unsigned count) {
    if (count <= 57) return short_bits(count);
    if constexpr (Order == bit_order::msb_first) {
      const std::uint64_t high = short_bits(count - 32);
      return high << 32 | short_bits(32);
    } else {
      const std::uint64_t low = short_bits(32);
      return short_bits(count - 32) << 32 | low;
    }
  }

  // The zeros before the next one; the one is read too.
  std::uint64_t unary() {
    const std::uint64_t word = window();
    if (word != 0) [[likely]] {
      const unsigned zeros = leading(word);
      position_ += zeros + 1;
      return zeros;
    }
    return long_unary();
  }

  // The zeros before the first one of a window. \pre word != 0
  static unsigned leading(std::uint64_t word) {
    return static_cast<unsigned>(Order == bit_order::msb_first ? std::countl_zero(word)
                                                               : std::countr_zero(word));
  }

 private:
  static std::uint64_t load(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    constexpr bool swapped =
        (Order == bit_order::msb_first) == (std::endian::native == std::endian::little);
    return swapped ? __builtin_bswap64(word) : word;
  }

  [[gnu::noinline, gnu::cold]] std::uint64_t load_at_end(std::uint64_t byte) const {
    std::uint8_t last[8] = {};
    if (byte < size_bytes_)
      std::memcpy(last, data_ + byte, std::min<std::uint64_t>(8, size_bytes_ - byte));
    return load(last);
  }

  [[gnu::noinline, gnu::cold]] std::uint64_t long_unary() {
    std::uint64_t zeros = 0;
    for (std::uint64_t word = 0; (word = window()) == 0;) {
      if (position_ >= size()) throw bit_stream_error{"the file ends inside a number"};
      position_ += 57;
      zeros += 57;
    }
    const unsigned rest = leading(window());
    position_ += rest + 1;
    return zeros + rest;
  }

  const std::uint8_t* data_;
  std::uint64_t size_bytes_;
  std::int64_t last_whole_load_;
  std::uint64_t position_ = 0;
};

}  // namespace baltoro::io
