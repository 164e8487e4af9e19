// Products against the COO oracle: both sides, all semirings, float and double, single and batch.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/product.hpp>
#include <baltoro/threads.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;

constexpr semiring all_rings[] = {semiring::plus_times, semiring::lor_land, semiring::min_plus};
constexpr direction both_sides[] = {direction::right, direction::left};

template <class T>
void expect_product(const matrix& a, std::span<const edge> cells, direction side, semiring ring,
                    index_t batch) {
  SCOPED_TRACE(testing::Message() << a.rows() << "x" << a.cols() << " nnz " << a.nnz() << " "
                                  << name_of(ring)
                                  << (side == direction::right ? " right" : " left")
                                  << " B=" << batch << (sizeof(T) == 4 ? " float" : " double"));
  plan<T> p(a, {.side = side, .ring = ring, .batch = batch});
  const auto x = test::values<T>(p.x_size(), a.nnz() + batch, ring);
  std::vector<T> y(p.y_size(), std::numeric_limits<T>::quiet_NaN());  // must be overwritten
  p.run(x, y);
  const std::uint64_t outputs = side == direction::right ? a.rows() : a.cols();
  const auto wanted = test::coo_product<T>(cells, ring, side, outputs, batch, x);
  for (std::uint64_t i = 0; i < y.size(); ++i) {
    if (ring == semiring::plus_times) {
      const double tolerance = (sizeof(T) == 4 ? 1e-6 : 1e-13) * std::abs(wanted[i]);
      ASSERT_NEAR(y[i], wanted[i], tolerance) << i;
    } else {
      ASSERT_EQ(y[i], static_cast<T>(wanted[i])) << i;
    }
  }
}

void expect_all_products(const matrix& a, std::span<const edge> cells,
                         std::initializer_list<index_t> batches) {
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : batches) {
        expect_product<float>(a, cells, side, ring, batch);
        expect_product<double>(a, cells, side, ring, batch);
      }
    }
  }
}

class Product : public testing::TestWithParam<layout> {
 protected:
  static matrix made(std::span<const edge> cells, build_options options = {}) {
    options.kind = GetParam();
    return build(cells, options);
  }
};

TEST_P(Product, ByHand) {
  // 0 → 1, 0 → 2, 2 → 0
  const std::vector<edge> cells = {{0, 1}, {0, 2}, {2, 0}};
  const matrix a = made(cells);
  const std::vector<double> x = {10, 20, 40};
  std::vector<double> y(3);
  mxv<double>(a, x, y);
  EXPECT_EQ(y, (std::vector<double>{60, 0, 10}));
  vxm<double>(a, x, y);
  EXPECT_EQ(y, (std::vector<double>{40, 10, 10}));
  mxv<double>(a, x, y, semiring::lor_land);
  EXPECT_EQ(y, (std::vector<double>{1, 0, 1}));
  mxv<double>(a, x, y, semiring::min_plus);
  EXPECT_EQ(y, (std::vector<double>{21, tropical_infinity, 11}));
}

TEST_P(Product, AwkwardShapes) {
  std::uint64_t seed = 100;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    const auto cells = test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3);
    expect_all_products(made(cells, {.dims = dims, .directory_step = 16}), cells, {1, 3});
  }
}

