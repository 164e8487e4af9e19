// Centralities by shortest paths against their definitions; the comparison with networkx is in the tests of the
// command.
#include <baltoro/centrality.hpp>
#include <baltoro/error.hpp>
#include <baltoro/threads.hpp>

#include <numeric>

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace {

using namespace baltoro;

std::vector<index_t> all_vertices(index_t n) {
  std::vector<index_t> all(n);
  std::iota(all.begin(), all.end(), index_t{0});
  return all;
}

TEST(Centrality, ClosenessAndHarmonic) {
  for (const auto& g : test::small_graphs()) {
    for (const bool undirected : {false, true}) {
      std::vector<std::vector<int>> from;
      for (index_t v = 0; v < g.vertices; ++v) from.push_back(distances_from(g, v, undirected));
      for (const std::uint64_t count : {std::uint64_t{5}, std::uint64_t{g.vertices}}) {
        const auto sources = sample_vertices(g.vertices, count, 7);
        test::in_both_layouts(g, [&](const matrix& a) {
          const auto found = distance_centrality(a, sources, {.undirected = undirected});
          ASSERT_EQ(found.closeness.size(), g.vertices);
          for (index_t v = 0; v < g.vertices; ++v) {
            double sum = 0;
            double inverses = 0;
            double reaching = 0;
            double others = 0;
            for (const index_t s : sources) {
              if (s == v) continue;
              ++others;
              if (from[s][v] < 0) continue;
              ++reaching;
              sum += from[s][v];
              inverses += 1.0 / from[s][v];
            }
            ASSERT_NEAR(found.closeness[v], reaching == 0 ? 0 : reaching / sum * reaching / others,
                        1e-12);
            ASSERT_NEAR(found.harmonic[v],
                        reaching == 0 ? 0 : inverses * (g.vertices - 1.0) / others, 1e-9);
          }
        });
      }
    }
  }
}

TEST(Centrality, AgainstTheEdgesIsThatOfTheTransposedGraph) {
  test::named_graph g{"random", 200, test::random_cells({200, 200}, 500, 3)};
  test::named_graph turned{"turned", 200, {}};
  for (const edge& e : g.edges) turned.edges.push_back({e.col, e.row});
  const auto sources = sample_vertices(200, 50, 1);
  const matrix a = build(g.edges, {.dims = shape{200, 200}});
  const matrix b = build(turned.edges, {.dims = shape{200, 200}});
  EXPECT_EQ(distance_centrality(a, sources, {.reverse = true}).closeness,
            distance_centrality(b, sources).closeness);
}

// Σ over s, t of the share of shortest paths through v: σ(s, v)·σ(v, t) / σ(s, t) where the distances add up.
std::vector<double> reference_betweenness(const test::named_graph& g,
                                          const std::vector<index_t>& sources) {
  const index_t n = g.vertices;
  std::vector<std::vector<int>> distance;
  std::vector<std::vector<double>> paths;
  for (index_t s = 0; s < n; ++s) {
    distance.push_back(distances_from(g, s, false));
    std::vector<double> counts(n);
    counts[s] = 1;
    for (int level = 0; level < static_cast<int>(n); ++level) {
      for (const edge& e : g.edges) {
        if (distance[s][e.row] == level && distance[s][e.col] == level + 1) {
          counts[e.col] += counts[e.row];
        }
      }
    }
    paths.push_back(counts);
  }
  std::vector<double> scores(n);
  for (const index_t s : sources) {
    for (index_t v = 0; v < n; ++v) {
      for (index_t t = 0; t < n; ++t) {
        if (v == s || v == t || s == t || distance[s][v] < 0 || distance[v][t] < 0) continue;
        if (distance[s][v] + distance[v][t] != distance[s][t]) continue;
        scores[v] += paths[s][v] * paths[v][t] / paths[s][t];
      }
    }
  }
  for (double& score : scores) {
    score *= n < 3 ? 0
                   : static_cast<double>(n) / static_cast<double>(sources.size()) /
                         ((n - 1.0) * (n - 2.0));
  }
  return scores;
}

TEST(Centrality, Betweenness) {
  for (const auto& g : test::small_graphs()) {
    if (g.vertices == 0 || g.vertices > 100) continue;
    for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{g.vertices}}) {
      const auto sources = sample_vertices(g.vertices, count, 5);
      const auto wanted = reference_betweenness(g, sources);
      test::in_both_layouts(g, [&](const matrix& a) {
        for (const index_t batch : {1U, 8U}) {
          betweenness_options options;
          options.batch = batch;
          const auto found = betweenness(a, sources, options);
          ASSERT_EQ(found.scores.size(), g.vertices);
          for (index_t v = 0; v < g.vertices; ++v) {
            ASSERT_NEAR(found.scores[v], wanted[v], 1e-12) << v;
          }
        }
      });
    }
  }
}

