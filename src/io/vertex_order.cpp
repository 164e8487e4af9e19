#include "io/vertex_order.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include "base/printable.hpp"

namespace baltoro::io {

namespace {

// A name with something that usually decides a comparison without a look at the name itself.
struct keyed_name {
  std::uint64_t key;
  index_t number;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What stands before the digits at the end of the name.
std::string_view prefix_of(std::string_view name) {
  std::size_t length = name.size();
  while (length > 0 && is_digit(name[length - 1])) --length;
  return name.substr(0, length);
}

// The decimal number, where the digits are its only spelling and 64 bits hold it.
std::optional<std::uint64_t> canonical_number(std::string_view digits) {
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

// The number of every name; nothing where a name, which `offender` then tells, is not the common
// prefix and a canonical number.
std::optional<std::vector<keyed_name>> numbered(const name_dictionary& names, index_t& offender) {
  std::vector<keyed_name> keyed;
  if (names.size() == 0) return keyed;
  const std::string_view prefix = prefix_of(names[0]);
  for (index_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const auto number =
        name.starts_with(prefix) ? canonical_number(name.substr(prefix.size())) : std::nullopt;
    if (!number) {
      offender = i;
      return std::nullopt;
    }
    if (i == 0) keyed.reserve(names.size());
    keyed.push_back({*number, i});
  }
  return keyed;
}

// The first eight bytes at most as a number that compares as the bytes do.
std::uint64_t leading_bytes(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    key = key << 8U | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0U);
  }
  return key;
}

std::vector<index_t> numbers_of(const std::vector<keyed_name>& keyed) {
  std::vector<index_t> numbers(keyed.size());
  std::transform(keyed.begin(), keyed.end(), numbers.begin(),
                 [](const keyed_name& name) { return name.number; });
  return numbers;
}

std::vector<index_t> by_bytes(const name_dictionary& names) {
  if (names.size() == 0) return {};
  // Names often begin alike (http://…), so the keys start where they first differ.
  const std::string_view first = names[0];
  std::size_t common = first.size();
  for (index_t i = 1; i < names.size() && common > 0; ++i) {
    const std::string_view name = names[i];
    common = std::min(common, name.size());
    common = static_cast<std::size_t>(
        std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(common),
                      name.begin())
            .first -
        first.begin());
  }
  std::vector<keyed_name> keyed(names.size());
  for (index_t i = 0; i < names.size(); ++i) {
    keyed[i] = {leading_bytes(names[i].substr(common)), i};
  }
  tbb::parallel_sort(keyed.begin(), keyed.end(), [&](const keyed_name& a, const keyed_name& b) {
    return a.key != b.key ? a.key < b.key : names[a.number] < names[b.number];
  });
  return numbers_of(keyed);
}

}  // namespace

std::vector<index_t> ordered(const name_dictionary& names, vertex_order order) {
  if (order == vertex_order::first_seen) {
    std::vector<index_t> numbers(names.size());
    std::iota(numbers.begin(), numbers.end(), index_t{0});
    return numbers;
  }
  if (order != vertex_order::by_bytes) {
    index_t offender = 0;
    auto keyed = numbered(names, offender);
    if (keyed) {
      tbb::parallel_sort(keyed->begin(), keyed->end(),
                         [](const keyed_name& a, const keyed_name& b) { return a.key < b.key; });
      return numbers_of(*keyed);
    }
    if (order == vertex_order::by_number) {
      throw invalid_argument(fmt::format(
          "vertices cannot be ordered by number: {} is not {} and a decimal number below 2^64 "
          "without leading zeros",
          printable(names[offender]), printable(prefix_of(names[0]))));
    }
  }
  return by_bytes(names);
}

}  // namespace baltoro::io
