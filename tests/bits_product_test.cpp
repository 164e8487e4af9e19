// Products with Boolean vectors in bits, on the CPU and where there is one on a GPU.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/product.hpp>
#include <baltoro/reader.hpp>

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "format/adaptive/bit_vectors.hpp"
#include "support/data.hpp"
#include "support/graphs.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;

TEST(BitsProduct, ALeafTimesAByte) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t pattern = random() & random() & random();
    const auto x = static_cast<std::uint32_t>(random() & 0xFFU);
    std::uint32_t right = 0;
    std::uint32_t left = 0;
    for (unsigned r = 0; r < 8; ++r) {
      for (unsigned c = 0; c < 8; ++c) {
        if ((pattern >> (8 * r + c) & 1U) == 0) continue;
        if ((x >> c & 1U) != 0) right |= 1U << r;
        if ((x >> r & 1U) != 0) left |= 1U << c;
      }
    }
    ASSERT_EQ(format::multiply_bits<direction::right>(pattern, x), right);
    ASSERT_EQ(format::multiply_bits<direction::left>(pattern, x), left);
  }
}

class bit_table {
 public:
  bit_table(std::uint64_t vertices, index_t batch)
      : per_vertex_(batch == 1 ? 0 : (batch + 31) / 32),
        words_(batch == 1 ? (vertices + 31) / 32 : vertices * per_vertex_) {}
  bool get(std::uint64_t vertex, index_t k) const {
    return (static_cast<std::uint32_t>(words_[word(vertex, k)]) >> bit(vertex, k) & 1U) != 0;
  }
  void set(std::uint64_t vertex, index_t k) {
    bits& w = words_[word(vertex, k)];
    w = bits{static_cast<std::uint32_t>(w) | 1U << bit(vertex, k)};
  }
  std::vector<bits>& words() { return words_; }

 private:
  std::uint64_t word(std::uint64_t vertex, index_t k) const {
    return per_vertex_ == 0 ? vertex / 32 : vertex * per_vertex_ + k / 32;
  }
  unsigned bit(std::uint64_t vertex, index_t k) const {
    return static_cast<unsigned>(per_vertex_ == 0 ? vertex % 32 : k % 32);
  }
  std::uint64_t per_vertex_;
  std::vector<bits> words_;
};

void expect_product(const matrix& a, std::span<const edge> cells, const product_options& options,
                    std::uint32_t keep_one_in) {
  SCOPED_TRACE(std::to_string(a.rows()) + "x" + std::to_string(a.cols()) +
               (options.side == direction::right ? " right" : " left") +
               " B=" + std::to_string(options.batch) +
               (options.where == device::cuda ? " on the GPU" : ""));
  const bool right = options.side == direction::right;
  const index_t inputs = right ? a.cols() : a.rows();
  const index_t outputs = right ? a.rows() : a.cols();
  std::mt19937 random(a.rows() + options.batch);
  bit_table x(inputs, options.batch);
  for (index_t v = 0; v < inputs; ++v) {
    for (index_t k = 0; k < options.batch; ++k) {
      if (random() % keep_one_in == 0) x.set(v, k);
    }
  }
  bit_table old(outputs, options.batch);
  for (index_t v = 0; v < outputs; v += 5) old.set(v, v % options.batch);
  bit_table wanted(outputs, options.batch);
  bit_table added = old;
  for (const edge& e : cells) {
    for (index_t k = 0; k < options.batch; ++k) {
      if (!x.get(right ? e.col : e.row, k)) continue;
      wanted.set(right ? e.row : e.col, k);
      added.set(right ? e.row : e.col, k);
    }
  }
  plan<bits> p(a, options);
  ASSERT_EQ(p.x_size(), x.words().size());
  ASSERT_EQ(p.y_size(), wanted.words().size());
  std::vector<bits> y = old.words();
  p.run(x.words(), y);
  EXPECT_EQ(y, wanted.words());
  y = old.words();
  p.run(x.words(), y, {.beta = bits{1}});
  EXPECT_EQ(y, added.words());
}

void expect_all_products(shape dims, std::span<const edge> cells,
                         std::initializer_list<index_t> batches = {1, 3, 32, 33, 130}) {
  const matrix a = build(cells, {.dims = dims, .kind = layout::adaptive});
  for (const device where : {device::cpu, device::cuda}) {
    if (where == device::cuda && !query_cuda().usable) continue;
    for (const direction side : {direction::right, direction::left}) {
      for (const index_t batch : batches) {
        for (const std::uint32_t keep_one_in : {1U, 2U, 40U}) {
          product_options options{
              .side = side, .ring = semiring::lor_land, .batch = batch, .where = where};
          expect_product(a, cells, options, keep_one_in);
          if (where != device::cuda || batch != 1) continue;
          options.cuda.container_warps = 1;  // as where there are many containers
          expect_product(a, cells, options, keep_one_in);
        }
      }
    }
  }
}

void all_shapes() {
  std::uint64_t seed = 0;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    expect_all_products(
        dims, test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3));
  }
  expect_all_products({0, 0}, {});
  expect_all_products({70, 9}, {});
}

TEST(BitsProduct, AwkwardShapes) { all_shapes(); }

TEST(BitsProduct, Graphs) {
  expect_all_products({60'000, 60'000}, generate_web(60'000, 10, 4), {1, 5, 64});
  expect_all_products({1U << 15U, 1U << 15U}, generate_rmat(15, 200'000, 0.57, 0.19, 0.19, 7),
                      {1, 40});
}

TEST(BitsProduct, EscapesByRows) {
  expect_all_products({600, 600}, test::repeated_rows(600, 4), {1, 33});
}

TEST(BitsProduct, RefusesWhatItCannotDo) {
  const std::vector<edge> cells = {{0, 1}};
  const matrix adaptive = build(cells, {.kind = layout::adaptive});
  EXPECT_THROW(plan<bits>(adaptive, {.ring = semiring::plus_times}), invalid_argument);
  EXPECT_THROW(
      plan<bits>(build(cells, {.kind = layout::level_order}), {.ring = semiring::lor_land}),
      invalid_argument);
  plan<bits> p(adaptive, {.ring = semiring::lor_land});
  std::vector<bits> x(2);
  std::vector<bits> y(1);
  EXPECT_THROW(p.run(x, y), invalid_argument);
  x.resize(1);
  EXPECT_THROW(p.run(x, y, {.beta = bits{2}}), invalid_argument);
}

// The same again for runs that choose tests of the GPU by their name.
TEST(CudaBitsProduct, AwkwardShapes) {
  if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  all_shapes();
  expect_all_products({600, 600}, test::repeated_rows(600, 4), {1, 33});
}

TEST(CudaBitsProduct, StreamsOfLeaves) {
  if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  for (const std::vector<edge>& edges : test::streamed_graphs()) {
    const matrix a = build(edges, {.kind = layout::adaptive});
    expect_all_products(a.dims(), a.cells({0, 0, a.rows(), a.cols()}), {1});
  }
}

}  // namespace
