// Triangles and cores against their definitions.
#include <baltoro/error.hpp>
#include <baltoro/undirected.hpp>

#include <set>

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace {

using namespace baltoro;

using adjacency = std::vector<std::set<index_t>>;

adjacency neighbours_of(const test::named_graph& g) {
  adjacency neighbours(g.vertices);
  for (const edge& e : g.edges) {
    if (e.row != e.col) neighbours[e.row].insert(e.col);
  }
  return neighbours;
}

// Removes vertices with fewer than k neighbours until there are none, for every k.
std::vector<index_t> reference_cores(adjacency neighbours) {
  std::vector<index_t> core(neighbours.size());
  std::set<index_t> left;
  for (index_t v = 0; v < neighbours.size(); ++v) left.insert(v);
  for (index_t k = 1; !left.empty(); ++k) {
    for (bool again = true; again;) {
      again = false;
      for (const index_t v : std::set<index_t>(left)) {
        if (neighbours[v].size() >= k) continue;
        for (const index_t w : neighbours[v]) neighbours[w].erase(v);
        neighbours[v].clear();
        left.erase(v);
        again = true;
      }
    }
    for (const index_t v : left) core[v] = k;
  }
  return core;
}

TEST(Undirected, TrianglesAndClustering) {
  for (const auto& directed : test::small_graphs()) {
    const auto g = test::symmetric(directed);
    const adjacency neighbours = neighbours_of(g);
    std::vector<std::uint64_t> at_vertex(g.vertices);
    std::uint64_t total = 0;
    for (index_t u = 0; u < g.vertices; ++u) {
      for (const index_t v : neighbours[u]) {
        for (const index_t w : neighbours[v]) {
          if (u < v && v < w && neighbours[u].contains(w)) {
            for (const index_t each : {u, v, w}) ++at_vertex[each];
            ++total;
          }
        }
      }
    }
    test::in_both_layouts(g, [&](const matrix& a) {
      const auto found = count_triangles(a);
      EXPECT_EQ(found.triangles, total);
      EXPECT_EQ(found.at_vertex, at_vertex);
      for (index_t v = 0; v < g.vertices; ++v) {
        const double degree = static_cast<double>(neighbours[v].size());
        const double pairs = degree * (degree - 1) / 2;
        EXPECT_DOUBLE_EQ(found.clustering[v],
                         pairs == 0 ? 0 : static_cast<double>(at_vertex[v]) / pairs);
      }
    });
  }
}

TEST(Undirected, TrianglesOfACompleteGraph) {
  constexpr index_t n = 600;  // more than two batches
  std::vector<edge> edges;
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j < n; ++j) edges.push_back({i, j});
  }
  const auto found = count_triangles(build(edges));
  EXPECT_EQ(found.triangles, std::uint64_t{n} * (n - 1) * (n - 2) / 6);
  EXPECT_EQ(found.at_vertex[n - 1], std::uint64_t{n - 1} * (n - 2) / 2);
  EXPECT_EQ(found.clustering[0], 1.0);
}

TEST(Undirected, Cores) {
  for (const auto& directed : test::small_graphs()) {
    const auto g = test::symmetric(directed);
    const auto wanted = reference_cores(neighbours_of(g));
    test::in_both_layouts(g, [&](const matrix& a) {
      const auto found = core_numbers(a);
      EXPECT_EQ(found.core, wanted);
      EXPECT_EQ(found.degeneracy,
                wanted.empty() ? 0 : *std::max_element(wanted.begin(), wanted.end()));
    });
  }
}

TEST(Undirected, SymmetryIsSeen) {
  for (const auto& directed : test::small_graphs()) {
    const auto g = test::symmetric(directed);
    const bool same = g.edges.size() == directed.edges.size();
    test::in_both_layouts(directed, [&](const matrix& a) {
      EXPECT_EQ(is_symmetric(a), same);
      const matrix both = symmetric_union(a);
      EXPECT_TRUE(is_symmetric(both));
      EXPECT_EQ(both.kind(), a.kind());
      EXPECT_EQ(both.nnz(), g.edges.size());
      for (const edge& e : g.edges) ASSERT_TRUE(both.contains(e.row, e.col));
    });
  }
  // One cell of a large symmetric matrix, on and off the diagonal's squares.
  const auto g = test::symmetric({"web", 5000, generate_web(5000, 6, 4)});
  EXPECT_TRUE(is_symmetric(build(g.edges)));
  for (const std::size_t i : {std::size_t{0}, g.edges.size() / 2, g.edges.size() - 1}) {
    auto edges = g.edges;
    if (edges[i].row == edges[i].col) continue;
    edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(is_symmetric(build(edges, {.dims = shape{5000, 5000}})));
  }
}

TEST(Undirected, RectanglesBecomeSquare) {
  const std::vector<edge> edges = {{0, 4}, {2, 1}};
  const matrix both = symmetric_union(build(edges, {.dims = shape{3, 6}}));
  EXPECT_EQ(both.dims(), (shape{6, 6}));
  EXPECT_EQ(both.successors(4), std::vector<index_t>{0});
  EXPECT_FALSE(is_symmetric(build(edges, {.dims = shape{3, 6}})));
}

TEST(Undirected, AsymmetricMatricesAreRefused) {
  const std::vector<edge> edges = {{0, 1}};
  const matrix a = build(edges, {.dims = shape{2, 2}});
  try {
    count_triangles(a);
    FAIL() << "an asymmetric matrix was taken";
  } catch (const invalid_argument& refused) {
    EXPECT_NE(std::string(refused.what()).find("not symmetric"), std::string::npos);
  }
  EXPECT_THROW(core_numbers(a), invalid_argument);
  EXPECT_THROW(core_numbers(build({}, {.dims = shape{2, 3}})), invalid_argument);
}

TEST(Undirected, CanBeCancelled) {
  struct cancelled {};
  const std::vector<edge> edges = {{0, 1}, {1, 0}};
  const matrix a = build(edges);
  const undirected_options options{[](const progress_event&) { throw cancelled(); }};
  EXPECT_THROW(count_triangles(a, options), cancelled);
  EXPECT_THROW(core_numbers(a, options), cancelled);
}

}  // namespace
