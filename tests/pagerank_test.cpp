// PageRank against a dense iteration; the comparison with networkx is in the tests of the command.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/threads.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/oracle.hpp"

namespace {

using namespace baltoro;

// The definition, on a list of edges, iterated until nothing changes.
std::vector<double> reference(index_t n, std::span<const edge> edges, double damping,
                              std::vector<double> jump, bool dangling_jumps) {
  const double total = std::accumulate(jump.begin(), jump.end(), 0.0);
  for (double& j : jump) j /= total;
  std::vector<double> degree(n);
  for (const edge& e : edges) ++degree[e.row];
  std::vector<double> rank = jump;
  for (int iteration = 0; iteration < 500; ++iteration) {
    std::vector<double> next(n);
    double lost = 0;
    for (const edge& e : edges) next[e.col] += rank[e.row] / degree[e.row];
    for (index_t i = 0; i < n; ++i) lost += degree[i] == 0 ? rank[i] : 0;
    for (index_t i = 0; i < n; ++i) {
      next[i] = damping * (next[i] + lost * (dangling_jumps ? jump[i] : 1.0 / n)) +
                (1 - damping) * jump[i];
    }
    rank = next;
  }
  return rank;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << i;
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1.0, 1e-12);
}

TEST(PageRank, ACycleIsUniform) {
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {2, 0}};
  const auto result = pagerank(build(edges));
  EXPECT_TRUE(result.converged);
  expect_near(result.ranks, {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(PageRank, ByHand) {
  // 0 → 1, and 1 is dangling: r1 − r0 = d·r0, r0 + r1 = 1, so r0 = 1 / (2 + d).
  const std::vector<edge> edges = {{0, 1}};
  const auto result = pagerank(build(edges, {.dims = shape{2, 2}}), {.tolerance = 1e-14});
  expect_near(result.ranks, {1 / 2.85, 1.85 / 2.85});
}

TEST(PageRank, AgreesWithTheDefinition) {
  const auto edges = generate_web(3000, 4, 5);
  const matrix a = build(edges, {.dims = shape{3100, 3100}});  // the last 100 are isolated
  std::vector<double> personal(3100);
  for (std::size_t i = 0; i < personal.size(); ++i) personal[i] = static_cast<double>(i % 7);
  for (const double damping : {0.0, 0.5, 0.85}) {
    const auto plain = pagerank(a, {.damping = damping, .tolerance = 1e-13});
    EXPECT_TRUE(plain.converged);
    expect_near(plain.ranks,
                reference(3100, edges, damping, std::vector<double>(3100, 1.0), false));
    for (const bool jumps : {false, true}) {
      const auto result =
          pagerank(a, {.damping = damping,
                       .tolerance = 1e-13,
                       .personalization = personal,
                       .dangling_to = jumps ? dangling::personalization : dangling::uniform});
      expect_near(result.ranks, reference(3100, edges, damping, personal, jumps));
    }
  }
}

TEST(PageRank, BothLayoutsAndAnyNumberOfThreads) {
  const auto edges = generate_web(20'000, 6, 2);
  const matrix built = build(edges, {.dims = shape{20'000, 20'000}});
  const auto wanted = reference(20'000, edges, 0.85, std::vector<double>(20'000, 1.0), false);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix a = convert(built, kind);
    std::vector<double> first;
    for (const unsigned threads : {1U, 2U, 5U}) {
      const thread_limit limit(threads);
      const auto result = pagerank(a, {.tolerance = 1e-13});
      expect_near(result.ranks, wanted);
      if (first.empty()) first = result.ranks;
      EXPECT_EQ(result.ranks, first) << "other bits on " << threads << " threads";
    }
  }
}

TEST(PageRank, ManySeedsAreManySearches) {
  const auto edges = generate_web(9000, 4, 5);
  const matrix built = build(edges, {.dims = shape{9100, 9100}});
  const std::vector<index_t> seeds = {0, 17, 9099, 17, 4096};
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix a = convert(built, kind);
    for (const dangling to : {dangling::uniform, dangling::personalization}) {
      const auto all = personalized_pagerank(a, seeds, {.tolerance = 1e-13, .dangling_to = to});
      EXPECT_TRUE(all.converged);
      ASSERT_EQ(all.ranks.size(), 9100U * seeds.size());
      for (std::size_t k = 0; k < seeds.size(); ++k) {
        std::vector<double> personal(9100);
        personal[seeds[k]] = 1;
        std::vector<double> own(9100);
        for (std::size_t v = 0; v < own.size(); ++v) own[v] = all.ranks[v * seeds.size() + k];
        expect_near(
            own, pagerank(a, {.tolerance = 1e-13, .personalization = personal, .dangling_to = to})
                     .ranks);
      }
    }
  }
  EXPECT_TRUE(personalized_pagerank(built, {}).ranks.empty());
}

TEST(PageRank, WeightsOfAnySize) {
  const matrix a = build({}, {.dims = shape{2, 2}});
  for (const double weight : {1e308, 5e-324}) {
    const std::vector<double> weights = {weight, weight};
    const auto result = pagerank(a, {.personalization = weights});
    EXPECT_TRUE(result.converged);
    expect_near(result.ranks, {0.5, 0.5});
  }
}

TEST(PageRank, StopsWhenToldTo) {
  const auto edges = generate_web(500, 4, 5);
  const matrix a = build(edges, {.dims = shape{500, 500}});
  int calls = 0;
  const auto result = pagerank(a, {.tolerance = 1e-300,
                                   .max_iterations = 7,
                                   .on_iteration = [&](std::uint32_t, double) { ++calls; }});
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 7U);
  EXPECT_EQ(calls, 7);
}

TEST(PageRank, SmallestGraphs) {
  EXPECT_TRUE(pagerank(matrix()).ranks.empty());
  EXPECT_EQ(pagerank(build({}, {.dims = shape{1, 1}})).ranks, std::vector<double>{1.0});
}

TEST(PageRank, ChecksItsArguments) {
  const matrix square = build({}, {.dims = shape{3, 3}});
  EXPECT_THROW(pagerank(build({}, {.dims = shape{3, 4}})), invalid_argument);
  EXPECT_THROW(pagerank(square, {.damping = 1.0}), invalid_argument);
  EXPECT_THROW(pagerank(square, {.damping = -0.1}), invalid_argument);
  EXPECT_THROW(pagerank(square, {.damping = std::nan("")}), invalid_argument);
  EXPECT_THROW(pagerank(square, {.tolerance = 0}), invalid_argument);
  const std::vector<double> wrong_size = {1, 1};
  EXPECT_THROW(pagerank(square, {.personalization = wrong_size}), invalid_argument);
  const std::vector<double> negative = {1, -1, 1};
  EXPECT_THROW(pagerank(square, {.personalization = negative}), invalid_argument);
  const std::vector<double> zero = {0, 0, 0};
  EXPECT_THROW(pagerank(square, {.personalization = zero}), invalid_argument);
  const std::vector<index_t> outside = {3};
  EXPECT_THROW(personalized_pagerank(square, outside), invalid_argument);
  const std::vector<index_t> seed = {0};
  pagerank_options options;
  options.personalization = zero;
  EXPECT_THROW(personalized_pagerank(square, seed, options), invalid_argument);
}

}  // namespace
