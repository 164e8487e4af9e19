// Writes BVGraphs in every way the format allows. For tests only: small graphs, no speed.
#pragma once

#include <baltoro/types.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "io/bvgraph_properties.hpp"
#include "support/temporary_directory.hpp"

namespace baltoro::test {

// Bits in the order of the stream.
class bit_writer {
 public:
  explicit bit_writer(io::bit_order order) : order_(order) {}
  bit_writer(io::bit_order order, std::string_view digits) : order_(order) { raw(digits); }

  std::size_t size() const { return bits_.size(); }
  const std::string& digits() const { return bits_; }
  void append(const bit_writer& other) { bits_ += other.bits_; }

  // "0" and "1" as they stand; anything else is for the eye.
  void raw(std::string_view digits) {
    for (const char c : digits) {
      if (c == '0' || c == '1') bits_ += c;
    }
  }

  void number(std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned bit = order_ == io::bit_order::msb_first ? count - 1 - i : i;
      bits_ += (value >> bit & 1) != 0 ? '1' : '0';
    }
  }

  void unary(std::uint64_t value) {
    bits_.append(value, '0');
    bits_ += '1';
  }

  void minimal_binary(std::uint64_t value, std::uint64_t bound) {
    unsigned log = 0;
    while (bound >> log > 1) ++log;
    const std::uint64_t short_ones = (std::uint64_t{2} << log) - bound;
    if (value < short_ones) {
      number(value, log);
    } else {
      number((value + short_ones) >> 1, log);
      number((value + short_ones) & 1, 1);
    }
  }

  void write(io::code what, std::uint64_t value) {
    const std::uint64_t n = value + 1;
    unsigned log = 0;
    while (n >> log > 1) ++log;
    const unsigned k = what.parameter;
    switch (what.kind) {
      case io::code_kind::unary:
        unary(value);
        break;
      case io::code_kind::gamma:
        unary(log);
        number(n, log);
        break;
      case io::code_kind::delta:
        write({io::code_kind::gamma}, log);
        number(n, log);
        break;
      case io::code_kind::zeta: {
        const unsigned h = log / k;
        const std::uint64_t left = std::uint64_t{1} << (h * k);
        unary(h);
        minimal_binary(n - left, (left << k) - left);
        break;
      }
      case io::code_kind::pi:
        unary(log >> k);
        number(log, k);
        number(n, log);
        break;
      case io::code_kind::golomb:
        unary(value / k);
        minimal_binary(value % k, k);
        break;
      case io::code_kind::nibble: {
        unsigned groups = 1;
        while (value >> (3 * groups) != 0) ++groups;
        while (groups-- != 0) {
          number(groups == 0 ? 1 : 0, 1);
          number(value >> (3 * groups), 3);
        }
        break;
      }
    }
  }

  // Padded with zeros to whole bytes.
  std::string bytes() const {
    std::string result((bits_.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      const unsigned bit =
          static_cast<unsigned>(order_ == io::bit_order::msb_first ? 7 - i % 8 : i % 8);
      if (bits_[i] == '1') result[i / 8] = static_cast<char>(result[i / 8] | 1 << bit);
    }
    return result;
  }

 private:
  io::bit_order order_;
  std::string bits_;
};

struct bvgraph_options {
  io::bvgraph_codes codes;
  io::bit_order order = io::bit_order::msb_first;
  unsigned window_size = 7;
  unsigned max_reference_count = 3;
  unsigned min_interval_length = 4;
  bool with_offsets = false;
};

using adjacency = std::vector<std::set<index_t>>;

class bvgraph_writer {
 public:
  bvgraph_writer(const adjacency& lists, const bvgraph_options& options)
      : lists_(lists), options_(options), graph_(options.order), offsets_(options.order) {
    std::vector<unsigned> depth(lists.size(), 0);
    offsets_.write(options.codes.offsets, 0);
    for (std::size_t node = 0; node < lists.size(); ++node) {
      bit_writer best = list(node, 0);
      for (std::size_t reference = 1; reference <= std::min<std::size_t>(options.window_size, node);
           ++reference) {
        if (lists[node].empty() || depth[node - reference] >= options.max_reference_count) continue;
        bit_writer other = list(node, reference);
        if (other.size() >= best.size()) continue;
        best = other;
        depth[node] = depth[node - reference] + 1;
      }
      graph_.append(best);
      offsets_.write(options.codes.offsets, best.size());
      arcs_ += lists[node].size();
    }
  }

  const bit_writer& graph() const { return graph_; }
  const bit_writer& offsets() const { return offsets_; }

