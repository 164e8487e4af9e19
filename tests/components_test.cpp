// Components against reachability, vertex by vertex.
#include <baltoro/components.hpp>
#include <baltoro/error.hpp>

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace {

using namespace baltoro;

// Vertices u and v are together where each reaches the other (with edges both ways: where one does).
void expect_components(const test::named_graph& g, const components_result& found, bool weak) {
  ASSERT_EQ(found.component.size(), g.vertices);
  std::vector<std::vector<int>> distances;
  for (index_t v = 0; v < g.vertices; ++v) distances.push_back(distances_from(g, v, weak));
  std::vector<std::uint64_t> sizes;
  for (index_t v = 0; v < g.vertices; ++v) {
    index_t first = 0;  // the smallest vertex of its component
    while (distances[first][v] < 0 || distances[v][first] < 0) ++first;
    if (first == v) {
      EXPECT_EQ(found.component[v], sizes.size()) << v;
      sizes.push_back(0);
    }
    EXPECT_EQ(found.component[v], found.component[first]) << v;
    ++sizes[found.component[v]];
  }
  EXPECT_EQ(found.sizes, sizes);
  if (g.vertices > 0) {
    EXPECT_EQ(found.sizes[found.largest()], *std::max_element(sizes.begin(), sizes.end()));
  }
}

TEST(Components, AgreeWithReachability) {
  for (const auto& g : test::small_graphs()) {
    test::in_both_layouts(g, [&](const matrix& a) {
      expect_components(g, weak_components(a), true);
      expect_components(g, strong_components(a), false);
    });
  }
}

TEST(Components, ByHand) {
  //  0 → 1 → 2 → 0,  2 → 3 → 4 → 3,  5
  const std::vector<edge> edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}};
  const matrix a = build(edges, {.dims = shape{6, 6}});
  EXPECT_EQ(weak_components(a).component, (std::vector<index_t>{0, 0, 0, 0, 0, 1}));
  const auto strong = strong_components(a);
  EXPECT_EQ(strong.component, (std::vector<index_t>{0, 0, 0, 1, 1, 2}));
  EXPECT_EQ(strong.sizes, (std::vector<std::uint64_t>{3, 2, 1}));
}

// Many components of each size beside a large one, so that several rounds of colours are needed.
TEST(Components, ManyCyclesOfEverySize) {
  test::named_graph g{"cycles", 0, {}};
  for (index_t size = 1; size < 40; ++size) {
    const index_t first = g.vertices;
    for (index_t i = 0; i < size; ++i) g.edges.push_back({first + i, first + (i + 1) % size});
    if (first > 0)
      g.edges.push_back({size % 2 == 0 ? first : first - 1, size % 2 == 0 ? first - 1 : first});
    g.vertices += size;
  }
  test::in_both_layouts(g, [&](const matrix& a) {
    expect_components(g, strong_components(a), false);
    EXPECT_EQ(strong_components(a).sizes.size(), 39U);
    EXPECT_EQ(weak_components(a).sizes.size(), 1U);
  });
}

TEST(Components, OfAWebGraphAreAsManyOnAnyLayout) {
  const auto edges = generate_web(30'000, 6, 9);
  const matrix a = build(edges, {.dims = shape{30'000, 30'000}});
  const matrix b = convert(a, layout::adaptive);
  EXPECT_EQ(strong_components(a).component, strong_components(b).component);
  EXPECT_EQ(weak_components(a).component, weak_components(b).component);
}

TEST(Components, CanBeCancelled) {
  struct cancelled {};
  const std::vector<edge> edges = {{0, 1}, {1, 0}};
  const matrix a = build(edges);
  const components_options options{[](const progress_event&) { throw cancelled(); }};
  EXPECT_THROW(weak_components(a, options), cancelled);
  EXPECT_THROW(strong_components(a, options), cancelled);
}

TEST(Components, NeedASquareMatrix) {
  const matrix a = build({}, {.dims = shape{3, 4}});
  EXPECT_THROW(weak_components(a), invalid_argument);
  EXPECT_THROW(strong_components(a), invalid_argument);
}

}  // namespace
