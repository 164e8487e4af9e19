#include "parse.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace baltoro::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, std::string_view text,
                         std::string_view expected) {
  throw CLI::ValidationError(option, fmt::format("'{}' is not {}", text, expected));
}

template <class T>
std::optional<T> whole(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

// Splits "1.5GiB" in "1.5" and "gib".
std::pair<std::string_view, std::string> split_unit(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789.");
  if (end == std::string_view::npos) return {text, {}};
  std::string unit(text.substr(end));
  for (char& letter : unit) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return {text.substr(0, end), unit};
}

std::optional<std::uint64_t> scaled(std::string_view number, std::uint64_t factor) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  if (const auto value = whole<std::uint64_t>(number)) {
    if (factor != 0 && *value > most / factor) return std::nullopt;
    return *value * factor;
  }
  const auto value = whole<double>(number);
  if (!value || factor == 1) return std::nullopt;
  const double product = *value * static_cast<double>(factor);
  if (!(product >= 0 && product < 0x1p63)) return std::nullopt;
  return static_cast<std::uint64_t>(product);
}

std::uint64_t power(std::uint64_t base, unsigned exponent) {
  std::uint64_t result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

// The power of 1000 or 1024 that a letter stands for.
std::optional<unsigned> exponent_of(char letter) {
  constexpr std::string_view letters = "kmgtp";
  const std::size_t at = letters.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(at) + 1;
}

std::optional<std::uint64_t> byte_factor(std::string_view unit) {
  if (unit.empty() || unit == "b") return 1;
  const auto exponent = exponent_of(unit.front());
  if (!exponent) return std::nullopt;
  unit.remove_prefix(1);
  if (unit == "b") return power(1000, *exponent);
  if (unit.empty() || unit == "i" || unit == "ib") return power(1024, *exponent);
  return std::nullopt;
}

}  // namespace

std::uint64_t parse_size(const std::string& option, std::string_view text) {
  const auto [number, unit] = split_unit(text);
  const auto factor = byte_factor(unit);
  const auto value = factor ? scaled(number, *factor) : std::nullopt;
  if (!value) refuse(option, text, "a size such as 4GiB, 500MB or 1048576");
  return *value;
}

std::uint64_t parse_count(const std::string& option, std::string_view text) {
  const auto [number, unit] = split_unit(text);
  std::optional<std::uint64_t> factor;
  if (unit.empty()) factor = 1;
  if (unit.size() == 1) {
    if (const auto exponent = exponent_of(unit.front())) factor = power(1000, *exponent);
  }
  const auto value = factor ? scaled(number, *factor) : std::nullopt;
  if (!value) refuse(option, text, "a count such as 1000000 or 10M");
  return *value;
}

shape parse_shape(const std::string& option, std::string_view text) {
  const std::size_t cross = text.find_first_of("xX");
  std::optional<index_t> rows;
  std::optional<index_t> cols;
  if (cross != std::string_view::npos) {
    rows = whole<index_t>(text.substr(0, cross));
    cols = whole<index_t>(text.substr(cross + 1));
  }
  if (!rows || !cols) {
    refuse(option, text,
           fmt::format("a shape such as 1000x20, with at most {} rows and columns", max_dimension));
  }
  return {*rows, *cols};
}

index_t parse_index(const std::string& option, std::string_view text) {
  const std::uint64_t value = parse_count(option, text);
  if (value > max_dimension) refuse(option, text, fmt::format("at most {}", max_dimension));
  return static_cast<index_t>(value);
}

double parse_real(const std::string& option, std::string_view text) {
  const auto value = whole<double>(text);
  if (!value || !std::isfinite(*value)) refuse(option, text, "a number");
  return *value;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace baltoro::cli
