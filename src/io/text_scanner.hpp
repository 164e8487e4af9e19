// Text line by line, and the numbers in it.
//
// The scanner holds a window of the file that always ends with a line feed (one is added where the
// last line has none). A reader can therefore parse in the window without looking for the end of
// each line first, as long as it stops at line feeds: that is the fast path, begin() to end(), then
// advance(). Whatever the fast path does not like is left to next_line() and a fields cursor, which
// take their time and know how to complain.
#pragma once

#include <baltoro/progress.hpp>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"

namespace baltoro::io {

class text_scanner {
 public:
  // Longer lines are an error; it keeps binary files from filling memory.
  static constexpr std::size_t most_line_bytes = std::size_t{1} << 20;
  // Bytes after end() that may be read, so that numbers can be loaded whole.
  static constexpr std::size_t slack_bytes = 16;

  text_scanner(const std::filesystem::path& file, progress_callback progress);

  // Makes sure that there are unread lines in the window; false at the end of the file. Throws
  // invalid_format on a line that is too long.
  bool refill();
  // The unread lines.
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  // Passes over `lines` whole lines, up to `to`.
  void advance(const char* to, std::uint64_t lines) {
    begin_ = to;
    lines_ += lines;
  }

  // Takes the next line; false at the end of the file.
  bool next_line();
  // That line without its line end, be it LF or CR LF. Valid until the next call of a non-const
  // function.
  std::string_view line() const { return line_; }
  // Lines taken so far, so the number of the current one.
  std::uint64_t line_number() const { return lines_; }

  // Throws invalid_format for the current line.
  [[noreturn]] void fail(const std::string& reason) const;
  // Reports the end of reading to the progress callback.
  void finish();

 private:
  void load();
  void report(bool last);

  input input_;
  progress_callback progress_;
  std::chrono::steady_clock::time_point reported_;
  std::vector<char> window_;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;  // after the last line feed
  std::size_t filled_ = 0;     // bytes of the window that hold text, the start of a line included
  bool ended_ = false;
  std::uint64_t lines_ = 0;
  std::string_view line_;
};

// White space within a line. CR is one, so that it may stand before a line feed.
constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads one to ten digits at `p`, where eleven bytes must be readable, and moves `p` behind them.
// False, with `p` where it was, when there are none or more. Most numbers take no loop.
inline bool parse_index(const char*& p, std::uint64_t& value) {
  constexpr int most_digits = 10;
  std::uint64_t number = 0;
  int count = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    std::uint64_t digits = bytes ^ 0x3030'3030'3030'3030U;
    // A byte above 9 gets its high bit set. A carry starts only in such a byte, so the first is
    // right.
    const std::uint64_t others =
        ((digits + 0x7676'7676'7676'7676U) | digits) & 0x8080'8080'8080'8080U;
    count = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (count == 0) return false;
    // The digits go to the high bytes, zeros before them; then 8 digits, 4 pairs, 2 quads, 1
    // number.
    digits <<= 64 - 8 * count;
    digits = (digits * 10 + (digits >> 8)) & 0x00FF'00FF'00FF'00FFU;
    digits = (digits * 100 + (digits >> 16)) & 0x0000'FFFF'0000'FFFFU;
    number = (digits * 10'000 + (digits >> 32)) & 0xFFFF'FFFFU;
    if (count < 8) {
      value = number;
      p += count;
      return true;
    }
  }
  for (; is_digit(p[count]); ++count) {
    if (count == most_digits) return false;
    number = number * 10 + static_cast<unsigned>(p[count] - '0');
  }
  if (count == 0) return false;
  value = number;
  p += count;
  return true;
}

// How parsing a whole token as a number went.
enum class number_kind { good, negative, too_large, not_a_number };

// Parses a token of digits as a number up to 2^64-1.
number_kind parse_number(std::string_view token, std::uint64_t& value);

// A token as it can stand in a message: quoted, cut when long, odd bytes as \xNN.
std::string shown(std::string_view token);

// Why a token is no index from `first` to `last`, or an empty string where it is one.
std::string index_problem(std::string_view token, std::string_view what, std::uint64_t first,
                          std::uint64_t last, std::uint64_t& value);

}  // namespace baltoro::io
