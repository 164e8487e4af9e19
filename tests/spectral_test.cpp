// Scores that are fixed points, checked by what makes them so, and by hand.
#include <baltoro/error.hpp>
#include <baltoro/spectral.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace {

using namespace baltoro;

double sum_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double length_of(const std::vector<double>& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

// y = Aᵀx, or A x.
std::vector<double> multiply(const test::named_graph& g, const std::vector<double>& x, bool along) {
  std::vector<double> y(g.vertices);
  for (const edge& e : g.edges) {
    if (along) {
      y[e.col] += x[e.row];
    } else {
      y[e.row] += x[e.col];
    }
  }
  return y;
}

void expect_multiple(const std::vector<double>& found, std::vector<double> wanted, double of) {
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i] * of, 1e-9) << i;
}

TEST(Hits, ScoresAreFixedPoints) {
  for (const auto& g : test::small_graphs()) {
    test::in_both_layouts(g, [&](const matrix& a) {
      const auto found = hits(a, {.tolerance = 1e-14, .max_iterations = 100'000});
      EXPECT_TRUE(found.converged);
      ASSERT_EQ(found.hubs.size(), g.vertices);
      if (g.edges.empty()) {
        EXPECT_EQ(sum_of(found.hubs) + sum_of(found.authorities), 0);
        return;
      }
      const auto authorities = multiply(g, found.hubs, true);
      expect_multiple(found.authorities, authorities, 1 / sum_of(authorities));
      const auto hubs = multiply(g, found.authorities, false);
      expect_multiple(found.hubs, hubs, 1 / sum_of(hubs));
    });
  }
}

TEST(Hits, ByHand) {
  const std::vector<edge> edges = {{0, 1}, {0, 2}, {3, 2}};
  const auto found = hits(build(edges, {.dims = shape{4, 4}}), {.tolerance = 1e-14});
  // h = (φ, 1) up to scale, with φ² = φ + 1.
  const double golden = (1 + std::sqrt(5.0)) / 2;
  EXPECT_NEAR(found.hubs[0] / found.hubs[3], golden, 1e-9);
  EXPECT_NEAR(found.authorities[2] / found.authorities[1], golden, 1e-9);
  EXPECT_EQ(found.hubs[1], 0);
}

TEST(Katz, ScoresAreFixedPoints) {
  for (const auto& g : test::small_graphs()) {
    test::in_both_layouts(g, [&](const matrix& a) {
      katz_options options;
      options.tolerance = 1e-13;
      options.attenuation = 0.02;
      options.base = 3;
      const auto found = katz_centrality(a, options);
      EXPECT_TRUE(found.converged);
      ASSERT_EQ(found.scores.size(), g.vertices);
      if (g.vertices == 0) return;
      EXPECT_NEAR(length_of(found.scores), 1, 1e-12);
      // Up to one factor for all vertices: x − α·Aᵀx is the same everywhere.
      const auto passed = multiply(g, found.scores, true);
      for (index_t v = 0; v < g.vertices; ++v) {
        EXPECT_NEAR(found.scores[v] - 0.02 * passed[v], found.scores[0] - 0.02 * passed[0], 1e-9);
      }
    });
  }
}

TEST(Katz, AnAttenuationThatIsTooLargeIsSeen) {
  std::vector<edge> edges;
  for (index_t i = 0; i < 25; ++i) edges.push_back({i / 5, i % 5});
  katz_options options;
  options.attenuation = 0.5;
  const auto found = katz_centrality(build(edges), options);
  EXPECT_FALSE(found.converged);
  options.attenuation = 0.19;
  EXPECT_TRUE(katz_centrality(build(edges), options).converged);
}

TEST(Eigenvector, ScoresAreAnEigenvector) {
  for (const auto& directed : test::small_graphs()) {
    if (directed.vertices == 0 || directed.vertices > 100) continue;
    const auto g = test::symmetric(directed);
    test::in_both_layouts(g, [&](const matrix& a) {
      const auto found = eigenvector_centrality(a, {.tolerance = 1e-15, .max_iterations = 200'000});
      EXPECT_NEAR(length_of(found.scores), 1, 1e-12);
      const auto passed = multiply(g, found.scores, true);
      const double value =
          std::inner_product(passed.begin(), passed.end(), found.scores.begin(), 0.0);
      for (index_t v = 0; v < g.vertices; ++v) {
        EXPECT_NEAR(passed[v], value * found.scores[v], 1e-5) << v;
      }
    });
  }
}

TEST(Eigenvector, ABipartiteGraphConverges) {
  const std::vector<edge> edges = {{0, 1}, {1, 0}, {0, 2}, {2, 0}};
  const auto found = eigenvector_centrality(build(edges), {.tolerance = 1e-14});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.scores[0], std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(found.scores[1], 0.5, 1e-9);
}

TEST(Spectral, StopsWhenToldTo) {
  const auto edges = generate_web(300, 5, 1);
  const matrix a = build(edges, {.dims = shape{300, 300}});
  const iteration_options options{.tolerance = 1e-300, .max_iterations = 4};
  for (const std::uint32_t iterations :
       {hits(a, options).iterations, eigenvector_centrality(a, options).iterations}) {
    EXPECT_EQ(iterations, 4U);
  }
  EXPECT_FALSE(hits(a, options).converged);
  EXPECT_EQ(hits(a, {.max_iterations = 0}).iterations, 0U);
  struct cancelled {};
  iteration_options cancel;
  cancel.progress = [](const progress_event&) { throw cancelled(); };
  EXPECT_THROW(hits(a, cancel), cancelled);
  EXPECT_THROW(eigenvector_centrality(a, cancel), cancelled);
  katz_options katz;
  katz.progress = cancel.progress;
  EXPECT_THROW(katz_centrality(a, katz), cancelled);
}

TEST(Spectral, ChecksItsArguments) {
  const matrix square = build({}, {.dims = shape{3, 3}});
  const matrix other = build({}, {.dims = shape{3, 4}});
  EXPECT_THROW(hits(other), invalid_argument);
  EXPECT_THROW(katz_centrality(other), invalid_argument);
  EXPECT_THROW(eigenvector_centrality(other), invalid_argument);
  EXPECT_THROW(hits(square, {.tolerance = 0}), invalid_argument);
  EXPECT_THROW(eigenvector_centrality(square, {.tolerance = std::nan("")}), invalid_argument);
  for (const double wrong : {-0.1, std::nan(""), HUGE_VAL}) {
    katz_options options;
    options.attenuation = wrong;
    EXPECT_THROW(katz_centrality(square, options), invalid_argument);
    options.attenuation = 0.1;
    options.base = wrong;
    EXPECT_THROW(katz_centrality(square, options), invalid_argument);
  }
}

}  // namespace
