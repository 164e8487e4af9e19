// PageRank on the GPU against the CPU: both layouts, double and float, one vector and many seeds.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/pagerank.hpp>

#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/cuda_allocations.hpp"
#include "support/graphs.hpp"

namespace {

using namespace baltoro;

class CudaRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

double distance_in_l1(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

template <class Result>
void expect_alike(const Result& gpu, const Result& cpu, double tolerance, std::size_t vectors = 1) {
  ASSERT_EQ(gpu.ranks.size(), cpu.ranks.size());
  EXPECT_EQ(gpu.where, device::cuda);
  EXPECT_EQ(gpu.converged, cpu.converged);
  EXPECT_LE(std::abs(static_cast<int>(gpu.iterations) - static_cast<int>(cpu.iterations)), 1);
  EXPECT_LT(distance_in_l1(gpu.ranks, cpu.ranks), tolerance * static_cast<double>(vectors));
}

// In double to a tolerance that rounding allows, in float to one that it allows too.
void expect_same_ranks(const matrix& a, pagerank_options options) {
  options.tolerance = 1e-11;
  const pagerank_result cpu = pagerank(a, options);
  options.where = device::cuda;
  std::vector<double> changes;
  options.on_iteration = [&](std::uint32_t iteration, double change) {
    changes.push_back(change);
    EXPECT_EQ(iteration, changes.size());
  };
  const pagerank_result gpu = pagerank(a, options);
  expect_alike(gpu, cpu, 1e-10);
  EXPECT_EQ(changes.size(), gpu.iterations);
  if (!changes.empty()) {
    EXPECT_EQ(changes.back(), gpu.change);
  }
  // Stops at once when it may.
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) EXPECT_GE(changes[i], options.tolerance);
  options.on_iteration = {};
  options.tolerance = 1e-5;
  options.single_precision = true;
  const pagerank_result rough = pagerank(a, options);
  EXPECT_TRUE(rough.converged);
  EXPECT_LT(distance_in_l1(rough.ranks, cpu.ranks), 1e-4);
  EXPECT_LE(rough.needs.vector_bytes, gpu.needs.vector_bytes);
}

TEST_F(CudaRanks, OfSmallGraphs) {
  for (const test::named_graph& g : test::small_graphs()) {
    if (g.vertices == 0) continue;
    test::in_both_layouts(g, [&](const matrix& a) {
      expect_same_ranks(a, {});
      std::vector<double> weights(a.rows());
      for (std::size_t v = 0; v < weights.size(); v += 3) weights[v] = 1.0 + static_cast<double>(v);
      expect_same_ranks(
          a,
          {.damping = 0.5, .personalization = weights, .dangling_to = dangling::personalization});
      expect_same_ranks(a, {.personalization = weights});
    });
  }
}

matrix adaptive(index_t n, const std::vector<edge>& edges) {
  return build(edges, {.dims = shape{n, n}, .kind = layout::adaptive});
}

TEST_F(CudaRanks, OfHubsAndRepeatedRows) {
  std::vector<edge> hub;
  for (index_t v = 1; v < 3'000; ++v) {
    hub.push_back({0, v});
    hub.push_back({v, v % 7});
  }
  expect_same_ranks(adaptive(3'001, hub), {});
  expect_same_ranks(adaptive(300, test::repeated_rows(300, 8)), {});
  expect_same_ranks(adaptive(4'096, generate_rmat(12, 20'000, 0.57, 0.19, 0.19, 3)), {});
}

TEST_F(CudaRanks, StopAfterSoManyIterations) {
  const matrix a = adaptive(500, generate_web(500, 5, 1));
  for (const std::uint32_t most : {0U, 1U, 3U, 4U, 5U, 17U, 40U}) {
    pagerank_options options = {.tolerance = 1e-30, .max_iterations = most};
    const pagerank_result cpu = pagerank(a, options);
    options.where = device::cuda;
    const pagerank_result gpu = pagerank(a, options);
    EXPECT_EQ(gpu.iterations, most);
    expect_alike(gpu, cpu, 1e-12);
    EXPECT_NEAR(gpu.change, cpu.change, 1e-12);
    EXPECT_NEAR(std::accumulate(gpu.ranks.begin(), gpu.ranks.end(), 0.0), 1, 1e-12);
  }
}

TEST_F(CudaRanks, OfManySeeds) {
  const test::named_graph web{"web", 200, generate_web(200, 5, 1)};
  test::in_both_layouts(web, [](const matrix& a) {
    for (const index_t count : {1U, 3U, 40U, 300U}) {
      std::vector<index_t> seeds;
      for (index_t k = 0; k < count; ++k) seeds.push_back(k * 77 % a.rows());
      pagerank_options options = {.tolerance = 1e-9};
      if (count % 2 == 0) options.dangling_to = dangling::personalization;
      const personalized_pagerank_result cpu = personalized_pagerank(a, seeds, options);
      options.where = device::cuda;
      expect_alike(personalized_pagerank(a, seeds, options), cpu, 1e-8, count);
      options.single_precision = true;
      options.tolerance = 1e-5;
      const personalized_pagerank_result rough = personalized_pagerank(a, seeds, options);
      EXPECT_LT(distance_in_l1(rough.ranks, cpu.ranks), 1e-4 * count);
    }
    EXPECT_TRUE(personalized_pagerank(a, {}, {.where = device::cuda}).converged);
  });
}

TEST_F(CudaRanks, MemoryIsChecked) {
  const matrix a = adaptive(500, generate_web(500, 5, 1));
  pagerank_options options = {.where = device::cuda};
  options.cuda.memory_limit_bytes = pagerank(a, options).needs.total();
  EXPECT_EQ(pagerank(a, options).where, device::cuda);
  --options.cuda.memory_limit_bytes;
  EXPECT_THROW(pagerank(a, options), out_of_memory);
  options.where = device::automatic;
  EXPECT_EQ(pagerank(a, options).where, device::cpu);
}

void expect_same(const working_set& a, const working_set& b) {
  EXPECT_EQ(a.matrix_bytes, b.matrix_bytes);
  EXPECT_EQ(a.vector_bytes, b.vector_bytes);
  EXPECT_EQ(a.scratch_bytes, b.scratch_bytes);
}

TEST_F(CudaRanks, MemoryIsKnownBefore) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix a = build(generate_web(500, 5, 1), {.dims = shape{500, 500}, .kind = kind});
    const std::vector<double> jumps(500, 1);
    const std::vector<index_t> seeds{1, 2, 3};
    for (const bool single : {false, true}) {
      pagerank_options options = {.where = device::cuda, .single_precision = single};
      options.max_iterations = 2;
      const std::uint64_t before = test::cuda_allocations();
      const working_set many = personalized_pagerank_needs(a, seeds.size(), options);
      const working_set one = pagerank_needs(a, options);
      EXPECT_EQ(test::cuda_allocations(), before);
      expect_same(many, personalized_pagerank(a, seeds, options).needs);
      expect_same(one, pagerank(a, options).needs);
      options.personalization = jumps;
      expect_same(pagerank_needs(a, options), pagerank(a, options).needs);
      options.cuda.memory_limit_bytes = 1;
      EXPECT_THROW(pagerank_needs(a, options), out_of_memory);
      options.where = device::automatic;
      expect_same(pagerank_needs(a, options), pagerank_needs(a));
    }
    const pagerank_options on_gpu = {.where = device::cuda};
    EXPECT_EQ(personalized_pagerank_needs(a, 0, on_gpu).total(), 0U);
    EXPECT_EQ(pagerank_needs(matrix(), on_gpu).total(), 0U);
  }
}

}  // namespace
