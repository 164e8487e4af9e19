// Products on the GPU that must have the same bits on every run: against sums of integers on the host.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/product.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/cuda_allocations.hpp"
#include "support/device_array.hpp"
#include "support/graphs.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using test::device_array;

constexpr direction both_sides[] = {direction::right, direction::left};
constexpr layout both_layouts[] = {layout::level_order, layout::adaptive};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Order in which the emulated GPU runs blocks and threads; a real one has its own.
void set_order([[maybe_unused]] unsigned order) {
#ifdef BALTORO_EMULATED_GPU
  gpu_emulation::set_order(order);
#endif
}

class CudaReproducible : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
  void TearDown() override { set_order(0); }
};

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
std::vector<bits_of<T>> to_bits(std::span<const T> values) {
  std::vector<bits_of<T>> result;
  for (const T v : values) result.push_back(std::bit_cast<bits_of<T>>(v));
  return result;
}

// What a product must be, bit by bit, and how far from the sum in double it may be.
template <class T>
struct wanted {
  std::vector<T> y;
  std::vector<double> bound;  // before alpha and beta
};

template <class T>
wanted<T> in_fixed_point(std::span<const edge> cells, direction side, std::uint64_t outputs,
                         index_t batch, std::span<const T> x, std::span<const T> old,
                         update<T> how) {
  const auto in = [&](const edge& e) { return side == direction::right ? e.col : e.row; };
  const auto out = [&](const edge& e) { return side == direction::right ? e.row : e.col; };
  std::vector<std::uint64_t> terms(outputs);
  for (const edge& e : cells) ++terms[out(e)];
  const std::uint64_t most = outputs == 0 ? 0 : *std::max_element(terms.begin(), terms.end());
  wanted<T> result{std::vector<T>(outputs * batch), std::vector<double>(outputs * batch)};
  for (index_t k = 0; k < batch; ++k) {
    double largest = 0;
    for (std::size_t i = k; i < x.size(); i += batch) {
      if (std::isfinite(x[i])) largest = std::max(largest, std::abs(double{x[i]}));
    }
    int exponent = 0;
    std::frexp(largest, &exponent);
    const int shift = 62 - (most < 2 ? 0 : std::bit_width(most - 1)) - exponent;
    std::vector<std::int64_t> sums(outputs);
    std::vector<double> others(outputs);  // of what is not finite
    for (const edge& e : cells) {
      const double term = x[std::uint64_t{in(e)} * batch + k];
      if (std::isfinite(term)) {
        if (largest != 0) sums[out(e)] += std::llrint(std::ldexp(term, shift));
      } else {
        others[out(e)] += term;
      }
    }
    for (std::uint64_t i = 0; i < outputs; ++i) {
      const std::uint64_t at = i * batch + k;
      const double sum = others[i] != 0 ? others[i]
                         : largest == 0
                             ? 0
                             : std::ldexp(static_cast<double>(sums[i]), -shift);
      const double scaled = double{how.alpha} * sum + 0.0;
      const double before = how.beta == 0 ? 0.0 : double{old[at]};
      result.y[at] = static_cast<T>(std::fma(double{how.beta}, before, scaled));
      if (std::isnan(result.y[at])) result.y[at] = std::numeric_limits<T>::quiet_NaN();
      result.bound[at] = std::ldexp(static_cast<double>(terms[i] * most), -61) * largest;
    }
  }
  return result;
}

template <class T>
std::vector<T> run(const matrix& a, const product_options& options, std::span<const T> x,
                   std::span<const T> old, update<T> how = {}) {
  std::vector<T> y(old.begin(), old.end());
  plan<T>(a, options).run(x, y, how);
  return y;
}

