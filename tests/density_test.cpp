// Maps of densities, against counting cell by cell.
#include <baltoro/builder.hpp>
#include <baltoro/density.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "support/oracle.hpp"

namespace {

using namespace baltoro;

class Density : public testing::TestWithParam<layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, Density, testing::Values(layout::level_order, layout::adaptive));

TEST_P(Density, OfAFewCells) {
  const std::vector<edge> cells{{0, 0}, {0, 1}, {3, 3}, {4, 0}, {9, 11}};
  const density_map map = density(build(cells, {.dims = shape{10, 12}, .kind = GetParam()}), 3);
  EXPECT_EQ(map.side_log2, 2U);
  EXPECT_EQ(map.rows, 3U);
  EXPECT_EQ(map.cols, 3U);
  EXPECT_EQ(map.counts, (std::vector<std::uint64_t>{3, 0, 0, 1, 0, 0, 0, 0, 1}));
}

TEST_P(Density, CountsEveryCellInItsSquare) {
  for (const shape dims : {shape{1, 1}, shape{1000, 1}, shape{257, 4096}, shape{5000, 5000}}) {
    const std::vector<edge> cells = test::random_cells(dims, 3000, 17, 6);
    const matrix a = build(cells, {.dims = dims, .kind = GetParam()});
    for (const index_t side : {1U, 2U, 63U, 512U, 1024U, 5000U}) {
      const density_map map = density(a, side);
      ASSERT_LE(std::max(map.rows, map.cols), side);
      std::vector<std::uint64_t> counts(std::uint64_t{map.rows} * map.cols);
      for (const edge& e : cells) {
        ++counts[std::uint64_t{e.row >> map.side_log2} * map.cols + (e.col >> map.side_log2)];
      }
      EXPECT_EQ(map.counts, counts) << dims.rows << "x" << dims.cols << ", at most " << side;
    }
  }
}

TEST_P(Density, OfTheLargestMatrix) {
  const std::vector<edge> cells{{0, 0}, {max_dimension - 1, max_dimension - 1}};
  const density_map map =
      density(build(cells, {.dims = shape{max_dimension, max_dimension}, .kind = GetParam()}), 2);
  EXPECT_EQ(map.side_log2, 31U);
  EXPECT_EQ(map.counts, (std::vector<std::uint64_t>{1, 0, 0, 1}));
}

TEST_P(Density, OfNothing) {
  for (const shape dims : {shape{}, shape{0, 5}, shape{5, 0}}) {
    const density_map map = density(build({}, {.dims = dims, .kind = GetParam()}));
    EXPECT_EQ(map.rows, dims.rows);
    EXPECT_EQ(map.cols, dims.cols);
    EXPECT_TRUE(map.counts.empty());
  }
  const density_map map = density(build({}, {.dims = shape{9, 9}, .kind = GetParam()}), 2);
  EXPECT_EQ(map.counts, std::vector<std::uint64_t>(4));
}

TEST(DensityMap, HasBounds) {
  EXPECT_THROW(density(matrix(), 0), invalid_argument);
  EXPECT_THROW(density(matrix(), 16385), invalid_argument);
}

}  // namespace
