#include "algorithms/generate/stand_ins.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace baltoro {
namespace generators {

namespace {

// What was left free is calibrated: two settings for each graph, so that nodes an edge and edges a 4x4 block
// come out.
link_habits relation(double group, double popularity_ratio, bool scattered_hubs = false) {
  return {.least_one = true,
          .scattered_hubs = scattered_hubs,
          .group = group,
          .kept = 1,
          .run = 0.02,
          .near = 0,
          .popularity_ratio = popularity_ratio,
          .degree_ratio = 0.4,
          .degree_spread = 64};
}

link_habits citation() {
  return {.older_only = true,
          .scattered_hubs = true,
          .group = 0.2,
          .kept = 0.4,
          .run = 0.05,
          .near = 0.7,
          .distance_ratio = 1.15,
          .popularity_ratio = 1.5,
          .degree_ratio = 0.5,
          .degree_spread = 64};
}

link_habits social(double kept, double run, double near, double distance_ratio) {
  return {.group = 0.2,
          .kept = kept,
          .run = run,
          .near = near,
          .distance_ratio = distance_ratio,
          .popularity_ratio = 1.1,
          .degree_ratio = 0.6};
}

link_habits crawl(double kept, double run) {
  return {.hosts = true,
          .group = 0.85,
          .kept = kept,
          .run = run,
          .near = 0.55,
          .head = 0.4,
          .distance_ratio = 0.6,
          .popularity_ratio = 0.9,
          .degree_ratio = 0.6,
          .degree_spread = 256};
}

}  // namespace

std::span<const stand_in_habits> all_stand_ins() {
  static const stand_in_habits all[] = {
      {.graph = {"wd_sports_team", {328'000, 35'000}, 1'140'000, 5.105, 1.105},
       .links = relation(0.03, 0.894, true)},
      {.graph = {"wd_cast_member", {177'700, 140'000}, 1'030'000, 5.650, 1.123},
       .links = relation(0.1235, 1.008, true)},
      {.graph = {"wd_citizenship", {2'863'000, 3'500}, 3'060'000, 2.523, 1.605},
       .links = relation(0.3832, 0.8338)},
      {.graph = {"wd_occupation", {3'450'000, 10'610}, 4'600'000, 3.759, 1.221},
       .links = relation(0.046, 0.92)},
      {.graph = {"wd_subclass_of", {1'480'000, 95'000}, 2'020'000, 2.827, 1.820},
       .links = relation(0.632, 0.92)},
      {.graph = {"wd_country", {10'060'000, 1'747}, 10'090'000, 1.678, 2.353},
       .links = relation(0.68, 0.816)},
      {.graph = {"wd_cites_work", {7'070'000, 12'180'000}, 166'680'000, 7.079, 1.132},
       .links = citation()},
      {.graph = {"swh", {45'600'000, 45'600'000}, 1'220'000'000, 1.041, 4.127},
       .merkle = merkle_habits{}},
      {.graph = {"ljournal-2008", {5'363'260, 5'363'260}, 79'023'142, 3.566, 1.629},
       .links = social(0.5, 0.285, 0.85, 0.84)},
      {.graph = {"enwiki-2013", {4'206'785, 4'206'785}, 101'355'853, 4.079, 1.367},
       .links = social(0.3, 0.12, 0.8, 0.86)},
      {.graph = {"indochina-2004", {7'414'866, 7'414'866}, 194'109'311, 0.601, 7.703},
       .links = crawl(0.995, 0.848)},
      {.graph = {"uk-2002", {18'520'486, 18'520'486}, 298'113'762, 0.780, 5.933},
       .links = crawl(0.965, 0.79)},
      {.graph = {"arabic-2005", {22'744'080, 22'744'080}, 639'999'458, 0.687, 6.693},
       .links = crawl(0.97, 0.79)},
      {.graph = {"it-2004", {41'291'594, 41'291'594}, 1'150'725'436, 0.692, 6.657},
       .links = crawl(0.97, 0.79)},
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