// Runs the product in all ways that must not matter.
template <class T>
void expect_bits(const matrix& a, std::span<const edge> cells, direction side, index_t batch,
                 std::span<const T> x, update<T> how = {}) {
  SCOPED_TRACE(std::string(name_of(a.kind())) + " " + std::to_string(a.rows()) + "x" +
               std::to_string(a.cols()) + (side == direction::right ? " right" : " left") +
               " B=" + std::to_string(batch) + (sizeof(T) == 4 ? " float" : " double"));
  const std::uint64_t outputs = side == direction::right ? a.rows() : a.cols();
  auto old = test::values<T>(outputs * batch, 77, semiring::plus_times);
  if (how.beta == T{0}) std::fill(old.begin(), old.end(), static_cast<T>(nan));
  const wanted<T> expected =
      in_fixed_point<T>(cells, side, outputs, batch, x, std::span<const T>(old), how);
  product_options options{.side = side, .batch = batch, .where = device::cuda, .reproducible = true};
  for (const unsigned warps : {0U, 1U, 4U}) {
    if (warps != 0 && (a.kind() != layout::adaptive || batch != 1)) continue;
    options.cuda.container_warps = warps;
    plan<T> p(a, options);
    for (const unsigned order : {0U, 3U, 17U}) {
      set_order(order);
      std::vector<T> y = old;
      p.run(x, y, how);
      ASSERT_EQ(to_bits<T>(y), to_bits<T>(expected.y)) << warps << " warps, order " << order;
    }
    set_order(0);
  }
  const auto sums = test::coo_product<plus_times, T>(cells, side, outputs, batch, x);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (how.alpha != T{1} || how.beta != T{0} || !std::isfinite(sums[i])) continue;
    const double rounded = std::abs(sums[i]) * (sizeof(T) == 4 ? 0x1p-23 : 0x1p-48) +
                           std::numeric_limits<T>::denorm_min();
    ASSERT_NEAR(expected.y[i], sums[i], expected.bound[i] + rounded) << i;
  }
}

