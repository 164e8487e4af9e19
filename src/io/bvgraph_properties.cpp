#include "io/bvgraph_properties.hpp"

#include <baltoro/error.hpp>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "io/java_properties.hpp"
#include "io/whole_file.hpp"

namespace baltoro::io {
namespace {

// Real files have about a thousand bytes.
constexpr std::size_t largest_file = std::size_t{1} << 20;

// Lists of more nodes than this are never kept for copying. Writers use 7, or some tens.
constexpr std::uint64_t largest_window = std::uint64_t{1} << 16;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n\f";
  const std::size_t first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class interpreter {
 public:
  interpreter(std::string file, std::string_view text)
      : file_(std::move(file)), entries_(parse_java_properties(text)) {}

  bvgraph_properties interpret() {
    check_class_and_version();
    bvgraph_properties result;
    result.nodes = static_cast<index_t>(required("nodes", max_dimension));
    const std::uint64_t n = result.nodes;
    result.arcs = required("arcs", n * n);
    result.arcs_place = place(entries_.find("arcs")->second);
    const std::uint64_t window = std::min(optional("windowsize", 7, UINT64_MAX), n);
    if (window > largest_window) {
      fail("windowsize", fmt::format("a windowsize of {} is not supported, at most {} is", window,
                                     largest_window));
    }
    result.window_size = static_cast<index_t>(window);
    result.min_interval_length = optional("minintervallength", 4, UINT64_MAX);
    zeta_k_ = static_cast<std::uint32_t>(optional("zetak", 3, INT32_MAX));
    if (zeta_k_ == 0) fail("zetak", "zetak is 0, but must be at least 1");
    if (const auto found = entries_.find("endianness"); found != entries_.end()) {
      const std::string name = upper(trimmed(found->second.value));
      if (name != "BIG" && name != "LITTLE") {
        fail("endianness",
             fmt::format("endianness '{}' is neither big nor little", found->second.value));
      }
      result.order = name == "BIG" ? bit_order::msb_first : bit_order::lsb_first;
      blocks_mean_counts_ = true;
    }
    result.codes = flags();
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view key, const std::string& reason) const {
    const auto found = entries_.find(key);
    throw invalid_format(file_, found == entries_.end() ? std::string() : place(found->second),
                         reason);
  }

  static std::string place(const java_property& property) {
    return fmt::format("line {}", property.line);
  }

  std::uint64_t required(std::string_view key, std::uint64_t largest) const {
    if (entries_.find(key) == entries_.end()) {
      fail(key, fmt::format("'{}' is missing: is this the .properties file of a BVGraph?", key));
    }
    return optional(key, 0, largest);
  }

  std::uint64_t optional(std::string_view key, std::uint64_t otherwise,
                         std::uint64_t largest) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return otherwise;
    const std::string_view text = trimmed(found->second.value);
    const auto value = number(text);
    if (!value) fail(key, fmt::format("{} is '{}', which is not a natural number", key, text));
    if (*value > largest) {
      fail(key, fmt::format("{} is {}, but can be at most {}", key, *value, largest));
    }
    return *value;
  }

  void check_class_and_version() const {
    if (const auto found = entries_.find("graphclass"); found != entries_.end()) {
      const std::string_view name = trimmed(found->second.value);
      if (name != "BVGraph" && !name.ends_with(".BVGraph")) {
        fail("graphclass",
             fmt::format("this is a graph of class '{}', only BVGraph can be read", name));
      }
    }
    const std::uint64_t version = optional("version", 0, UINT64_MAX);
    if (version > 1) {
      fail("version", fmt::format("format version {} is not known, only 0 and 1 are", version));
    }
  }

  // GAMMA, ZETA, ZETA3, PI2 and so on.
  code code_named(std::string_view flag, std::string_view name) const {
    const std::size_t letters = std::min(name.find_first_of("0123456789"), name.size());
    const std::string_view stem = name.substr(0, letters);
    const bool has_number = letters < name.size();
    const std::uint64_t parameter =
        has_number ? number(name.substr(letters)).value_or(UINT64_MAX) : zeta_k_;
    if (!has_number) {
      if (stem == "UNARY") return {code_kind::unary};
      if (stem == "GAMMA") return {code_kind::gamma};
      if (stem == "DELTA") return {code_kind::delta};
      if (stem == "NIBBLE") return {code_kind::nibble};
      if (stem == "GOLOMB") return {code_kind::golomb, zeta_k_};
    }
    if (stem == "ZETA" && parameter >= 1 && parameter <= 63) {
      return {code_kind::zeta, static_cast<std::uint32_t>(parameter)};
    }
    if (stem == "PI" && has_number && parameter <= 16) {
      return {code_kind::pi, static_cast<std::uint32_t>(parameter)};
    }
    fail("compressionflags", fmt::format("'{}' names no known code", flag));
  }

  bvgraph_codes flags() const {
    bvgraph_codes codes;
    std::optional<code> block_counts;
    std::optional<code> blocks;
    std::optional<code> residuals;
    const auto found = entries_.find("compressionflags");
    std::string_view rest = found == entries_.end() ? std::string_view() : found->second.value;
    while (!rest.empty()) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      const std::string flag = upper(trimmed(rest.substr(0, bar)));
      rest.remove_prefix(std::min(bar + 1, rest.size()));
      if (flag.empty()) continue;
      const std::size_t cut = std::min(flag.rfind('_'), flag.size());
      const std::string_view component = std::string_view(flag).substr(0, cut);
      const code named = code_named(flag, cut == flag.size() ? "" : flag.substr(cut + 1));
      if (component == "OUTDEGREES") {
        codes.outdegrees = named;
      } else if (component == "REFERENCES") {
        codes.references = named;
      } else if (component == "BLOCK_COUNT") {
        block_counts = named;
      } else if (component == "BLOCKS") {
        blocks = named;
      } else if (component == "INTERVALS") {
        codes.intervals = named;
      } else if (component == "RESIDUALS") {
        residuals = named;
      } else if (component == "OFFSETS") {
        codes.offsets = named;
      } else {
        fail("compressionflags", fmt::format("'{}' names no known part of a list", flag));
      }
    }
    if (blocks) codes.blocks = *blocks;
    if (block_counts) {
      codes.block_counts = *block_counts;
    } else if (blocks && blocks_mean_counts_) {
      codes.block_counts = *blocks;
    }
    if (!residuals && zeta_k_ > 63) {
      fail("zetak", fmt::format("zetak is {}, but can be at most 63", zeta_k_));
    }
    codes.residuals = residuals.value_or(code{code_kind::zeta, zeta_k_});
    return codes;
  }

  std::string file_;
  std::map<std::string, java_property, std::less<>> entries_;
  std::uint32_t zeta_k_ = 3;
  bool blocks_mean_counts_ = false;
};

}  // namespace

bvgraph_properties read_bvgraph_properties(const std::filesystem::path& file) {
  const whole_file content(file, largest_file + 1);
  const auto bytes = content.bytes();
  if (bytes.size() > largest_file) {
    throw invalid_format(file.string(), "",
                         "this is too large to be the .properties file of a BVGraph");
  }
  return interpreter(file.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
      .interpret();
}

}  // namespace baltoro::io
