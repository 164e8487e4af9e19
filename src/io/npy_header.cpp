#include "io/npy_header.hpp"

#include <baltoro/error.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/printable.hpp"

namespace baltoro::io {

namespace {

// NumPy itself needs about 120 bytes and refuses to read more than 10,000 without being told to.
constexpr std::uint32_t longest_header = 65536;

// A parser for the few Python literals that a header is made of.
class header_parser {
 public:
  header_parser(const std::string& file, std::uint64_t offset, std::string_view text)
      : file_(file), offset_(offset), text_(text) {}

  npy_header parse() {
    expect('{');
    bool have_descr = false;
    bool have_order = false;
    bool have_shape = false;
    while (!accept('}')) {
      const std::size_t key_at = at_;
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !have_descr) {
        descr();
        have_descr = true;
      } else if (key == "fortran_order" && !have_order) {
        header_.fortran_order = boolean();
        have_order = true;
      } else if (key == "shape" && !have_shape) {
        dimensions();
        have_shape = true;
      } else {
        at_ = key_at;
        fail("unknown or repeated key " + printable(key));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size()) fail("the header goes on after its closing brace");
    if (!have_descr || !have_order || !have_shape) {
      fail("the header needs descr, fortran_order and shape");
    }
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(header_.rows, header_.batch, &bytes) ||
        __builtin_mul_overflow(bytes, header_.item_bytes, &bytes)) {
      fail("the shape is too large for any file");
    }
    return header_;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw invalid_format(file_, fmt::format("byte {}", offset_ + at_), reason);
  }
  void skip_blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }

  std::string_view string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("expected a quoted name");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quoted name without its end");
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value;
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail("expected True or False");
  }

  void descr() {
    skip_blanks();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      fail("records are not numbers; save one field of the array");
    }
    const std::size_t start = at_;
    const std::string_view text = string();
    const auto unusable = [&] {
      at_ = start;
      fail("values of type " + printable(text) +
           " cannot be read; Booleans, integers of 1 to 8 bytes and floats of 2, 4 or 8 can");
    };
    if (text.size() != 3) unusable();
    const char order = text[0];
    header_.kind = text[1];
    header_.item_bytes = static_cast<unsigned>(text[2] - '0');
    const unsigned bytes = header_.item_bytes;
    const bool known = header_.kind == 'b'   ? bytes == 1
                       : header_.kind == 'f' ? bytes == 2 || bytes == 4 || bytes == 8
                       : header_.kind == 'i' || header_.kind == 'u'
                           ? bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8
                           : false;
    if (!known) unusable();
    constexpr bool little = std::endian::native == std::endian::little;
    switch (order) {
      case '<':
        header_.swapped = !little;
        break;
      case '>':
        header_.swapped = little;
        break;
      case '=':
        header_.swapped = false;
        break;
      case '|':
        if (bytes == 1) break;
        [[fallthrough]];
      default:
        unusable();
    }
  }

  std::uint64_t number() {
    skip_blanks();
    std::uint64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [stopped, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a dimension of more than 64 bits");
    if (error != std::errc()) fail("expected a dimension, a number");
    at_ += static_cast<std::size_t>(stopped - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote it
    return value;
  }

  void dimensions() {
    expect('(');
    if (accept(')')) fail("a single number; expected an array of one or two dimensions");
    header_.rows = number();
    if (accept(')')) fail("expected ',' behind the only dimension");
    expect(',');
    if (accept(')')) return;
    header_.is_vector = false;
    header_.batch = number();
    if (accept(',') && !accept(')')) fail("more than two dimensions");
    if (text_[at_ - 1] != ')') expect(')');
  }

  const std::string& file_;
  std::uint64_t offset_;
  std::string_view text_;
  std::size_t at_ = 0;
  npy_header header_;
};

std::string read_bytes(raw_file& file, std::size_t bytes, const char* what) {
  std::string text(bytes, '\0');
  const std::uint64_t start = file.position();
  if (file.read(text) != bytes) {
    throw invalid_format(file.name(), fmt::format("byte {}", start),
                         fmt::format("the file ends inside its {}", what));
  }
  return text;
}

}  // namespace

npy_header read_npy_header(raw_file& file) {
  const std::string start = read_bytes(file, npy_magic.size() + 2, "magic number");
  if (!start.starts_with(npy_magic)) {
    throw invalid_format(file.name(), "byte 0", "this is not a .npy file (no NumPy magic number)");
  }
  const auto major = static_cast<unsigned char>(start[6]);
  const auto minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw invalid_format(
        file.name(), "byte 6",
        fmt::format("version {}.{} of the format; 1.0, 2.0 and 3.0 are known", major, minor));
  }
  const std::string length_bytes = read_bytes(file, major == 1 ? 2 : 4, "header");
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < length_bytes.size(); ++i) {
    length |= std::uint32_t{static_cast<unsigned char>(length_bytes[i])} << 8U * i;
  }
  if (length > longest_header) {
    throw invalid_format(
        file.name(), "byte 8",
        fmt::format("a header of {} bytes; {} are the limit", length, longest_header));
  }
  const std::uint64_t offset = file.position();
  const std::string text = read_bytes(file, length, "header");
  return header_parser(file.name(), offset, text).parse();
}

}  // namespace baltoro::io