TEST(Centrality, BetweennessHasTheSameBitsOnAnyNumberOfThreads) {
  const auto edges = generate_web(6000, 6, 2);
  const matrix a = build(edges, {.dims = shape{6000, 6000}, .kind = layout::adaptive});
  const auto sources = sample_vertices(6000, 16, 1);
  std::vector<double> first;
  for (const unsigned threads : {1U, 3U}) {
    const thread_limit limit(threads);
    const auto found = betweenness(a, sources).scores;
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
  }
}

TEST(Centrality, DiameterBounds) {
  for (const auto& g : test::small_graphs()) {
    // Of the largest weakly connected component, of several the one with the smallest vertex.
    index_t diameter = 0;
    std::uint64_t size = 0;
    for (index_t v = 0; v < g.vertices; ++v) {
      const auto distances = distances_from(g, v, true);
      const auto reached = static_cast<std::uint64_t>(
          std::count_if(distances.begin(), distances.end(), [](int d) { return d >= 0; }));
      const auto first = static_cast<index_t>(
          std::find_if(distances.begin(), distances.end(), [](int d) { return d >= 0; }) -
          distances.begin());
      if (first != v || reached <= size) continue;
      size = reached;
      diameter = 0;
      for (index_t w = 0; w < g.vertices; ++w) {
        if (distances[w] < 0) continue;
        const auto of_w = distances_from(g, w, true);
        diameter =
            std::max(diameter, static_cast<index_t>(*std::max_element(of_w.begin(), of_w.end())));
      }
    }
    test::in_both_layouts(g, [&](const matrix& a) {
      for (const std::uint32_t searches : {1U, 2U, 10'000U}) {
        const auto found = diameter_bounds(a, {.max_searches = searches});
        EXPECT_LE(found.lower, diameter);
        EXPECT_GE(found.upper, diameter);
        EXPECT_EQ(found.vertices, size);
        EXPECT_LE(found.searches, searches);
        if (searches > g.vertices) {
          EXPECT_EQ(found.lower, found.upper);
        }
      }
    });
  }
}

TEST(Centrality, Samples) {
  EXPECT_EQ(sample_vertices(5, 5, 1), all_vertices(5));
  EXPECT_EQ(sample_vertices(5, 100, 1), all_vertices(5));
  EXPECT_TRUE(sample_vertices(0, 3, 1).empty());
  EXPECT_TRUE(sample_vertices(9, 0, 1).empty());
  std::vector<int> drawn(50);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto sample = sample_vertices(50, 10, seed);
    ASSERT_EQ(sample.size(), 10U);
    EXPECT_EQ(sample, sample_vertices(50, 10, seed));
    for (std::size_t i = 0; i < sample.size(); ++i) {
      if (i > 0) {
        EXPECT_LT(sample[i - 1], sample[i]);
      }
      ++drawn[sample[i]];
    }
  }
  // Expected 80 each, with a standard deviation of 8.
  for (const int count : drawn) EXPECT_NEAR(count, 80, 45);
}

TEST(Centrality, CanBeCancelled) {
  struct cancelled {};
  const progress_callback cancel = [](const progress_event&) { throw cancelled(); };
  const std::vector<edge> edges = {{0, 1}, {1, 0}, {1, 2}};
  const matrix a = build(edges, {.dims = shape{3, 3}});
  const auto sources = all_vertices(3);
  EXPECT_THROW(distance_centrality(a, sources, {.progress = cancel}), cancelled);
  betweenness_options options;
  options.progress = cancel;
  EXPECT_THROW(betweenness(a, sources, options), cancelled);
  EXPECT_THROW(diameter_bounds(a, {.progress = cancel}), cancelled);
}

TEST(Centrality, ChecksItsArguments) {
  const matrix square = build({}, {.dims = shape{3, 3}});
  const matrix other = build({}, {.dims = shape{3, 4}});
  const std::vector<index_t> outside = {3};
  const std::vector<index_t> twice = {1, 1};
  EXPECT_THROW(distance_centrality(square, outside), invalid_argument);
  EXPECT_THROW(distance_centrality(square, twice), invalid_argument);
  EXPECT_THROW(distance_centrality(other, {}), invalid_argument);
  EXPECT_THROW(betweenness(square, outside), invalid_argument);
  EXPECT_THROW(betweenness(other, {}), invalid_argument);
  betweenness_options options;
  options.batch = 0;
  EXPECT_THROW(betweenness(square, {}, options), invalid_argument);
  EXPECT_THROW(diameter_bounds(other), invalid_argument);
  EXPECT_THROW(diameter_bounds(square, {.max_searches = 0}), invalid_argument);
}

}  // namespace