TEST_P(Product, EmptyMatrices) {
  for (const shape dims : {shape{0, 0}, shape{1, 1}, shape{5, 0}, shape{0, 5}, shape{70, 9}}) {
    expect_all_products(made({}, {.dims = dims}), {}, {1, 4});
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

// Shapes that put all the work on one output, so that strips are cut into pieces.
TEST_P(Product, OneFullRowOneFullColumnDiagonalAndFull) {
  const shape dims{301, 517};
  for (const auto& cells :
       {cells_where(dims, [](index_t r, index_t) { return r == 200; }),
        cells_where(dims, [](index_t, index_t c) { return c == 516; }),
        cells_where(dims, [](index_t r, index_t c) { return r == c; }),
        cells_where(dims, [](index_t, index_t) { return true; }),
        cells_where(dims, [](index_t r, index_t c) { return r == 7 || c == 9; })}) {
    expect_all_products(made(cells, {.dims = dims}), cells, {1, 2});
  }
}

TEST_P(Product, ManyTilesAndPieces) {
  const auto cells = generate_web(20'000, 10, 4);
  const matrix a = made(cells);
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      expect_product<float>(a, cells, side, ring, 1);
      expect_product<double>(a, cells, side, ring, 1);
    }
    expect_product<float>(a, cells, side, semiring::plus_times, 33);
  }
}

TEST_P(Product, AHugeSparseMatrixNeedsNoMoreThanItsVectors) {
  // Cells all over 2^22 x 2^22: strips are wide, so accumulators go into one array.
  const shape dims{1U << 22U, 1U << 22U};
  const auto cells = test::random_cells(dims, 20'000, 8);
  const matrix a = made(cells, {.dims = dims});
  for (const direction side : both_sides) {
    expect_product<double>(a, cells, side, semiring::plus_times, 1);
    const plan<double> p(a, {.side = side});
    EXPECT_LT(p.needs().scratch_bytes, 8ULL * (1U << 22U) * 2);
  }
}

TEST_P(Product, SameBitsOnAnyNumberOfThreads) {
  const auto cells = generate_web(30'000, 12, 11);
  const matrix a = made(cells);
  for (const direction side : both_sides) {
    std::vector<std::vector<double>> results;
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      const thread_limit limit(threads);
      plan<double> p(a, {.side = side});
      const auto x = test::values<double>(p.x_size(), 5, semiring::plus_times);
      std::vector<double> y(p.y_size());
      p.run(x, y);
      results.push_back(y);
    }
    for (const auto& r : results) EXPECT_EQ(r, results[0]);
  }
}

TEST_P(Product, FloatSumsLoseNothing) {
  // 2^24 and a thousand ones: in float, no single one would count.
  std::vector<edge> cells;
  for (index_t c = 0; c <= 1000; ++c) cells.push_back({0, c});
  const matrix a = made(cells, {.dims = shape{1, 1001}});
  std::vector<float> x(1001, 1.0F);
  x[0] = 16777216.0F;
  std::vector<float> y(1);
  mxv<float>(a, x, y);
  EXPECT_EQ(y[0], 16778216.0F);
}

TEST_P(Product, AlphaAndBeta) {
  const std::vector<edge> cells = {{0, 0}, {0, 1}};
  const matrix a = made(cells, {.dims = shape{2, 2}});
  plan<double> p(a, {});
  const std::vector<double> x = {1, 2};
  std::vector<double> y = {10, 20};
  p.run(x, y, {.alpha = 2, .beta = 0.5});
  EXPECT_EQ(y, (std::vector<double>{11, 10}));
  p.run(x, y, {.alpha = -1, .beta = 1});
  EXPECT_EQ(y, (std::vector<double>{8, 10}));
}

TEST_P(Product, AccumulatesInEverySemiring) {
  const std::vector<edge> cells = {{0, 0}};
  const matrix a = made(cells, {.dims = shape{2, 2}});
  const std::vector<double> x = {4, 0};
  std::vector<double> y = {1, 1};
  plan<double>(a, {.ring = semiring::lor_land}).run(x, y, {.beta = 1});
  EXPECT_EQ(y, (std::vector<double>{1, 1}));
  y = {5, -3};  // old values count as true
  plan<double>(a, {.ring = semiring::lor_land}).run(x, y, {.beta = 1});
  EXPECT_EQ(y, (std::vector<double>{1, 1}));
  y = {std::nan(""), std::nan("")};
  plan<double>(a, {.ring = semiring::min_plus}).run(x, y, {.beta = 1});
  EXPECT_EQ(y, (std::vector<double>{5, tropical_infinity}));
  y = {3, 9};
  plan<double>(a, {.ring = semiring::min_plus}).run(x, y, {.beta = 1});
  EXPECT_EQ(y, (std::vector<double>{3, 9}));
  y = {7, 9};
  plan<double>(a, {.ring = semiring::min_plus}).run(x, y, {.beta = 1});
  EXPECT_EQ(y, (std::vector<double>{5, 9}));
  EXPECT_THROW(plan<double>(a, {.ring = semiring::min_plus}).run(x, y, {.alpha = 2}),
               invalid_argument);
  EXPECT_THROW(plan<double>(a, {.ring = semiring::lor_land}).run(x, y, {.beta = 0.5}),
               invalid_argument);
}

TEST_P(Product, NanAndInfinityTouchOnlyTheirRows) {
  const auto cells = cells_where({12, 12}, [](index_t r, index_t c) { return r % 3 == c % 3; });
  const matrix a = made(cells);
  for (const double special :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (const index_t batch : {1U, 2U}) {
      plan<double> p(a, {.batch = batch});
      std::vector<double> x(p.x_size(), 1.0);
      x[4 * batch] = special;  // column 4: rows with r % 3 == 1
      std::vector<double> y(p.y_size());
      p.run(x, y);
      for (index_t r = 0; r < 12; ++r) EXPECT_EQ(std::isfinite(y[r * batch]), r % 3 != 1) << r;
    }
  }
}

TEST_P(Product, InfinityOfMinPlusIsAFixedPoint) {
  const std::vector<edge> cells = {{0, 0}, {1, 1}, {2, 2}};
  const matrix a = made(cells);
  const std::vector<double> x = {tropical_infinity, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()};
  std::vector<double> y(3);
  mxv<double>(a, x, y, semiring::min_plus);
  EXPECT_EQ(y, std::vector<double>(3, tropical_infinity));
}

TEST_P(Product, ChecksItsArguments) {
  const std::vector<edge> cells = {{0, 0}};
  const matrix a = made(cells, {.dims = shape{2, 3}});
  EXPECT_THROW(plan<float>(a, {.batch = 0}), invalid_argument);
  plan<float> p(a, {});
  std::vector<float> two(2);
  std::vector<float> three(3);
  EXPECT_THROW(p.run(two, two), invalid_argument);
  EXPECT_THROW(p.run(three, three), invalid_argument);
  std::vector<float> shared(5);
  EXPECT_THROW(p.run(std::span(shared).first(3), std::span(shared).subspan(2, 2)),
               invalid_argument);
  p.run(three, two);
}

TEST_P(Product, ReportsItsWorkingSet) {
  const auto cells = generate_web(5'000, 10, 2);
  const matrix a = made(cells);
  const plan<float> p(a, {.batch = 4});
  EXPECT_EQ(p.needs().matrix_bytes, a.bytes().total());
  EXPECT_EQ(p.needs().vector_bytes, 4ULL * 4 * (a.rows() + a.cols()));
  EXPECT_GT(p.needs().scratch_bytes, 0U);
  EXPECT_EQ(p.needs().total(),
            p.needs().matrix_bytes + p.needs().vector_bytes + p.needs().scratch_bytes);
}

TEST_P(Product, SquaresOfEverySideAndFullOnes) {
  // One full square a side, far from the next: containers of every level.
  std::vector<edge> cells;
  index_t corner = 0;
  for (index_t side = 1; side <= 700; side = 2 * side + 1) {
    for (index_t r = 0; r < side; ++r) {
      for (index_t c = 0; c < side; c += 1 + r % 3) cells.push_back({corner + r, corner + c});
    }
    corner += 1024;
  }
  const shape dims{corner, corner};
  expect_all_products(made(cells, {.dims = dims}), cells, {1, 3});
  const shape full{64, 64};
  const auto all = cells_where(full, [](index_t, index_t) { return true; });
  expect_all_products(made(all, {.dims = full}), all, {1, 8, 128});
}

TEST_P(Product, MorePatternsThanSixteenBitsName) {
  const shape dims{2304, 2304};
  std::uint64_t state = 1;
  const auto cells = cells_where(dims, [&](index_t, index_t) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 63U != 0;
  });
  const matrix a = made(cells, {.dims = dims});
  for (const direction side : both_sides) {
    expect_product<float>(a, cells, side, semiring::plus_times, 1);
    expect_product<double>(a, cells, side, semiring::min_plus, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Product, testing::Values(layout::level_order, layout::adaptive),
                         [](const auto& one) {
                           return one.param == layout::adaptive ? "adaptive" : "level_order";
                         });

}  // namespace
