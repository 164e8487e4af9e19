// Products on the GPU: every choice of the engine against the COO oracle or the CPU, which is checked
// against it.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/product.hpp>
#include <baltoro/reader.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "support/cuda_allocations.hpp"
#include "support/device_array.hpp"
#include "support/expected.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using test::device_array;

constexpr semiring all_rings[] = {semiring::plus_times, semiring::lor_land, semiring::min_plus};
constexpr direction both_sides[] = {direction::right, direction::left};
constexpr cuda_configuration both_configurations[] = {cuda_configuration::tree_only,
                                                      cuda_configuration::cached_frontier};
constexpr child_offsets both_offsets[] = {child_offsets::directory, child_offsets::scan};

class CudaProduct : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

std::string describe(const matrix& a, const product_options& o) {
  return std::to_string(a.rows()) + "x" + std::to_string(a.cols()) + " nnz " +
         std::to_string(a.nnz()) + " " + name_of(o.ring) +
         (o.side == direction::right ? " right" : " left") + " B=" + std::to_string(o.batch) + " " +
         name_of(o.cuda.configuration) + " " + name_of(o.cuda.offsets) + " tile " +
         std::to_string(o.cuda.tile_nodes) + " top " + std::to_string(o.cuda.top_nodes) +
         (o.cuda.leaves_in_place ? "" : " leaves apart");
}

// Floats are added in any order: the error grows at worst with the number of terms, and on average
// with its root.
template <class T>
void expect_same(const std::vector<T>& y, const std::vector<double>& wanted, semiring ring) {
  ASSERT_EQ(y.size(), wanted.size());
  const double relative = ring != semiring::plus_times ? 0 : sizeof(T) == 4 ? 2e-5 : 1e-12;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double expected = static_cast<T>(wanted[i]);
    const bool same = std::abs(y[i] - expected) <= relative * std::abs(expected);
    if (!same) {  // one assertion an error: there are many values
      ASSERT_EQ(y[i], expected) << i;
    }
  }
}

template <class T>
void expect_product(const matrix& a, std::span<const edge> cells, product_options options) {
  options.where = device::cuda;
  SCOPED_TRACE(describe(a, options) + (sizeof(T) == 4 ? " float" : " double"));
  plan<T> p(a, options);
  const auto x = test::values<T>(p.x_size(), a.nnz() + options.batch, options.ring);
  std::vector<T> y(p.y_size(), std::numeric_limits<T>::quiet_NaN());  // must be overwritten
  const std::uint64_t outputs = options.side == direction::right ? a.rows() : a.cols();
  const auto wanted =
      test::coo_product<T>(cells, options.ring, options.side, outputs, options.batch, x);
  // Run directly, recorded, and replayed.
  for (int run = 0; run < 3; ++run) {
    p.run(x, y);
    expect_same(y, wanted, options.ring);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// The choices of the engine that make a different sequence of kernels.
std::vector<cuda_options> all_choices(std::initializer_list<std::uint64_t> tiles) {
  std::vector<cuda_options> choices;
  for (const cuda_configuration configuration : both_configurations) {
    for (const child_offsets offsets : both_offsets) {
      for (const std::uint64_t tile : tiles) {
        cuda_options o;
        o.configuration = configuration;
        o.offsets = offsets;
        o.tile_nodes = tile;
        choices.push_back(o);
        o.top_nodes = 1;
        o.leaves_in_place = false;
        choices.push_back(o);
      }
    }
  }
  return choices;
}

// What is multiplied: each makes other kernels.
struct product_kind {
  direction side;
  semiring ring;
  index_t batch;
  bool in_double;
};

std::vector<product_kind> all_kinds(std::initializer_list<index_t> batches) {
  std::vector<product_kind> kinds;
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : batches) {
        kinds.push_back({side, ring, batch, false});
        kinds.push_back({side, ring, batch, true});
      }
    }
  }
  return kinds;
}

void expect_product(const matrix& a, std::span<const edge> cells, const product_kind& kind,
                    const cuda_options& choice) {
  const product_options options{kind.side, kind.ring, kind.batch, device::cuda, choice};
  if (kind.in_double) {
    expect_product<double>(a, cells, options);
  } else {
    expect_product<float>(a, cells, options);
  }
}

