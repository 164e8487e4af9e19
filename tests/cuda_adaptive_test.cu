// Products of adaptive matrices on the GPU against the COO oracle.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/payload.hpp>
#include <baltoro/product.hpp>
#include <baltoro/reader.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "format/adaptive/kinds.hpp"
#include "support/device_array.hpp"
#include "support/expected.hpp"
#include "support/graphs.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using test::device_array;

constexpr semiring all_rings[] = {semiring::plus_times, semiring::lor_land, semiring::min_plus};
constexpr direction both_sides[] = {direction::right, direction::left};

class CudaAdaptive : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

template <class T>
void expect_product(const matrix& a, std::span<const edge> cells, const product_options& options) {
  SCOPED_TRACE(std::to_string(a.rows()) + "x" + std::to_string(a.cols()) + " nnz " +
               std::to_string(a.nnz()) + " " + name_of(options.ring) +
               (options.side == direction::right ? " right" : " left") +
               " B=" + std::to_string(options.batch) + (sizeof(T) == 4 ? " float" : " double"));
  plan<T> p(a, options);
  const auto x = test::values<T>(p.x_size(), a.nnz() + 1, options.ring);
  std::vector<T> y(p.y_size(), std::numeric_limits<T>::quiet_NaN());  // must be overwritten
  const std::uint64_t outputs = options.side == direction::right ? a.rows() : a.cols();
  const auto wanted =
      test::coo_product<T>(cells, options.ring, options.side, outputs, options.batch, x);
  p.run(x, y);
  const double relative = options.ring != semiring::plus_times ? 0 : sizeof(T) == 4 ? 2e-5 : 1e-12;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double expected = static_cast<T>(wanted[i]);
    const bool same = std::abs(y[i] - expected) <= relative * std::abs(expected);
    if (!same) {
      ASSERT_EQ(y[i], expected) << i;
    }
  }
}

void expect_all_products(shape dims, std::span<const edge> cells,
                         std::initializer_list<index_t> batches = {1, 3, 8, 40}) {
  const matrix a = build(cells, {.dims = dims, .kind = layout::adaptive});
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : batches) {
        product_options options{.side = side, .ring = ring, .batch = batch, .where = device::cuda};
        expect_product<float>(a, cells, options);
        expect_product<double>(a, cells, options);
        if (batch != 1) continue;
        options.cuda.container_warps = 1;  // as where there are many containers
        expect_product<float>(a, cells, options);
        expect_product<double>(a, cells, options);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST_F(CudaAdaptive, AwkwardShapes) {
  std::uint64_t seed = 100;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    expect_all_products(
        dims, test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3));
  }
  for (const shape dims : {shape{0, 0}, shape{1, 1}, shape{5, 0}, shape{0, 5}, shape{70, 9}}) {
    expect_all_products(dims, {});
  }
}

TEST_F(CudaAdaptive, TeamsAreOfOneWarpOrFour) {
  const matrix a = build(std::vector<edge>{{0, 1}}, {.kind = layout::adaptive});
  for (const unsigned warps : {2U, 3U, 5U, 32U}) {
    product_options options{.where = device::cuda};
    options.cuda.container_warps = warps;
    EXPECT_THROW(plan<float>(a, options), invalid_argument);
  }
}

// Two full squares far apart.
std::vector<edge> clusters(index_t side) {
  std::vector<edge> cells;
  for (const index_t corner : {index_t{0}, side - 40}) {
    for (index_t i = 0; i < 40 * 40; ++i) cells.push_back({corner + i / 40, corner + i % 40});
  }
  return cells;
}

// A graph of hosts and pages, one that is scattered, and clusters. Between them they have containers of every
// kind.
void expect_products_of_graphs(index_t pages, unsigned scale, std::uint64_t scattered_edges) {
  const std::pair<index_t, std::vector<edge>> graphs[] = {
      {pages, generate_web(pages, 10, 4)},
      {index_t{1} << scale, generate_rmat(scale, scattered_edges, 0.57, 0.19, 0.19, 7)},
      {5'000, clusters(5'000)}};
  std::array<std::uint64_t, 16> containers{};
  for (const auto& [side, edges] : graphs) {
    const shape dims{side, side};
    const matrix a = build(edges, {.dims = dims, .kind = layout::adaptive});
    expect_all_products(dims, a.cells({0, 0, side, side}), {1, 4, 20, 33, 256});
    const payload_parts parts = parts_of(a.adaptive());
    for (unsigned kind = 0; kind < containers.size(); ++kind)
      containers[kind] += parts.containers[kind];
  }
  for (unsigned kind = 0; name_of_container_kind(kind) != nullptr; ++kind) {
    EXPECT_GT(containers[kind], 0U) << name_of_container_kind(kind);
  }
}

TEST_F(CudaAdaptive, Graphs) { expect_products_of_graphs(8'000, 13, 60'000); }

TEST_F(CudaAdaptive, LargerGraphs) { expect_products_of_graphs(60'000, 17, 800'000); }

TEST_F(CudaAdaptive, StreamsOfLeaves) {
  unsigned with_escapes = 0;
  unsigned without = 0;
  std::array<std::uint64_t, 16> containers{};
  for (const std::vector<edge>& edges : test::streamed_graphs()) {
    const matrix a = build(edges, {.kind = layout::adaptive});
    expect_all_products(a.dims(), a.cells({0, 0, a.rows(), a.cols()}), {1});
    ++(a.adaptive().classes.escapes() ? with_escapes : without);
    const payload_parts parts = parts_of(a.adaptive());
    for (unsigned kind = 0; kind < containers.size(); ++kind) {
      containers[kind] += parts.containers[kind];
    }
  }
  for (const auto kind : {format::container_kind::runs, format::container_kind::elias_fano}) {
    EXPECT_GE(containers[static_cast<unsigned>(kind)], 20U);
    containers[static_cast<unsigned>(kind)] = 0;
  }
  EXPECT_GE(std::accumulate(containers.begin(), containers.end(), 0U), 10U);
  EXPECT_GE(with_escapes, 1U);
  EXPECT_GE(without, 1U);
}

TEST_F(CudaAdaptive, FullSquaresAndManyPatterns) {
  std::vector<edge> full;
  std::vector<edge> noise;
  for (index_t r = 0; r < 1003; ++r) {
    for (index_t c = 0; c < 1001; ++c) {
      full.push_back({r, c});
      if ((r * 2654435761U ^ c * 40503U) % 7 < 3) noise.push_back({r, c});
    }
  }
  expect_all_products({1003, 1001}, full);
  expect_all_products({1003, 1001}, noise);
  const auto repeated = test::repeated_rows(700, 8);
  ASSERT_TRUE(build(repeated, {.kind = layout::adaptive}).adaptive().classes.escapes_by_rows());
  expect_all_products({700, 700}, repeated);
}

class CudaAdaptiveRealGraph : public testing::TestWithParam<const char*> {};

TEST_P(CudaAdaptiveRealGraph, AsTheOracle) {
  if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  const auto file = test::shared_data(GetParam());
  if (!file) GTEST_SKIP() << GetParam() << " is absent";
  const matrix a = read_graph(*file).at();
  const auto cells = a.cells({0, 0, a.rows(), a.cols()});
  expect_all_products(a.dims(), cells, {1, 3, 32, 128});
}

INSTANTIATE_TEST_SUITE_P(SharedData, CudaAdaptiveRealGraph,
                         testing::Values("cnr-2000.graph", "git-v1.8.0.mtx.zst", "codex-m.tsv.gz",
                                         "debian-packages.tsv.gz"));

}  // namespace
