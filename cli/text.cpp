#include "text.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <unistd.h>

namespace baltoro::cli {

void print(std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t done = ::write(STDOUT_FILENO, text.data(), text.size());
    if (done < 0) {
      if (errno == EINTR) continue;
      throw io_error("standard output", "cannot write", errno);
    }
    text.remove_prefix(static_cast<std::size_t>(done));
  }
}

void print_json(const json& document) {
  // File names may be any bytes; JSON is UTF-8.
  print(document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

namespace {

// The bytes of the character that text starts with; 0 where it is not UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0x80                    ? 1
                            : lead >= 0xC2 && lead <= 0xDF ? 2
                            : lead >= 0xE0 && lead <= 0xEF ? 3
                            : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                           : 0;
  if (bytes > text.size()) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
  }
  return bytes;
}

// C0 and C1 controls and DEL.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t bytes = character_bytes(text);
    if (bytes > 0 && !is_control(text.substr(0, bytes))) {
      result += text.substr(0, bytes);
    } else {
      bytes = 1;
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(bytes);
  }
  return result;
}

namespace {

// Columns a text takes, one for each UTF-8 character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

std::string table::text() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& cells : rows_) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width(cells[i]));
  }
  std::string result;
  for (const auto& cells : rows_) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - width(cells[i]), ' ');
      if (i > 0) line += "  ";
      line += alignment_[i] == 'r' ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace baltoro::cli
