#include "io/java_properties.hpp"

#include <cctype>
#include <utility>

namespace baltoro::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\f'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }

void append_utf8(std::string& out, unsigned c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

class parser {
 public:
  explicit parser(std::string_view text) : text_(text) {}

  std::map<std::string, java_property, std::less<>> parse() {
    std::map<std::string, java_property, std::less<>> result;
    while (at_ < text_.size()) {
      skip_spaces();
      if (at_ == text_.size()) break;
      if (is_line_end(text_[at_])) {
        end_line();
      } else if (text_[at_] == '#' || text_[at_] == '!') {
        while (at_ < text_.size() && !is_line_end(text_[at_])) ++at_;
      } else {
        java_property property;
        property.line = line_;
        std::string key = part(true);
        skip_separator();
        property.value = part(false);
        result.insert_or_assign(std::move(key), std::move(property));
      }
    }
    return result;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (is_space(text_[at_]) || continues())) {
      if (is_space(text_[at_])) {
        ++at_;
      } else {
        ++at_;
        end_line();
      }
    }
  }

  void skip_separator() {
    skip_spaces();
    if (at_ < text_.size() && (text_[at_] == '=' || text_[at_] == ':')) {
      ++at_;
      skip_spaces();
    }
  }

  // Whether a backslash stands here before the end of a line.
  bool continues() const {
    return text_[at_] == '\\' && at_ + 1 < text_.size() && is_line_end(text_[at_ + 1]);
  }

  void end_line() {
    at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
  }

  // A key ends at a separator or with the line, a value with the line only.
  std::string part(bool is_key) {
    std::string out;
    while (at_ < text_.size() && !is_line_end(text_[at_])) {
      const char c = text_[at_];
      if (is_key && (is_space(c) || c == '=' || c == ':')) break;
      if (continues()) {
        ++at_;
        end_line();
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      } else if (c == '\\') {
        ++at_;
        escape(out);
      } else {
        out += c;
        ++at_;
      }
    }
    return out;
  }

  void escape(std::string& out) {
    if (at_ == text_.size()) return;
    const char c = text_[at_++];
    switch (c) {
      case 't':
        out += '\t';
        return;
      case 'n':
        out += '\n';
        return;
      case 'r':
        out += '\r';
        return;
      case 'f':
        out += '\f';
        return;
      case 'u':
        break;
      default:
        out += c;
        return;
    }
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char digit = at_ + i < text_.size() ? text_[at_ + i] : ' ';
      if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) {
        out += c;
        return;
      }
      const int lower = std::tolower(static_cast<unsigned char>(digit));
      value = value << 4 | static_cast<unsigned>(lower <= '9' ? lower - '0' : lower - 'a' + 10);
    }
    at_ += 4;
    append_utf8(out, value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace

std::map<std::string, java_property, std::less<>> parse_java_properties(std::string_view text) {
  return parser(text).parse();
}

}  // namespace baltoro::io
