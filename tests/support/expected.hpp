// What is known of the real graphs: the columns of expected.tsv in the shared data.
#pragma once

#include <baltoro/matrix.hpp>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/data.hpp"

namespace baltoro::test {

// One line: a relation of a graph, "*" for the union of all or the only matrix.
struct expected_matrix {
  std::string graph;
  std::string relation;
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::uint64_t nnz = 0;
  std::uint64_t levels = 0;
  std::uint64_t nodes = 0;
  double bits_per_edge = 0;  // rounded to four places, like the entropy
  std::vector<std::uint64_t> nodes_per_level;
  std::uint64_t nonempty_4x4 = 0;
  std::uint64_t nonempty_8x8 = 0;
  std::uint64_t distinct_8x8 = 0;
  double h0_8x8_bits_per_edge = 0;
  std::uint64_t checksum = 0;  // see checksum_of
  std::uint64_t diagonal = 0;
  // Not computed for every matrix.
  std::optional<std::uint64_t> nnz_a_or_at;
  std::optional<std::uint64_t> nnz_aa;
  std::optional<std::uint64_t> nnz_closure;
};

// The sum of row · cols + col over all cells, modulo 2^64.
inline std::uint64_t checksum_of(const matrix& a) {
  std::uint64_t sum = 0;
  a.for_each([&](std::span<const edge> cells) {
    for (const edge& cell : cells) sum += std::uint64_t{cell.row} * a.cols() + cell.col;
  });
  return sum;
}

// The number of nodes of every level, root first.
inline std::vector<std::uint64_t> nodes_per_level_of(const matrix& a) {
  std::vector<std::uint64_t> nodes;
  for (unsigned level = 0; level < a.tree().levels; ++level) {
    nodes.push_back(a.tree().nodes_at(level));
  }
  return nodes;
}

namespace detail {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = text.find(separator);
    fields.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return fields;
    text.remove_prefix(end + 1);
  }
}

inline std::uint64_t whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error("expected.tsv: not a number: " + std::string(text));
  }
  return value;
}

inline std::optional<std::uint64_t> perhaps(std::string_view text) {
  if (text == "-") return std::nullopt;
  return whole_number(text);
}

}  // namespace detail

// All lines about a graph ("cnr-2000", "git-v1.8.0", "codex-m", "debian-packages"), about all
// graphs where the name is empty; none where the file is absent.
inline std::vector<expected_matrix> expected_of(std::string_view graph = {}) {
  std::vector<expected_matrix> result;
  const auto file = shared_data("expected.tsv");
  if (!file) return result;
  std::ifstream in(*file);
  std::string line;
  std::getline(in, line);
  if (!line.starts_with("graph\trelation\trows\tcols\tnnz\tlevels\tnodes\t")) {
    throw std::runtime_error("expected.tsv: unknown columns: " + line);
  }
  while (std::getline(in, line)) {
    const auto f = detail::split(line, '\t');
    if (f.size() != 18) throw std::runtime_error("expected.tsv: not 18 columns: " + line);
    if (!graph.empty() && f[0] != graph) continue;
    expected_matrix one;
    one.graph = f[0];
    one.relation = f[1];
    one.rows = detail::whole_number(f[2]);
    one.cols = detail::whole_number(f[3]);
    one.nnz = detail::whole_number(f[4]);
    one.levels = detail::whole_number(f[5]);
    one.nodes = detail::whole_number(f[6]);
    one.bits_per_edge = std::stod(std::string(f[7]));
    for (const auto nodes : detail::split(f[8], ',')) {
      one.nodes_per_level.push_back(detail::whole_number(nodes));
    }
    one.nonempty_4x4 = detail::whole_number(f[9]);
    one.nonempty_8x8 = detail::whole_number(f[10]);
    one.distinct_8x8 = detail::whole_number(f[11]);
    one.h0_8x8_bits_per_edge = std::stod(std::string(f[12]));
    one.checksum = detail::whole_number(f[13]);
    one.diagonal = detail::whole_number(f[14]);
    one.nnz_a_or_at = detail::perhaps(f[15]);
    one.nnz_aa = detail::perhaps(f[16]);
    one.nnz_closure = detail::perhaps(f[17]);
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace baltoro::test
