// Graphs that algorithms are tested on: as lists of edges, for oracles, and in both layouts.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/oracle.hpp"

namespace baltoro::test {

struct named_graph {
  std::string name;
  index_t vertices;
  std::vector<edge> edges;  // without duplicates
};

// Empty, 1×1, loops, cycles, paths, parts that do not touch, dangling vertices, and random ones.
inline std::vector<named_graph> small_graphs() {
  std::vector<named_graph> graphs = {{"no vertices", 0, {}},    {"one vertex", 1, {}},
                                     {"one loop", 1, {{0, 0}}}, {"no edges", 11, {}},
                                     {"one edge", 2, {{0, 1}}}, {"both ways", 2, {{0, 1}, {1, 0}}}};
  named_graph path{"path", 100, {}};
  named_graph cycle{"cycle", 90, {}};
  named_graph star{"star", 70, {}};
  named_graph complete{"complete with loops", 9, {}};
  for (index_t i = 0; i + 1 < 100; ++i) path.edges.push_back({i, i + 1});
  for (index_t i = 0; i < 90; ++i) cycle.edges.push_back({i, (i + 1) % 90});
  for (index_t i = 1; i < 70; ++i) star.edges.push_back({0, i});
  for (index_t i = 0; i < 81; ++i) complete.edges.push_back({i / 9, i % 9});
  named_graph parts{"parts with loops and dangling vertices", 40, {{3, 3}, {39, 39}, {38, 39}}};
  for (index_t i = 0; i < 10; ++i) {
    parts.edges.push_back({i, (i + 1) % 10});
    parts.edges.push_back({20 + i, 21 + i});
    parts.edges.push_back({i, 20 + i});
  }
  std::sort(parts.edges.begin(), parts.edges.end());
  for (named_graph* g : {&path, &cycle, &star, &complete, &parts}) graphs.push_back(std::move(*g));
  for (const index_t n : {8U, 63U, 64U, 65U, 300U}) {
    for (const index_t degree : {1U, 3U}) {
      graphs.push_back({"random " + std::to_string(n) + " of degree " + std::to_string(degree), n,
                        random_cells({n, n}, std::size_t{n} * degree, n + degree)});
    }
  }
  graphs.push_back({"web", 700, generate_web(700, 5, 1)});
  return graphs;
}

// The same edges with those of the other direction.
inline named_graph symmetric(named_graph g) {
  const std::size_t count = g.edges.size();
  for (std::size_t i = 0; i < count; ++i) g.edges.push_back({g.edges[i].col, g.edges[i].row});
  std::sort(g.edges.begin(), g.edges.end());
  g.edges.erase(std::unique(g.edges.begin(), g.edges.end()), g.edges.end());
  return g;
}

// Calls body(matrix) for both layouts.
inline void in_both_layouts(const named_graph& g, const std::function<void(const matrix&)>& body) {
  const matrix built =
      build(g.edges, {.dims = shape{g.vertices, g.vertices}, .directory_step = 16});
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    SCOPED_TRACE(g.name + ", " + name_of(kind));
    body(convert(built, kind));
  }
}

// Distances by a queue, −1 where unreached.
inline std::vector<int> distances_from(const named_graph& g, index_t source, bool undirected) {
  std::vector<std::vector<index_t>> next(g.vertices);
  for (const edge& e : g.edges) {
    next[e.row].push_back(e.col);
    if (undirected) next[e.col].push_back(e.row);
  }
  std::vector<int> distances(g.vertices, -1);
  std::vector<index_t> queue = {source};
  distances[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const index_t w : next[queue[i]]) {
      if (distances[w] >= 0) continue;
      distances[w] = distances[queue[i]] + 1;
      queue.push_back(w);
    }
  }
  return distances;
}

// Graphs that have containers of several kinds between them. In copies along the diagonal every pattern occurs often
// enough to be named; the last has some that do not.
inline std::vector<std::vector<edge>> streamed_graphs() {
  const auto copies_of = [](std::span<const edge> edges, index_t copies, index_t apart) {
    std::vector<edge> all;
    for (index_t copy = 0; copy < copies; ++copy) {
      for (const edge& e : edges) all.push_back({e.row + copy * apart, e.col + copy * apart});
    }
    return all;
  };
  return {copies_of(generate_web(2'000, 12, 4), 8, 2'048),
          copies_of(generate_rmat(11, 9'000, 0.57, 0.19, 0.19, 7), 8, 2'048),
          copies_of(generate_uniform({2'000, 2'000}, 2'000, 4), 8, 2'048),
          copies_of(generator::relation({16'000, 50}, 20'000, 3).all(), 4, 16'384),
          generate_web(8'000, 10, 4)};
}

}  // namespace baltoro::test
