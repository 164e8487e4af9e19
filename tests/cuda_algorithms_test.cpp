// PageRank and breadth-first searches on the GPU against the CPU.
#include <baltoro/bfs.hpp>
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/reader.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/oracle.hpp"

namespace {

using namespace baltoro;

class CudaAlgorithms : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

void add_web_and_uniform(std::vector<matrix>& list, index_t n) {
  list.push_back(build(generate_web(n, 7, n), {.dims = shape{n, n}}));
  list.push_back(build(generate_uniform({n, n}, n, 3), {.dims = shape{n, n}}));
}

// As many levels as vertices.
matrix path(index_t n) {
  std::vector<edge> edges;
  for (index_t v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
  return build(edges, {.dims = shape{n, n}});
}

std::vector<matrix> graphs() {
  std::vector<matrix> list;
  list.push_back(build({}, {.dims = shape{0, 0}}));
  list.push_back(build({}, {.dims = shape{3, 3}}));
  list.push_back(build(std::vector<edge>{{0, 0}}, {.dims = shape{1, 1}}));
  add_web_and_uniform(list, 100);
  add_web_and_uniform(list, 5'000);
  list.push_back(path(40));
  return list;
}

// Too much for compute-sanitizer.
std::vector<matrix> larger_graphs() {
  std::vector<matrix> list;
  add_web_and_uniform(list, 60'000);
  list.push_back(path(300));
  return list;
}

std::string describe(const matrix& a) {
  return std::to_string(a.rows()) + " vertices, " + std::to_string(a.nnz()) + " edges";
}

std::vector<cuda_options> configurations() {
  cuda_options cached;
  cached.configuration = cuda_configuration::cached_frontier;
  cuda_options scan;
  scan.offsets = child_offsets::scan;
  scan.tile_nodes = 1U << 10U;
  return {cuda_options{}, cached, scan};
}

void expect_same_ranks(const matrix& a, pagerank_options options) {
  const pagerank_result cpu = pagerank(a, options);
  options.where = device::cuda;
  for (const cuda_options& how : configurations()) {
    options.cuda = how;
    const pagerank_result gpu = pagerank(a, options);
    ASSERT_EQ(gpu.ranks.size(), cpu.ranks.size());
    EXPECT_EQ(gpu.converged, cpu.converged);
    EXPECT_LE(std::abs(static_cast<int>(gpu.iterations) - static_cast<int>(cpu.iterations)), 1);
    for (std::size_t v = 0; v < cpu.ranks.size(); ++v) {
      ASSERT_NEAR(gpu.ranks[v], cpu.ranks[v], 1e-10) << v;
    }
  }
}

void expect_same_ranks(const matrix& a) {
  SCOPED_TRACE(describe(a));
  expect_same_ranks(a, {.tolerance = 1e-11});
  std::vector<double> weights(a.rows(), 0);
  for (std::size_t v = 0; v < weights.size(); v += 3) weights[v] = 1.0 + static_cast<double>(v);
  expect_same_ranks(a, {.damping = 0.5,
                        .tolerance = 1e-11,
                        .personalization = weights,
                        .dangling_to = dangling::personalization});
}

TEST_F(CudaAlgorithms, PageRankAsOnTheCpu) {
  for (const matrix& a : graphs()) expect_same_ranks(a);
}

TEST_F(CudaAlgorithms, PageRankAsOnTheCpuLargerGraphs) {
  for (const matrix& a : larger_graphs()) expect_same_ranks(a);
}

void expect_same_search(const matrix& a, const std::vector<index_t>& sources) {
  for (const bool reverse : {false, true}) {
    const bfs_result cpu = bfs(a, sources, {.reverse = reverse, .parents = true});
    const multi_source_options options = {.reverse = reverse};
    const auto apart = multi_source_bfs(a, sources, options);
    const auto two_levels = multi_source_bfs(a, sources, {.reverse = reverse, .max_levels = 2});
    for (const cuda_options& how : configurations()) {
      const bfs_result gpu = bfs(
          a, sources, {.reverse = reverse, .parents = true, .where = device::cuda, .cuda = how});
      EXPECT_EQ(gpu.distances, cpu.distances);
      EXPECT_EQ(gpu.parents, cpu.parents);
      EXPECT_EQ(gpu.reached_per_level, cpu.reached_per_level);
      multi_source_options on_gpu = options;
      on_gpu.where = device::cuda;
      on_gpu.cuda = how;
      const auto together = multi_source_bfs(a, sources, on_gpu);
      EXPECT_EQ(together.distances, apart.distances);
      EXPECT_EQ(together.levels, apart.levels);
      on_gpu.max_levels = 2;
      EXPECT_EQ(multi_source_bfs(a, sources, on_gpu).distances, two_levels.distances);
    }
  }
}

void expect_same_searches(const matrix& a) {
  SCOPED_TRACE(describe(a));
  expect_same_search(a, {});
  if (a.rows() == 0) return;
  expect_same_search(a, {0});
  expect_same_search(a, {0, a.rows() - 1, a.rows() / 2, 0});
  std::vector<index_t> many;
  for (index_t k = 0; k < 40; ++k) many.push_back(k * 7 % a.rows());
  expect_same_search(a, many);
}

TEST_F(CudaAlgorithms, SearchesAsOnTheCpu) {
  for (const matrix& a : graphs()) expect_same_searches(a);
}

TEST_F(CudaAlgorithms, SearchesAsOnTheCpuLargerGraphs) {
  for (const matrix& a : larger_graphs()) expect_same_searches(a);
}

TEST_F(CudaAlgorithms, RealGraph) {
  const auto file = test::shared_data("cnr-2000.graph");
  if (!file) GTEST_SKIP() << "cnr-2000 is absent";
  const matrix a = read_graph(*file).at();
  expect_same_ranks(a, {});
  expect_same_search(a, {0, 1000, 200'000});
}

}  // namespace
