// Searches of adaptive matrices on the GPU against their twins on the CPU.
#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/reader.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/cuda_allocations.hpp"
#include "support/data.hpp"
#include "support/graphs.hpp"

namespace {

using namespace baltoro;

class CudaSearch : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

// Options with which a function throws, made before it is called: GCC 12 takes those made in the call for
// uninitialised.
template <class Options>
Options on_gpu(bool undirected = false, progress_callback progress = {}) {
  Options options;
  options.where = device::cuda;
  options.undirected = undirected;
  options.progress = std::move(progress);
  return options;
}

matrix adaptive(index_t n, const std::vector<edge>& edges, std::uint32_t container_leaves = 512) {
  return build(
      edges, {.dims = shape{n, n}, .kind = layout::adaptive, .container_leaves = container_leaves});
}

struct way {
  bool reverse;
  bool undirected;
};
constexpr way ways[] = {{false, false}, {true, false}, {false, true}};

std::vector<index_t> draw(index_t n, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<index_t> sources(count);
  for (index_t& s : sources) s = static_cast<index_t>(random() % n);
  return sources;
}

// Edges far apart: containers of the largest squares.
matrix scattered() {
  const index_t n = 300'001;
  std::vector<edge> edges = test::random_cells({n, n}, 30'000, 9);
  for (index_t v = 0; v < 3'000; ++v) edges.push_back({v * 100, (v * 7'919 + 1) % n});
  return adaptive(n, edges);
}