void expect_all_products(const matrix& a, std::span<const edge> cells,
                         std::initializer_list<std::uint64_t> tiles,
                         std::initializer_list<index_t> batches) {
  for (const cuda_options& choice : all_choices(tiles)) {
    for (const product_kind& kind : all_kinds(batches)) {
      expect_product(a, cells, kind, choice);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Every choice once, with the kinds of products in turn. With each matrix, counted by `number`, a
// choice meets another kind until it has met all: 7 has no divisor in common with how many there are.
void expect_some_products(const matrix& a, std::span<const edge> cells,
                          std::initializer_list<std::uint64_t> tiles,
                          std::initializer_list<index_t> batches, std::size_t number) {
  const std::vector<product_kind> kinds = all_kinds(batches);
  std::size_t next = 7 * number;
  for (const cuda_options& choice : all_choices(tiles)) {
    expect_product(a, cells, kinds[next++ % kinds.size()], choice);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Calls check(matrix, cells, number).
void for_awkward_shapes(const auto& check) {
  std::size_t number = 0;
  for (const shape dims : test::awkward_shapes()) {
    const std::uint64_t seed = 101 + number;
    const auto cells = test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3);
    check(build(cells, {.dims = dims, .directory_step = 16}), cells, number++);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Tests of EveryProduct take too long under compute-sanitizer, which gets those beside them.
TEST_F(CudaProduct, AwkwardShapes) {
  for_awkward_shapes([](const matrix& a, std::span<const edge> cells, std::size_t number) {
    expect_some_products(a, cells, {4, 0}, {1, 3}, number);
  });
}

TEST_F(CudaProduct, AwkwardShapesEveryProduct) {
  for_awkward_shapes([](const matrix& a, std::span<const edge> cells, std::size_t) {
    expect_all_products(a, cells, {4, 0}, {1, 3});
  });
}

TEST_F(CudaProduct, EmptyMatrices) {
  for (const shape dims : {shape{0, 0}, shape{1, 1}, shape{5, 0}, shape{0, 5}, shape{70, 9}}) {
    expect_all_products(build({}, {.dims = dims}), {}, {0}, {1, 4});
  }
}

std::vector<edge> cells_where(shape dims, auto keep) {
  std::vector<edge> cells;
  for (index_t r = 0; r < dims.rows; ++r) {
    for (index_t c = 0; c < dims.cols; ++c) {
      if (keep(r, c)) cells.push_back({r, c});
    }
  }
  return cells;
}

// All updates on one output, or all nodes full.
void for_full_lines_and_squares(const auto& check) {
  std::size_t number = 0;
  const shape dims{301, 517};
  for (const auto& cells :
       {cells_where(dims, [](index_t r, index_t) { return r == 200; }),
        cells_where(dims, [](index_t, index_t c) { return c == 516; }),
        cells_where(dims, [](index_t r, index_t c) { return r == c; }),
        cells_where(dims, [](index_t, index_t) { return true; }),
        cells_where(dims, [](index_t r, index_t c) { return r == 7 || c == 9; })}) {
    check(build(cells, {.dims = dims}), cells, number++);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_F(CudaProduct, OneFullRowOneFullColumnDiagonalAndFull) {
  for_full_lines_and_squares([](const matrix& a, std::span<const edge> cells, std::size_t number) {
    expect_some_products(a, cells, {1U << 10U, 0}, {1, 2}, number);
  });
}

TEST_F(CudaProduct, OneFullRowOneFullColumnDiagonalAndFullEveryProduct) {
  for_full_lines_and_squares([](const matrix& a, std::span<const edge> cells, std::size_t) {
    expect_all_products(a, cells, {1U << 10U}, {1, 2});
  });
}

// Full squares whose levels have a number of nodes just at and beside the limits of warps, blocks and
// tiles.
void for_sizes_at_limits(const auto& check) {
  std::size_t number = 0;
  for (const index_t side : {124U, 128U, 129U, 132U, 511U, 512U, 516U}) {
    const shape dims{side, 64};
    const auto cells = cells_where(dims, [](index_t r, index_t c) { return (r + c) % 3 != 0; });
    check(build(cells, {.dims = dims}), cells, number++);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_F(CudaProduct, LimitsOfWarpsBlocksAndTiles) {
  for_sizes_at_limits([](const matrix& a, std::span<const edge> cells, std::size_t number) {
    expect_some_products(a, cells, {256, 1023, 1024, 1025}, {1, 33}, number);
  });
}

TEST_F(CudaProduct, LimitsOfWarpsBlocksAndTilesEveryProduct) {
  for_sizes_at_limits([](const matrix& a, std::span<const edge> cells, std::size_t) {
    expect_all_products(a, cells, {256, 1023, 1024, 1025}, {1, 33});
  });
}

TEST_F(CudaProduct, WebGraph) {
  const auto cells = generate_web(20'000, 10, 4);
  expect_all_products(build(cells), cells, {1U << 10U, 1U << 14U, 0}, {1, 3, 32});
  for (const index_t batch : {128U, 257U, 300U}) {
    expect_product<float>(build(cells), cells, {.batch = batch});
  }
}

// The far end of the largest matrix; vectors of 4 G entries, so one Boolean product only.
TEST_F(CudaProduct, LargestShape) {
  const index_t end = max_dimension - 1;
  const std::vector<edge> cells = {{0, 0}, {0, end}, {end, 7}, {end, end}};
  const matrix a = build(cells, {.dims = shape{max_dimension, max_dimension}});
  if (cuda::free_bytes() < 40'000'000'000U) GTEST_SKIP() << "34 GB of vectors do not fit";
  plan<float> p(a, {.where = device::cuda});
  const cuda::device_memory x(4 * p.x_size(), "x");
  const cuda::device_memory y(4 * p.y_size(), "y");
  const auto put = [](const cuda::device_memory& to, std::uint64_t at, float value) {
    cuda::check(cudaMemcpy(to.at<float>(4 * at), &value, 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  };
  const auto get = [](const cuda::device_memory& from, std::uint64_t at) {
    float value = 0;
    cuda::check(cudaMemcpy(&value, from.at<float>(4 * at), 4, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
    return value;
  };
  cuda::check(cudaMemset(x.data(), 0, x.bytes()), "cudaMemset");
  put(x, 0, 1);
  put(x, 7, 2);
  put(x, end, 4);
  p.run_on(nullptr, x.at<float>(), y.at<float>());
  cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  EXPECT_EQ(get(y, 0), 5);
  EXPECT_EQ(get(y, end), 6);
  EXPECT_EQ(get(y, 1), 0);
}

TEST_F(CudaProduct, AlphaAndBeta) {
  const auto cells = generate_web(3'000, 8, 2);
  const matrix a = build(cells);
  for (const semiring ring : all_rings) {
    plan<double> cpu(a, {.ring = ring});
    plan<double> gpu(a, {.ring = ring, .where = device::cuda});
    const auto x = test::values<double>(cpu.x_size(), 1, ring);
    const auto old = test::values<double>(cpu.y_size(), 2, ring);
    for (const update<double> how :
         {update<double>{1, 1}, update<double>{1, 0}, update<double>{-2, 0.5}}) {
      if (ring != semiring::plus_times && how.alpha != 1) continue;
      auto wanted = old;
      auto y = old;
      cpu.run(x, wanted, how);
      gpu.run(x, y, how);
      for (std::size_t i = 0; i < y.size(); ++i) {
        ASSERT_NEAR(y[i], wanted[i], ring == semiring::plus_times ? 1e-9 : 0) << name_of(ring);
      }
    }
  }
}

// Old values that are no values of the semiring, negative x, NaN.
TEST_F(CudaProduct, StrangeValues) {
  const std::vector<edge> cells = {{0, 0}, {0, 1}, {1, 1}, {2, 2}};
  const matrix a = build(cells, {.dims = shape{4, 4}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const semiring ring : {semiring::lor_land, semiring::min_plus}) {
    const std::vector<double> x = {-5, -0.5, nan, 1};
    for (const double beta : {0.0, 1.0}) {
      std::vector<double> wanted = {-3, nan, 0, 7};
      std::vector<double> y = wanted;
      plan<double>(a, {.ring = ring}).run(x, wanted, {.beta = beta});
      plan<double>(a, {.ring = ring, .where = device::cuda}).run(x, y, {.beta = beta});
      EXPECT_EQ(y, wanted) << name_of(ring) << " beta " << beta;
    }
  }
}

// What needs() says is what is allocated: the matrix and the scratch by prepare(), the vectors by
// run(), nothing by run_on().
TEST_F(CudaProduct, AllocatesWhatItSays) {
  const auto cells = generate_web(200'000, 10, 4);
  for (const cuda_options& choice : all_choices({1U << 10U, 1U << 16U, 0})) {
    for (const index_t batch : {1U, 5U}) {
      const matrix a = build(cells);
      const product_options options{direction::right, semiring::plus_times, batch, device::cuda,
                                    choice};
      SCOPED_TRACE(describe(a, options));
      std::uint64_t before = test::cuda_bytes_allocated();
      plan<float> p(a, options);
      const working_set needs = p.needs();
      EXPECT_EQ(test::cuda_bytes_allocated(), before);
      p.prepare();
      EXPECT_EQ(test::cuda_bytes_allocated() - before, needs.matrix_bytes + needs.scratch_bytes);
      before = test::cuda_bytes_allocated();
      const std::vector<float> x(p.x_size(), 1);
      std::vector<float> y(p.y_size());
      for (int i = 0; i < 3; ++i) p.run(x, y);
      EXPECT_EQ(test::cuda_bytes_allocated() - before, needs.vector_bytes);
      const device_array<float> dx(x);
      const device_array<float> dy(y);
      before = test::cuda_allocations();
      for (int i = 0; i < 3; ++i) p.run_on(nullptr, dx.data(), dy.data());
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      EXPECT_EQ(test::cuda_allocations(), before);
    }
  }
}

// At most M codes a level, M offsets and what CUB needs, whatever the matrix.
TEST_F(CudaProduct, ScratchIsBoundedByTheTile) {
  const auto cells = generate_web(300'000, 12, 4);
  const matrix a = build(cells);
  for (const child_offsets offsets : both_offsets) {
    for (const std::uint64_t tile : {1ULL << 10U, 1ULL << 14U}) {
      cuda_options o;
      o.offsets = offsets;
      o.tile_nodes = tile;
      const plan<float> p(a, {.where = device::cuda, .cuda = o});
      EXPECT_LE(p.needs().scratch_bytes, 8 * tile * a.tree().levels + 4 * tile + (1U << 16U));
    }
  }
}

TEST_F(CudaProduct, PlansOnOneMatrixShareIt) {
  const auto cells = generate_web(50'000, 10, 4);
  const matrix a = build(cells);
  plan<float> right(a, {.where = device::cuda});
  right.prepare();
  const std::uint64_t before = test::cuda_bytes_allocated();
  plan<double> left(a, {.side = direction::left, .where = device::cuda});
  left.prepare();
  EXPECT_EQ(test::cuda_bytes_allocated() - before, left.needs().scratch_bytes);
}

TEST_F(CudaProduct, OneScratchServesManyMatrices) {
  cuda_options o;
  o.scratch = make_cuda_scratch();
  std::uint64_t largest = 0;
  std::vector<matrix> matrices;
  std::vector<plan<float>> plans;
  for (const index_t n : {1'000U, 60'000U, 20'000U}) {
    matrices.push_back(build(generate_web(n, 10, n)));
    plans.emplace_back(matrices.back(),
                       product_options{.batch = 2, .where = device::cuda, .cuda = o});
    largest = std::max(largest, plans.back().needs().scratch_bytes);
  }
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const std::vector<float> x(plans[i].x_size(), 1);
      std::vector<float> y(plans[i].y_size());
      plans[i].run(x, y);
      const auto degrees = matrices[i].out_degrees();
      for (std::size_t v = 0; v < degrees.size(); ++v) ASSERT_EQ(y[2 * v + 1], degrees[v]);
    }
    EXPECT_EQ(allocated_bytes(*o.scratch), largest);
  }
  // A larger plan made later moves the scratch; plans that recorded graphs notice.
  matrices.push_back(build(generate_web(200'000, 10, 1)));
  plans.emplace_back(matrices.back(),
                     product_options{.batch = 3, .where = device::cuda, .cuda = o});
  for (std::size_t i = plans.size(); i-- > 0;) {
    const std::vector<float> x(plans[i].x_size(), 1);
    std::vector<float> y(plans[i].y_size());
    plans[i].run(x, y);
    EXPECT_EQ(y[0], matrices[i].out_degrees()[0]);
  }
}

TEST_F(CudaProduct, RunsOnTheCallersStream) {
  const auto cells = generate_web(30'000, 10, 4);
  const matrix a = build(cells);
  const auto degrees = a.out_degrees();
  for (const bool record : {true, false}) {
    cuda_options o;
    o.record = record;
    plan<float> p(a, {.where = device::cuda, .cuda = o});
    p.prepare();
    const cuda::stream s;
    const std::vector<float> ones(p.x_size(), 1);
    const std::vector<float> nothing(p.y_size(), -1);
    // More pairs of pointers than recordings are kept, used in turn.
    std::vector<device_array<float>> x;
    std::vector<device_array<float>> y;
    for (int i = 0; i < 6; ++i) {
      x.emplace_back(ones);
      y.emplace_back(nothing);
    }
    for (int round = 0; round < 4; ++round) {
      for (int i = 0; i < 6; ++i) p.run_on(s.get(), x[i].data(), y[i].data());
    }
    for (int k = 0; k < 5; ++k) p.run_on(s.get(), x[0].data(), y[0].data(), {.beta = 1});
    s.wait();
    for (int i = 0; i < 6; ++i) {
      const auto result = y[i].host();
      for (std::size_t v = 0; v < degrees.size(); ++v) {
        ASSERT_EQ(result[v], (i == 0 ? 6.0F : 1.0F) * static_cast<float>(degrees[v]))
            << record << i;
      }
    }
  }
}

// Also after runs that the plan has recorded by itself.
TEST_F(CudaProduct, JoinsTheCallersGraph) {
  const auto cells = generate_web(30'000, 10, 4);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix a = build(cells, {.kind = kind});
    const auto degrees = a.out_degrees();
    for (const index_t batch : {1U, 3U}) {
      for (const int before : {0, 1, 3}) {
        plan<float> p(a, {.batch = batch, .where = device::cuda});
        p.prepare();
        const cuda::stream s;
        const device_array<float> x(std::vector<float>(p.x_size(), 1));
        const device_array<float> y(std::vector<float>(p.y_size(), -1));
        for (int i = 0; i < before; ++i) p.run_on(s.get(), x.data(), y.data());
        s.wait();
        const std::uint64_t allocations = test::cuda_allocations();
        cuda::check(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal), "begin");
        p.run_on(s.get(), x.data(), y.data());
        p.run_on(s.get(), x.data(), y.data(), {.alpha = 2, .beta = 1});
        cudaGraph_t graph = nullptr;
        cuda::check(cudaStreamEndCapture(s.get(), &graph), "end");
        cudaGraphExec_t ready = nullptr;
        cuda::check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
        for (int i = 0; i < 2; ++i) cuda::check(cudaGraphLaunch(ready, s.get()), "launch");
        s.wait();
        EXPECT_EQ(test::cuda_allocations(), allocations);
        cudaGraphExecDestroy(ready);
        cudaGraphDestroy(graph);
        const auto result = y.host();
        for (std::size_t i = 0; i < result.size(); ++i) {
          ASSERT_EQ(result[i], 3 * static_cast<float>(degrees[i / batch])) << batch << before;
        }
      }
    }
  }
}

TEST_F(CudaProduct, SaysWhatWouldFit) {
  const auto cells = generate_web(200'000, 10, 4);
  const matrix a = build(cells);
  cuda_options o;
  o.configuration = cuda_configuration::cached_frontier;
  product_options options{.batch = 64, .where = device::cuda, .cuda = o};
  const working_set cached = plan<float>(a, options).needs();
  options.cuda.memory_limit_bytes = cached.total() - 1;
  try {
    plan<float> p(a, options);
    FAIL() << "it should not fit";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.needed_bytes(), cached.total());
    EXPECT_EQ(e.available_bytes(), cached.total() - 1);
    // With 64 vectors and whole tiles, only smaller tiles save more than the frontier's codes.
    EXPECT_NE(std::string(e.what()).find("configuration tree_only"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(" would fit, with "), std::string::npos) << e.what();
  }
  options.cuda.memory_limit_bytes = cached.vector_bytes / 2;
  try {
    plan<float> p(a, options);
    FAIL() << "it should not fit";
  } catch (const out_of_memory& e) {
    EXPECT_NE(std::string(e.what()).find("batches of"), std::string::npos) << e.what();
  }
  options.cuda.memory_limit_bytes = 1000;
  try {
    plan<float> p(a, options);
    FAIL() << "it should not fit";
  } catch (const out_of_memory& e) {
    EXPECT_NE(std::string(e.what()).find("no configuration"), std::string::npos) << e.what();
  }
  // Where the choice is free, the CPU does it.
  options.where = device::automatic;
  EXPECT_EQ(plan<float>(a, options).where(), device::cpu);
  options.cuda.memory_limit_bytes = 0;
  EXPECT_EQ(plan<float>(a, options).where(), device::cuda);
}

TEST_F(CudaProduct, ChecksItsArguments) {
  const matrix a = build(std::vector<edge>{{0, 0}}, {.dims = shape{2, 3}});
  product_options options{.where = device::cuda};
  options.cuda.tile_nodes = 3;
  EXPECT_THROW(plan<float>(a, options), invalid_argument);
  options.cuda = {};
  options.cuda.top_nodes = 0;
  EXPECT_THROW(plan<float>(a, options), invalid_argument);
  plan<float> on_cpu(a, {});
  EXPECT_THROW(on_cpu.run_on(nullptr, nullptr, nullptr), invalid_argument);
}

// One real matrix, every choice against the CPU on device arrays.
void expect_as_on_cpu(const matrix& a, const std::string& name) {
  const bool large = a.nnz() > 1'000'000;
  // One plan holds the matrix on the GPU, one scratch serves all plans.
  plan<float> holder(a, {.where = device::cuda});
  holder.prepare();
  const auto scratch = make_cuda_scratch();
  const auto choices = [&](index_t batch) {
    std::vector<cuda_options> list;
    for (const cuda_options& o : batch <= 3 ? all_choices({1U << 10U, 1U << 14U, 1U << 20U, 0})
                                 : large    ? all_choices({1U << 20U})
                                            : all_choices({1U << 10U, 0})) {
      if (o.leaves_in_place || batch <= 3) list.push_back(o);
    }
    return list;
  };
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : {1U, 3U, 32U, 128U}) {
        product_options options{.side = side, .ring = ring, .batch = batch};
        plan<float> cpu(a, options);
        const auto x = test::values<float>(cpu.x_size(), 5, ring);
        std::vector<float> result(cpu.y_size());
        cpu.run(x, result);
        const std::vector<double> wanted(result.begin(), result.end());
        const device_array<float> dx(x);
        const device_array<float> dy(result);
        options.where = device::cuda;
        for (const cuda_options& choice : choices(batch)) {
          options.cuda = choice;
          options.cuda.scratch = scratch;
          SCOPED_TRACE(name + " " + describe(a, options));
          plan<float> gpu(a, options);
          gpu.run_on(nullptr, dx.data(), dy.data());
          expect_same(dy.host(), wanted, ring);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

class CudaRealGraph : public CudaProduct, public testing::WithParamInterface<const char*> {};

TEST_P(CudaRealGraph, EveryChoiceAsOnTheCpu) {
  const auto file = test::shared_data(GetParam());
  if (!file) GTEST_SKIP() << GetParam() << " is absent";
  const graph g = read_graph(*file);
  std::size_t done = 0;
  for (const relation& r : g.relations) {
    expect_as_on_cpu(r.adjacency, r.name);
    if (HasFatalFailure()) return;
    ++done;
  }
  EXPECT_EQ(done, g.relations.size());
}

INSTANTIATE_TEST_SUITE_P(SharedData, CudaRealGraph,
                         testing::Values("cnr-2000.graph", "codex-m.tsv.gz",
                                         "debian-packages.tsv.gz", "git-v1.8.0.mtx.zst"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });

}  // namespace