template <class T>
void expect_all_bits(shape dims, std::span<const edge> cells,
                     std::initializer_list<index_t> batches = {1, 3, 8}) {
  for (const layout kind : both_layouts) {
    const matrix a = build(cells, {.dims = dims, .kind = kind});
    for (const direction side : both_sides) {
      for (const index_t batch : batches) {
        const std::uint64_t inputs = side == direction::right ? a.cols() : a.rows();
        const auto x = test::values<T>(inputs * batch, a.nnz() + 1, semiring::plus_times);
        expect_bits<T>(a, cells, side, batch, x);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(CudaReproducible, AwkwardShapes) {
  std::uint64_t seed = 100;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    const auto cells =
        test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3);
    expect_all_bits<float>(dims, cells);
    expect_all_bits<double>(dims, cells);
  }
  for (const shape dims : {shape{0, 0}, shape{1, 1}, shape{5, 0}, shape{0, 5}, shape{70, 9}}) {
    expect_all_bits<float>(dims, {});
    expect_all_bits<double>(dims, {});
  }
}

TEST_F(CudaReproducible, FullRowsAndSquares) {
  std::vector<edge> row;
  std::vector<edge> full;
  for (index_t i = 0; i < 3'000; ++i) row.push_back({17, i});
  for (index_t i = 0; i < 130 * 130; ++i) full.push_back({i / 130, i % 130});
  expect_all_bits<float>({40, 3'000}, row);
  expect_all_bits<double>({40, 3'000}, row);
  expect_all_bits<double>({130, 130}, full, {1, 5, 40});
}

// Numbers of all sizes, both signs.
template <class T>
std::vector<T> wide_values(std::uint64_t count, std::uint64_t seed, int exponents) {
  std::mt19937_64 random(seed);
  std::vector<T> x(count);
  for (T& v : x) {
    const double part = 1 + static_cast<double>(random() % (1ULL << 52U)) / 0x1p52;
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(exponents));
    v = static_cast<T>(std::ldexp(random() % 2 == 0 ? part : -part, -exponent));
  }
  return x;
}

// What the emulated GPU gets wrong without the option, so that the orders are worth something.
TEST_F(CudaReproducible, GraphsInAnyOrder) {
  for (const layout kind : both_layouts) {
    const matrix a = build(generate_web(4'000, 10, 4), {.kind = kind});
    const auto cells = a.cells({0, 0, a.rows(), a.cols()});
    for (const direction side : both_sides) {
      const auto x = wide_values<float>(a.rows(), 5, 30);
      expect_bits<float>(a, cells, side, 1, x);
      const auto wide = wide_values<double>(a.rows() * 3, 6, 600);
      expect_bits<double>(a, cells, side, 3, wide);
      if (testing::Test::HasFatalFailure()) return;
#ifdef BALTORO_EMULATED_GPU
      const product_options usual{.side = side, .where = device::cuda};
      const std::vector<float> old(a.rows());
      set_order(3);
      const auto one = run<float>(a, usual, x, old);
      set_order(17);
      EXPECT_NE(to_bits<float>(run<float>(a, usual, x, old)), to_bits<float>(one));
      set_order(0);
#endif
    }
  }
}

TEST_F(CudaReproducible, StreamsOfLeaves) {
  for (const std::vector<edge>& edges : test::streamed_graphs()) {
    const matrix a = build(edges, {.kind = layout::adaptive});
    const auto cells = a.cells({0, 0, a.rows(), a.cols()});
    auto x = wide_values<double>(a.cols(), 8, 40);
    expect_bits<double>(a, cells, direction::right, 1, x);
    for (std::size_t i = 0; i < x.size(); i += 97) x[i] = i % 2 == 0 ? infinity : -infinity;
    expect_bits<double>(a, cells, direction::right, 1, x);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_F(CudaReproducible, BatchesAreTheirVectors) {
  const index_t n = 2'000;
  for (const layout kind : both_layouts) {
    const matrix a = build(generate_web(n, 10, 4), {.dims = shape{n, n}, .kind = kind});
    for (const direction side : both_sides) {
      for (const index_t batch : {2U, 7U, 32U, 70U}) {
        // Vector k is 2^k times smaller, so that each has a scale of its own.
        auto x = wide_values<double>(std::uint64_t{n} * batch, batch, 20);
        for (std::size_t i = 0; i < x.size(); ++i) {
          x[i] = std::ldexp(x[i], -static_cast<int>(i % batch));
        }
        x[5] = nan;
        product_options options{.side = side, .where = device::cuda, .reproducible = true};
        plan<double> one(a, options);
        options.batch = batch;
        const auto all = run<double>(a, options, x, std::vector<double>(x.size()));
        for (const index_t k : {index_t{0}, batch / 2, batch - 1}) {
          std::vector<double> vector(n);
          std::vector<double> wanted(n);
          std::vector<double> y(n);
          for (index_t i = 0; i < n; ++i) {
            vector[i] = x[std::size_t{i} * batch + k];
            wanted[i] = all[std::size_t{i} * batch + k];
          }
          one.run(vector, y);
          ASSERT_EQ(to_bits<double>(y), to_bits<double>(wanted)) << k << " of " << batch;
        }
      }
    }
  }
}

template <class T>
void expect_strange_values() {
  const T inf = std::numeric_limits<T>::infinity();
  const T none = std::numeric_limits<T>::quiet_NaN();
  const T most = std::numeric_limits<T>::max();
  const T least = std::numeric_limits<T>::denorm_min();
  const std::vector<std::vector<T>> kinds = {
      {0},
      {T{-0.0}},
      {0, T{-0.0}},
      {least},
      {least, -3 * least, 1000 * least, 0},
      {least, most},
      {most},
      {most, -most, 1},
      {std::numeric_limits<T>::min(), -least, least},
      {1, none, 2, 3, 4, 5, 6, 7, 8, 9, 10},
      {1, -none, 2, 3, 4, 5, 6},
      {inf, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
      {-inf, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
      {1, 2, 3, 4, 5, 6, 7, inf, 9, -inf, most, least, 0},
      {inf},
      {none},
      {inf, none, -inf}};
  const shape dims{90, 75};
  const auto cells = test::random_cells(dims, 300, 5, 1);
  for (const layout kind : both_layouts) {
    const matrix a = build(cells, {.dims = dims, .kind = kind});
    for (const direction side : both_sides) {
      for (const index_t batch : {1U, 2U, 5U}) {
        for (const auto& values : kinds) {
          std::vector<T> x((side == direction::right ? dims.cols : dims.rows) * batch);
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = values[i * 31 % 101 % values.size()];
          expect_bits<T>(a, cells, side, batch, x);
          expect_bits<T>(a, cells, side, batch, x, {.alpha = T{-0.3}, .beta = T{1.7}});
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_F(CudaReproducible, StrangeFloats) { expect_strange_values<float>(); }

TEST_F(CudaReproducible, StrangeDoubles) { expect_strange_values<double>(); }

TEST_F(CudaReproducible, AlphaAndBeta) {
  const shape dims{500, 400};
  const auto cells = test::random_cells(dims, 3'000, 9);
  for (const layout kind : both_layouts) {
    const matrix a = build(cells, {.dims = dims, .kind = kind});
    for (const index_t batch : {1U, 4U}) {
      const auto x = wide_values<float>(std::uint64_t{dims.cols} * batch, 3, 10);
      for (const update<float> how : {update<float>{1, 1}, {2, 0}, {0.1F, 0.1F}, {-3, -1}, {0, 1}}) {
        expect_bits<float>(a, cells, direction::right, batch, x, how);
      }
    }
  }
}

TEST_F(CudaReproducible, AllocatesWhatItSays) {
  for (const layout kind : both_layouts) {
    for (const index_t batch : {1U, 5U}) {
      SCOPED_TRACE(std::string(name_of(kind)) + " B=" + std::to_string(batch));
      const matrix a = build(generate_web(20'000, 10, 4), {.kind = kind});
      std::uint64_t before = test::cuda_bytes_allocated();
      product_options options{.batch = batch, .where = device::cuda};
      const working_set usual = plan<float>(a, options).needs();
      options.reproducible = true;
      plan<float> p(a, options);
      const working_set needs = p.needs();
      EXPECT_EQ(test::cuda_bytes_allocated(), before);
      EXPECT_EQ(needs.matrix_bytes, usual.matrix_bytes);
      const std::uint64_t more = needs.scratch_bytes - usual.scratch_bytes;
      const std::uint64_t values = p.x_size() + p.y_size();
      EXPECT_GE(more, 8 * values + p.y_size() / 4);
      EXPECT_LE(more, 8 * values + p.y_size() / 4 + 2'000);
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
      options.cuda.memory_limit_bytes = needs.total() - 1;
      EXPECT_THROW(plan<float>(a, options), out_of_memory);
      options.cuda.memory_limit_bytes = needs.total();
      EXPECT_NO_THROW(plan<float>(a, options));
    }
  }
}

TEST_F(CudaReproducible, CanBeRecorded) {
  for (const layout kind : both_layouts) {
    const matrix a = build(generate_web(3'000, 10, 4), {.kind = kind});
    plan<float> p(a, {.where = device::cuda, .cuda = {.record = false}, .reproducible = true});
    p.prepare();
    auto values = wide_values<float>(p.x_size(), 4, 25);
    const device_array<float> x(values);
    const device_array<float> y(std::vector<float>(p.y_size()));
    const cuda::stream recorder;
    cuda::check(cudaStreamBeginCapture(recorder.get(), cudaStreamCaptureModeThreadLocal), "begin");
    p.run_on(recorder.get(), x.data(), y.data());
    cudaGraph_t graph = nullptr;
    cuda::check(cudaStreamEndCapture(recorder.get(), &graph), "end");
    cudaGraphExec_t recorded = nullptr;
    cuda::check(cudaGraphInstantiate(&recorded, graph, 0), "instantiate");
    for (const float first : {values[0], 3.0e30F, static_cast<float>(infinity), 1e-30F}) {
      values[0] = first;
      cuda::copy_to_device(x.data(), values.data(), sizeof(float) * values.size(), recorder.get());
      cuda::check(cudaGraphLaunch(recorded, recorder.get()), "launch");
      recorder.wait();
      std::vector<float> wanted(p.y_size());
      p.run(values, wanted);
      EXPECT_EQ(to_bits<float>(y.host()), to_bits<float>(wanted)) << first;
    }
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(recorded);
  }
}

TEST_F(CudaReproducible, OtherSemiringsAndTheCpuHaveItAnyway) {
  for (const layout kind : both_layouts) {
    const matrix a = build(generate_web(1'000, 10, 4), {.kind = kind});
    const std::vector<float> none(a.rows());
    for (const semiring ring : {semiring::lor_land, semiring::min_plus}) {
      product_options options{.ring = ring, .where = device::cuda};
      const std::uint64_t scratch = plan<float>(a, options).needs().scratch_bytes;
      const auto x = test::values<float>(a.cols(), 3, ring);
      const auto usual = run<float>(a, options, x, none);
      options.reproducible = true;
      EXPECT_EQ(plan<float>(a, options).needs().scratch_bytes, scratch);
      EXPECT_EQ(run<float>(a, options, x, none), usual);
    }
    const auto x = wide_values<float>(a.cols(), 3, 20);
    EXPECT_EQ(run<float>(a, {.reproducible = true}, x, none), run<float>(a, {}, x, none));
  }
  const matrix a = build(generate_web(1'000, 10, 4), {.kind = layout::adaptive});
  EXPECT_NO_THROW(plan<bits>(
      a, {.ring = semiring::lor_land, .where = device::cuda, .reproducible = true}));
}

}  // namespace