matrix hub() {
  std::vector<edge> edges;
  for (index_t v = 1; v < 5'000; ++v) {
    edges.push_back({0, v});
    edges.push_back({v, v % 7});
  }
  return adaptive(5'000, edges);
}

void expect_same_reach(const matrix& a, const std::vector<index_t>& sources,
                       reach_options options) {
  const reach_result cpu = reach(a, sources, options);
  options.where = device::cuda;
  const reach_result gpu = reach(a, sources, options);
  EXPECT_EQ(gpu.levels, cpu.levels);
  EXPECT_EQ(gpu.words_per_vertex, cpu.words_per_vertex);
  EXPECT_EQ(gpu.reached, cpu.reached);
  EXPECT_EQ(gpu.reached_per_level, cpu.reached_per_level);
  EXPECT_TRUE(gpu.table == cpu.table);
}

void expect_same_distances(const matrix& a, const std::vector<index_t>& sources,
                           multi_source_options options) {
  const multi_source_result cpu = multi_source_bfs(a, sources, options);
  options.where = device::cuda;
  const multi_source_result gpu = multi_source_bfs(a, sources, options);
  EXPECT_EQ(gpu.levels, cpu.levels);
  EXPECT_TRUE(gpu.distances == cpu.distances);
}

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

void expect_same_multi_search(const matrix& a, const std::vector<index_t>& sources,
                              std::initializer_list<std::uint32_t> limits = {no_limit}) {
  for (const way& w : ways) {
    SCOPED_TRACE(std::to_string(a.rows()) + " vertices, " + std::to_string(a.nnz()) + " edges, " +
                 std::to_string(sources.size()) + " sources, " +
                 (w.undirected ? "undirected"
                  : w.reverse  ? "reverse"
                               : "forward"));
    for (const std::uint32_t most : limits) {
      expect_same_reach(a, sources,
                        {.reverse = w.reverse, .undirected = w.undirected, .max_levels = most});
      expect_same_distances(a, sources,
                            {.reverse = w.reverse, .max_levels = most, .undirected = w.undirected});
    }
  }
}

void expect_same_search(const matrix& a, const std::vector<index_t>& sources) {
  for (const way& w : ways) {
    for (const bool parents : {false, true}) {
      SCOPED_TRACE(std::to_string(a.rows()) + " vertices, " + std::to_string(a.nnz()) + " edges, " +
                   (w.undirected ? "undirected"
                    : w.reverse  ? "reverse"
                                 : "forward"));
      bfs_options options = {.reverse = w.reverse, .parents = parents, .undirected = w.undirected};
      const bfs_result cpu = bfs(a, sources, options);
      options.where = device::cuda;
      const bfs_result gpu = bfs(a, sources, options);
      EXPECT_TRUE(gpu.distances == cpu.distances);
      EXPECT_TRUE(gpu.parents == cpu.parents);
      EXPECT_EQ(gpu.reached_per_level, cpu.reached_per_level);
    }
  }
}

TEST_F(CudaSearch, BitsOfSmallGraphs) {
  for (const test::named_graph& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const matrix a = adaptive(g.vertices, g.edges);
    expect_same_search(a, {});
    if (g.vertices == 0) continue;
    expect_same_search(a, {0});
    expect_same_search(a, {g.vertices - 1, g.vertices / 2, g.vertices - 1});
  }
}

TEST_F(CudaSearch, BitsOverContainersOfAllSizes) {
  const auto web = generate_web(6'000, 9, 4);
  for (const std::uint32_t leaves : {1U, 64U, 512U}) {
    expect_same_search(adaptive(6'000, web, leaves), {5'000});
  }
  expect_same_search(scattered(), draw(300'001, 3, 5));
  expect_same_search(adaptive(4'096, generate_rmat(12, 30'000, 0.57, 0.19, 0.19, 3)), {0});
  expect_same_search(adaptive(700, test::repeated_rows(700, 8)), {1});
  expect_same_search(hub(), {4'000});
}

TEST_F(CudaSearch, TablesOfSmallGraphs) {
  for (const test::named_graph& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    const matrix a = adaptive(g.vertices, g.edges);
    expect_same_multi_search(a, {});
    if (g.vertices == 0) continue;
    expect_same_multi_search(a, {0});
    expect_same_multi_search(a, draw(g.vertices, 5, 1), {0, 1, 3, no_limit});
  }
}

TEST_F(CudaSearch, NumbersOfSourcesAroundWordsSlicesAndTables) {
  const matrix a = adaptive(300, generate_web(300, 4, 2));
  for (const std::size_t count : {1U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U, 192U, 193U,
                                  255U, 256U, 257U, 300U, 600U}) {
    expect_same_multi_search(a, draw(300, count, count));
  }
  // All sources the same.
  expect_same_multi_search(a, std::vector<index_t>(130, 17));
}

// Distances of more bits than a byte has.
TEST_F(CudaSearch, LongPaths) {
  std::vector<edge> edges;
  for (index_t v = 0; v + 1 < 700; ++v) edges.push_back({v, v + 1});
  const matrix a = adaptive(700, edges);
  expect_same_distances(a, {0, 1, 350, 699}, {});
  expect_same_distances(a, {0, 350, 699}, {.undirected = true});
  expect_same_reach(a, {0, 1, 350, 699}, {.reverse = true});
}

// Containers as small and as large as there can be, and kinds of all sorts.
TEST_F(CudaSearch, TablesOverContainersOfAllSizes) {
  const auto web = generate_web(6'000, 9, 4);
  for (const std::uint32_t leaves : {1U, 64U, 512U}) {
    expect_same_reach(adaptive(6'000, web, leaves), draw(6'000, 128, leaves), {});
  }
  expect_same_reach(scattered(), draw(300'001, 70, 5), {});
  expect_same_distances(scattered(), draw(300'001, 70, 5), {.reverse = true});
  expect_same_multi_search(adaptive(4'096, generate_rmat(12, 30'000, 0.57, 0.19, 0.19, 3)),
                           draw(4'096, 128, 6));
}

// Everything is reached at once, by every source: hubs, full squares, equal rows.
TEST_F(CudaSearch, TablesOfDenseGraphs) {
  std::vector<edge> full;
  for (index_t r = 0; r < 300; ++r) {
    for (index_t c = 0; c < 300; ++c) full.push_back({r, c});
  }
  expect_same_multi_search(adaptive(300, full), draw(300, 128, 1));
  expect_same_multi_search(adaptive(700, test::repeated_rows(700, 8)), draw(700, 40, 2));
  expect_same_multi_search(hub(), draw(5'000, 128, 3));
}

TEST_F(CudaSearch, LevelOrderIsRefused) {
  const matrix a = build(std::vector<edge>{{0, 1}}, {.dims = shape{2, 2}});
  const std::vector<index_t> sources = {0};
  const auto reached = on_gpu<reach_options>();
  EXPECT_THROW(reach(a, sources, reached), invalid_argument);
  EXPECT_EQ(reach(a, sources, {.where = device::automatic}).where, device::cpu);
  const auto apart = on_gpu<multi_source_options>(true);
  EXPECT_THROW(multi_source_bfs(a, sources, apart), invalid_argument);
  const auto together = on_gpu<bfs_options>(true);
  EXPECT_THROW(bfs(a, sources, together), invalid_argument);
}

// What a callback throws ends a search.
TEST_F(CudaSearch, CanBeCancelled) {
  struct cancelled {};
  const matrix a = adaptive(300, generate_web(300, 4, 2));
  const progress_callback cancel = [](const progress_event&) { throw cancelled(); };
  const std::vector<index_t> sources = {0, 1};
  const auto together = on_gpu<bfs_options>(false, cancel);
  EXPECT_THROW(bfs(a, sources, together), cancelled);
  const auto reached = on_gpu<reach_options>(false, cancel);
  EXPECT_THROW(reach(a, sources, reached), cancelled);
  const auto apart = on_gpu<multi_source_options>(false, cancel);
  EXPECT_THROW(multi_source_bfs(a, sources, apart), cancelled);
}

TEST_F(CudaSearch, MemoryIsLimited) {
  const matrix a = adaptive(900, generate_web(900, 6, 2));
  const std::vector<index_t> sources = draw(900, 256, 1);
  auto options = on_gpu<reach_options>();
  const reach_result all = reach(a, sources, options);
  options.cuda.memory_limit_bytes = all.needs.total() - 1;
  const reach_result parts = reach(a, sources, options);
  EXPECT_LT(parts.needs.total(), all.needs.total());
  EXPECT_EQ(parts.reached_per_level, all.reached_per_level);
  EXPECT_TRUE(parts.table == all.table);
  options.cuda.memory_limit_bytes = 1;
  EXPECT_THROW(reach(a, sources, options), out_of_memory);
  options.where = device::automatic;
  EXPECT_EQ(reach(a, sources, options).where, device::cpu);
}

TEST_F(CudaSearch, MemoryIsKnownBefore) {
  const std::vector<edge> edges = generate_web(900, 6, 2);
  const std::vector<index_t> sources = draw(900, 70, 1);
  const matrix a = adaptive(900, edges);
  const matrix plain = build(edges, {.dims = shape{900, 900}, .kind = layout::level_order});
  const auto single = on_gpu<bfs_options>();
  const auto many = on_gpu<multi_source_options>();
  const auto reached = on_gpu<reach_options>();
  const auto undirected = on_gpu<multi_source_options>(true);
  const std::uint64_t before = test::cuda_allocations();
  const working_set of_reach = reach_needs(a, sources.size(), reached);
  const working_set of_many = multi_source_needs(a, sources.size(), many);
  const working_set of_plain = multi_source_needs(plain, sources.size(), many);
  const working_set of_one = bfs_needs(a, single);
  const working_set of_one_plain = bfs_needs(plain, single);
  EXPECT_EQ(test::cuda_allocations(), before);
  EXPECT_EQ(of_reach.total(), reach(a, sources, reached).needs.total());
  // Distances take as many bits as they turn out to need.
  EXPECT_GE(of_many.total(), multi_source_bfs(a, sources, many).needs.total());
  EXPECT_EQ(of_plain.total(), multi_source_bfs(plain, sources, many).needs.total());
  EXPECT_GE(of_one.vector_bytes, 4 * 900U);
  EXPECT_GE(of_one_plain.vector_bytes, 4 * 900U);
  EXPECT_THROW(reach_needs(plain, 1, reached), invalid_argument);
  EXPECT_THROW(multi_source_needs(plain, 1, undirected), invalid_argument);
  EXPECT_EQ(multi_source_needs(a, 0, many).total(), 0U);
  EXPECT_EQ(bfs_needs(matrix(), single).total(), 0U);
}

// What a search allocates is what was said, its sources apart.
TEST_F(CudaSearch, AllocatesWhatWasSaid) {
  const std::vector<edge> edges = generate_web(900, 6, 2);
  const index_t source = 7;
  for (const bool parents : {false, true}) {
    for (const matrix& a : {adaptive(900, edges),
                            build(edges, {.dims = shape{900, 900}, .kind = layout::level_order})}) {
      auto options = on_gpu<bfs_options>();
      options.parents = parents;
      const std::uint64_t said = bfs_needs(a, options).total();
      const std::uint64_t before = test::cuda_bytes_allocated();
      bfs(a, {&source, 1}, options);
      const std::uint64_t taken = test::cuda_bytes_allocated() - before;
      EXPECT_LE(taken, said + 256);
      EXPECT_GE(taken + 4096, said);
    }
  }
}

matrix read_square(const std::filesystem::path& file) {
  const matrix a = read_graph(file).at();
  std::vector<edge> edges;
  a.for_each(
      [&](std::span<const edge> cells) { edges.insert(edges.end(), cells.begin(), cells.end()); });
  return adaptive(std::max(a.rows(), a.cols()), edges);
}

class CudaSearchRealGraph : public testing::TestWithParam<const char*> {};

TEST_P(CudaSearchRealGraph, AsOnTheCpu) {
  if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  const auto file = test::shared_data(GetParam());
  if (!file) GTEST_SKIP() << GetParam() << " is absent";
  const matrix a = read_square(*file);
  for (const way& w : ways) {
    expect_same_reach(a, draw(a.rows(), 128, 1),
                      {.reverse = w.reverse, .undirected = w.undirected});
  }
  expect_same_distances(a, draw(a.rows(), 40, 2), {});
  for (const index_t source : draw(a.rows(), 3, 3)) expect_same_search(a, {source});
}

INSTANTIATE_TEST_SUITE_P(SharedData, CudaSearchRealGraph,
                         testing::Values("cnr-2000.graph", "git-v1.8.0.mtx.zst", "codex-m.tsv.gz",
                                         "debian-packages.tsv.gz"));

}  // namespace
