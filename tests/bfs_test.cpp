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
                bool reverse, bool undirected = false) {
  std::vector<std::vector<index_t>> next(n);
  for (const edge& e : edges) {
    if (undirected || !reverse) next[e.row].push_back(e.col);
    if (undirected || reverse) next[e.col].push_back(e.row);
  }
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
  for (const auto& [reverse, undirected] :
       {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    const auto wanted = reference(a.rows(), edges, sources, reverse, undirected);
    const auto result =
        bfs(a, sources, {.reverse = reverse, .parents = true, .undirected = undirected});
    EXPECT_EQ(result.distances, wanted.distances);
    EXPECT_EQ(result.parents, wanted.parents);
    std::vector<std::uint64_t> reached;
    for (const auto d : wanted.distances) {
      if (d < 0) continue;
      if (reached.size() <= static_cast<std::size_t>(d)) reached.resize(d + 1);
      ++reached[d];
    }
    EXPECT_EQ(result.reached_per_level, reached);
    const auto plain = bfs(a, sources, {.reverse = reverse, .undirected = undirected});
    EXPECT_TRUE(plain.parents.empty());
    EXPECT_EQ(plain.distances, wanted.distances);
    EXPECT_EQ(plain.push_steps + plain.pull_steps, reached.size());
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

TEST(Bfs, PushesSmallFrontiersAndPullsLargeOnes) {
  const auto edges = generate_web(20'000, 10, 3);
  const matrix built = build(edges, {.dims = shape{20'000, 20'000}});
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const auto result = bfs(convert(built, kind), std::vector<index_t>{0});
    EXPECT_GT(result.push_steps, 0U);
    EXPECT_GT(result.pull_steps, 0U);
  }
}

TEST(Bfs, DenseGraphs) {
  for (const index_t n : {2U, 7U, 8U, 9U, 130U}) {
    std::vector<edge> edges;
    for (index_t i = 0; i < n; ++i) {
      for (index_t j = 0; j < n; ++j) edges.push_back({i, j});
    }
    expect_search(build(edges, {.dims = shape{n, n}}), edges, {n - 1});
  }
}

TEST(Bfs, Paths) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 3}, {5, 0}};
  const matrix a = build(edges, {.dims = shape{6, 6}});
  const std::vector<index_t> source = {0};
  const auto found = bfs(a, source, {.parents = true});
  EXPECT_EQ(path_to(found, 3), (std::vector<index_t>{0, 2, 3}));
  EXPECT_EQ(path_to(found, 0), (std::vector<index_t>{0}));
  EXPECT_TRUE(path_to(found, 5).empty());
  EXPECT_THROW(path_to(found, 6), invalid_argument);
  EXPECT_THROW(path_to(bfs(a, source), 3), invalid_argument);
}

TEST(Bfs, CanBeCancelled) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}};
  const matrix a = build(edges, {.dims = shape{3, 3}});
  struct cancelled {};
  const progress_callback cancel = [](const progress_event& event) {
    EXPECT_EQ(event.total, 3U);
    throw cancelled();
  };
  bfs_options search;
  search.progress = cancel;
  EXPECT_THROW(bfs(a, std::vector<index_t>{0}, search), cancelled);
  reach_options reached;
  reached.progress = cancel;
  EXPECT_THROW(reach(a, std::vector<index_t>{0}, reached), cancelled);
}

TEST(Bfs, ChecksItsArguments) {
  const std::vector<index_t> source = {3};
  EXPECT_THROW(bfs(build({}, {.dims = shape{3, 3}}), source), invalid_argument);
  EXPECT_THROW(bfs(build({}, {.dims = shape{3, 4}}), {}), invalid_argument);
  EXPECT_TRUE(bfs(matrix(), {}).distances.empty());
  EXPECT_THROW(reach(build({}, {.dims = shape{3, 3}}), source), invalid_argument);
  EXPECT_THROW(reach(build({}, {.dims = shape{3, 4}}), {}), invalid_argument);
  const std::vector<index_t> first = {0};
  bfs_options undirected;
  undirected.where = device::cuda;
  undirected.undirected = true;
  EXPECT_THROW(bfs(build({}, {.dims = shape{3, 3}}), first, undirected), invalid_argument);
}

