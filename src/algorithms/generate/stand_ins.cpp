#include "algorithms/generate/stand_ins.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace baltoro {
namespace generators {

std::span<const stand_in_habits> all_stand_ins() {
  static const stand_in_habits all[] = {
      {.graph = {"wd_sports_team", {328'000, 35'000}, 1'140'000, 5.82 / 1.14, 1.105}},
  };
  return all;
}

}  // namespace generators

std::span<const stand_in> stand_ins() {
  static const std::vector<stand_in> graphs = [] {
    std::vector<stand_in> list;
    for (const auto& s : generators::all_stand_ins()) list.push_back(s.graph);
    return list;
  }();
  return graphs;
}

generator generator::like(std::string_view name, std::uint64_t scale, std::uint64_t seed) {
  constexpr std::uint64_t least_edges = 4096;
  std::string names;
  for (const auto& s : generators::all_stand_ins()) {
    if (s.graph.name != name) {
      names += (names.empty() ? "" : ", ") + std::string(s.graph.name);
      continue;
    }
    if (scale == 0 || s.graph.edges / scale < least_edges) {
      throw invalid_argument(fmt::format("scale {}: for {} it must be from 1 to {}", scale, name,
                                         s.graph.edges / least_edges));
    }
    const auto scaled = [scale](std::uint64_t count) {
      return static_cast<index_t>(std::max<std::uint64_t>(2, (count + scale / 2) / scale));
    };
    const shape dims{scaled(s.graph.dims.rows), scaled(s.graph.dims.cols)};
    const std::uint64_t edges = s.graph.edges / scale;
    if (s.merkle) return generator(generators::merkle_rows(dims.rows, edges, seed, *s.merkle));
    return generator(generators::linked_rows(dims, edges, seed, s.links));
  }
  throw invalid_argument(fmt::format("there is no stand-in for '{}', only for {}", name, names));
}

}  // namespace baltoro
