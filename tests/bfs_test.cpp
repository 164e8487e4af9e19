// Breadth-first search against a queue over adjacency lists.
#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>

#include <deque>

#include <gtest/gtest.h>

#include "support/oracle.hpp"

namespace {

using namespace baltoro;

struct found {
  std::vector<std::int32_t> distances;
  std::vector<std::int64_t> parents;
};

found reference(index_t n, std::span<const edge> edges, std::span<const index_t> sources,
                bool reverse) {
  std::vector<std::vector<index_t>> next(n);
  for (const edge& e : edges) next[reverse ? e.col : e.row].push_back(reverse ? e.row : e.col);
  found f{std::vector<std::int32_t>(n, -1), std::vector<std::int64_t>(n, -1)};
  std::deque<index_t> queue;
  for (const index_t s : sources) {
    if (f.distances[s] == 0) continue;
    f.distances[s] = 0;
    f.parents[s] = s;
    queue.push_back(s);
  }
  while (!queue.empty()) {
    const index_t v = queue.front();
    queue.pop_front();
    for (const index_t w : next[v]) {
      if (f.distances[w] == -1) {
        f.distances[w] = f.distances[v] + 1;
        queue.push_back(w);
      }
      if (f.distances[w] == f.distances[v] + 1 && (f.parents[w] == -1 || v < f.parents[w])) {
        f.parents[w] = v;
      }
    }
  }
  return f;
}

void expect_search(const matrix& built, layout kind, std::span<const edge> edges,
                   const std::vector<index_t>& sources) {
  SCOPED_TRACE(name_of(kind));
  const matrix a = convert(built, kind);
  for (const bool reverse : {false, true}) {
    const auto wanted = reference(a.rows(), edges, sources, reverse);
    const auto result = bfs(a, sources, {.reverse = reverse, .parents = true});
    EXPECT_EQ(result.distances, wanted.distances);
    EXPECT_EQ(result.parents, wanted.parents);
    std::vector<std::uint64_t> reached;
    for (const auto d : wanted.distances) {
      if (d < 0) continue;
      if (reached.size() <= static_cast<std::size_t>(d)) reached.resize(d + 1);
      ++reached[d];
    }
    EXPECT_EQ(result.reached_per_level, reached);
    EXPECT_TRUE(bfs(a, sources, {.reverse = reverse}).parents.empty());
  }
}

void expect_search(const matrix& a, std::span<const edge> edges,
                   const std::vector<index_t>& sources) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    expect_search(a, kind, edges, sources);
  }
}

TEST(Bfs, ByHand) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {0, 2}, {3, 0}};
  const matrix a = build(edges, {.dims = shape{4, 4}});
  const std::vector<index_t> source = {0};
  EXPECT_EQ(bfs(a, source).distances, (std::vector<std::int32_t>{0, 1, 1, -1}));
  const auto back = bfs(a, source, {.reverse = true, .parents = true});
  EXPECT_EQ(back.distances, (std::vector<std::int32_t>{0, -1, -1, 1}));
  EXPECT_EQ(back.parents, (std::vector<std::int64_t>{0, -1, -1, 0}));
}

TEST(Bfs, RandomGraphs) {
  for (const index_t n : {1U, 2U, 3U, 50U, 64U, 65U, 700U}) {
    const auto edges = test::random_cells({n, n}, 2 * n, n);
    const matrix a = build(edges, {.dims = shape{n, n}, .directory_step = 16});
    expect_search(a, edges, {0});
    expect_search(a, edges, {n - 1, 0, n / 2, 0});
    expect_search(a, edges, {});
  }
}

TEST(Bfs, ALongPath) {
  std::vector<edge> edges;
  for (index_t i = 0; i + 1 < 3000; ++i) edges.push_back({i, i + 1});
  const matrix a = build(edges, {.dims = shape{3000, 3000}});
  expect_search(a, edges, {0});
  expect_search(a, edges, {1500});
}

TEST(Bfs, FrontiersOfManyPieces) {
  const auto edges = generate_web(60'000, 10, 3);
  const matrix a = build(edges, {.dims = shape{60'000, 60'000}});
  expect_search(a, edges, {0, 17, 59'999});
}

TEST(Bfs, ChecksItsArguments) {
  const std::vector<index_t> source = {3};
  EXPECT_THROW(bfs(build({}, {.dims = shape{3, 3}}), source), invalid_argument);
  EXPECT_THROW(bfs(build({}, {.dims = shape{3, 4}}), {}), invalid_argument);
  EXPECT_TRUE(bfs(matrix(), {}).distances.empty());
}

}  // namespace