// One search after the other, for every number of sources at which words end.
void expect_many(const matrix& built, std::span<const edge> edges, std::uint64_t sources_count) {
  const index_t n = built.rows();
  std::vector<index_t> sources;
  for (std::uint64_t k = 0; k < sources_count; ++k) {
    sources.push_back(static_cast<index_t>(k * 7919 % n));
  }
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix a = convert(built, kind);
    for (const auto& [reverse, undirected] :
         {std::pair{false, false}, {true, false}, {false, true}}) {
      SCOPED_TRACE(testing::Message() << name_of(kind) << ' ' << sources_count << reverse);
      const auto result = reach(a, sources, {.reverse = reverse, .undirected = undirected});
      const auto table =
          multi_source_bfs(a, sources, {.reverse = reverse, .undirected = undirected});
      ASSERT_EQ(table.distances.size(), std::size_t{n} * sources_count);
      ASSERT_EQ(result.reached_per_level.size(), result.levels * sources_count);
      EXPECT_EQ(table.levels, result.levels);
      std::uint32_t levels = 0;
      for (std::uint64_t k = 0; k < sources_count; ++k) {
        const auto wanted =
            reference(n, edges, std::span(sources).subspan(k, 1), reverse, undirected).distances;
        std::uint64_t count = 0;
        std::vector<std::uint64_t> per_level(result.levels);
        for (index_t v = 0; v < n; ++v) {
          ASSERT_EQ(table.distances[v * sources_count + k], wanted[v]) << k << ' ' << v;
          ASSERT_EQ(result.reaches(k, v), wanted[v] >= 0) << k << ' ' << v;
          if (wanted[v] < 0) continue;
          ++count;
          levels = std::max(levels, static_cast<std::uint32_t>(wanted[v]) + 1);
          ASSERT_LT(static_cast<std::size_t>(wanted[v]), per_level.size());
          ++per_level[wanted[v]];
        }
        EXPECT_EQ(result.reached[k], count);
        for (std::uint32_t d = 0; d < result.levels; ++d) {
          EXPECT_EQ(result.reached_per_level[d * sources_count + k], per_level[d]);
        }
      }
      EXPECT_EQ(result.levels, levels);
    }
  }
}

TEST(MultiSourceBfs, NumbersOfSourcesWhereWordsEnd) {
  for (const index_t n : {1U, 9U, 500U}) {
    const auto edges = test::random_cells({n, n}, 2 * n, n);
    const matrix a = build(edges, {.dims = shape{n, n}, .directory_step = 16});
    for (const std::uint64_t count : {1U, 63U, 64U, 65U, 300U}) expect_many(a, edges, count);
  }
}

TEST(MultiSourceBfs, SourcesThatReachEverything) {
  std::vector<edge> edges;
  for (index_t i = 0; i < 200; ++i) edges.push_back({i, (i + 1) % 200});
  expect_many(build(edges), edges, 70);
}

TEST(MultiSourceBfs, NoSourcesAndNoVertices) {
  const matrix a = build({}, {.dims = shape{5, 5}});
  const auto none = reach(a, {});
  EXPECT_EQ(none.levels, 0U);
  EXPECT_TRUE(none.table.empty());
  EXPECT_EQ(reach(matrix(), {}).levels, 0U);
  EXPECT_EQ(multi_source_bfs(a, {}).levels, 0U);
}

TEST(MultiSourceBfs, StopsAfterSoManyLevels) {
  std::vector<edge> edges;
  for (index_t i = 0; i + 1 < 20; ++i) edges.push_back({i, i + 1});
  const matrix a = build(edges, {.dims = shape{20, 20}});
  const std::vector<index_t> sources = {0, 3, 19};
  for (const std::uint32_t limit : {0U, 1U, 5U}) {
    const auto result = reach(a, sources, {.max_levels = limit});
    EXPECT_EQ(result.reached, (std::vector<std::uint64_t>{limit + 1, limit + 1, 1}));
    EXPECT_EQ(result.levels, limit + 1);
    const auto table = multi_source_bfs(a, sources, {.max_levels = limit});
    EXPECT_EQ(table.levels, limit + 1);
    for (index_t v = 0; v < 20; ++v) {
      EXPECT_EQ(table.distances[3 * v], v <= limit ? static_cast<std::int32_t>(v) : -1);
    }
  }
}

}  // namespace