  std::string properties() const {
    std::string text = "#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\n";
    text += fmt::format("version=1\nendianness={}\nnodes={}\narcs={}\n",
                        options_.order == io::bit_order::msb_first ? "big" : "little",
                        lists_.size(), arcs_);
    text +=
        fmt::format("windowsize={}\nmaxrefcount={}\nminintervallength={}\n", options_.window_size,
                    options_.max_reference_count, options_.min_interval_length);
    const io::bvgraph_codes& c = options_.codes;
    std::uint32_t zeta_k = 3;
    for (const io::code& code : {c.outdegrees, c.references, c.block_counts, c.blocks, c.intervals,
                                 c.residuals, c.offsets}) {
      if (code.kind == io::code_kind::golomb) zeta_k = code.parameter;
    }
    text += fmt::format(
        "zetak={}\ncompressionflags=OUTDEGREES_{}|REFERENCES_{}|BLOCK_COUNT_{}|"
        "BLOCKS_{}|INTERVALS_{}|RESIDUALS_{}|OFFSETS_{}\n",
        zeta_k, name(c.outdegrees), name(c.references), name(c.block_counts), name(c.blocks),
        name(c.intervals), name(c.residuals), name(c.offsets));
    return text;
  }

  // Writes the files and returns their basename.
  std::filesystem::path write(const temporary_directory& folder, const std::string& name) const {
    folder.write(name + ".properties", properties());
    folder.write(name + ".graph", graph_.bytes());
    if (options_.with_offsets) folder.write(name + ".offsets", offsets_.bytes());
    return folder / name;
  }

  static std::string name(io::code code) {
    switch (code.kind) {
      case io::code_kind::unary:
        return "UNARY";
      case io::code_kind::gamma:
        return "GAMMA";
      case io::code_kind::delta:
        return "DELTA";
      case io::code_kind::zeta:
        return fmt::format("ZETA{}", code.parameter);
      case io::code_kind::pi:
        return fmt::format("PI{}", code.parameter);
      case io::code_kind::golomb:
        return "GOLOMB";
      case io::code_kind::nibble:
        return "NIBBLE";
    }
    return {};
  }

 private:
  static std::uint64_t relative(std::int64_t value) {
    return value >= 0 ? 2 * static_cast<std::uint64_t>(value)
                      : 2 * static_cast<std::uint64_t>(-value) - 1;
  }

  bit_writer list(std::size_t node, std::size_t reference) const {
    const io::bvgraph_codes& codes = options_.codes;
    const std::set<index_t>& successors = lists_[node];
    bit_writer out(options_.order);
    out.write(codes.outdegrees, successors.size());
    if (successors.empty()) return out;
    if (options_.window_size > 0) out.write(codes.references, reference);
    std::set<index_t> missing = successors;
    if (reference > 0) blocks(out, lists_[node - reference], missing);
    std::vector<index_t> rest(missing.begin(), missing.end());
    if (!rest.empty() && options_.min_interval_length > 0) intervals(out, node, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      out.write(codes.residuals,
                i == 0 ? relative(std::int64_t{rest[0]} - static_cast<std::int64_t>(node))
                       : rest[i] - rest[i - 1] - 1);
    }
    return out;
  }

  // Writes which runs of `source` are copied and takes them out of `missing`.
  void blocks(bit_writer& out, const std::set<index_t>& source, std::set<index_t>& missing) const {
    std::vector<std::uint64_t> lengths{0};
    bool copying = true;
    for (const index_t node : source) {
      const bool wanted = missing.erase(node) != 0;
      if (wanted != copying) {
        lengths.push_back(0);
        copying = wanted;
      }
      ++lengths.back();
    }
    if (lengths.size() % 2 == 1) lengths.pop_back();  // the rest is copied without saying so
    out.write(options_.codes.block_counts, lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      out.write(options_.codes.blocks, lengths[i] - (i == 0 ? 0 : 1));
    }
  }

  // Writes the runs of `rest` that are long enough and takes them out.
  void intervals(bit_writer& out, std::size_t node, std::vector<index_t>& rest) const {
    const std::uint64_t least = options_.min_interval_length;
    std::vector<std::pair<index_t, std::uint64_t>> found;
    std::vector<index_t> others;
    for (std::size_t i = 0; i < rest.size();) {
      std::size_t end = i + 1;
      while (end < rest.size() && rest[end] == rest[end - 1] + 1) ++end;
      if (end - i >= least) {
        found.emplace_back(rest[i], end - i);
      } else {
        others.insert(others.end(), rest.begin() + static_cast<std::ptrdiff_t>(i),
                      rest.begin() + static_cast<std::ptrdiff_t>(end));
      }
      i = end;
    }
    const io::code code = options_.codes.intervals;
    out.write(code, found.size());
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto [left, length] = found[i];
      out.write(code, i == 0 ? relative(std::int64_t{left} - static_cast<std::int64_t>(node))
                             : left - end - 1);
      out.write(code, length - least);
      end = left + length;
    }
    rest = others;
  }

  const adjacency& lists_;
  bvgraph_options options_;
  bit_writer graph_;
  bit_writer offsets_;
  std::uint64_t arcs_ = 0;
};

}  // namespace baltoro::test
