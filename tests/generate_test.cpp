#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>

#include <algorithm>

#include <gtest/gtest.h>

namespace {

using namespace baltoro;

TEST(Generate, WebIsSortedUniqueAndCompressesLikeTheWeb) {
  const auto edges = generate_web(50'000, 10, 1);
  EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
  EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
  EXPECT_NEAR(static_cast<double>(edges.size()) / 50'000, 10, 4);
  const matrix a = build(edges, {.dims = shape{50'000, 50'000}});
  EXPECT_LT(a.bits_per_edge(), 6.0);  // real crawls take 2.4 to 3.5, scattered graphs over 20
  EXPECT_EQ(edges, generate_web(50'000, 10, 1)) << "the same seed is the same graph";
  EXPECT_NE(edges, generate_web(50'000, 10, 2));
}

TEST(Generate, WebAtTheLimits) {
  EXPECT_TRUE(generate_web(0, 10, 1).empty());
  EXPECT_TRUE(generate_web(10, 0, 1).empty());
  for (const edge& e : generate_web(1, 5, 1)) EXPECT_EQ(e, (edge{0, 0}));
  EXPECT_THROW(generate_web(10, -1, 1), invalid_argument);
}

TEST(Generate, RmatIsSkewedAndInRange) {
  const auto edges = generate_rmat(10, 20'000, 0.57, 0.19, 0.19, 7);
  EXPECT_EQ(edges.size(), 20'000U);
  std::size_t upper_left = 0;
  for (const edge& e : edges) {
    ASSERT_LT(e.row, 1024U);
    ASSERT_LT(e.col, 1024U);
    upper_left += e.row < 512 && e.col < 512;
  }
  EXPECT_NEAR(static_cast<double>(upper_left) / 20'000, 0.57, 0.02);
  EXPECT_THROW(generate_rmat(32, 1, 0.5, 0.1, 0.1, 1), invalid_argument);
  EXPECT_THROW(generate_rmat(3, 1, 0.9, 0.1, 0.1, 1), invalid_argument);
}

TEST(Generate, UniformCoversTheShape) {
  const auto edges = generate_uniform({3, 5}, 2'000, 1);
  std::vector<int> count(15);
  for (const edge& e : edges) ++count.at(5 * e.row + e.col);
  for (const int c : count) EXPECT_NEAR(c, 2000 / 15, 60);
  EXPECT_THROW(generate_uniform({0, 5}, 1, 1), invalid_argument);
  EXPECT_TRUE(generate_uniform({0, 0}, 0, 1).empty());
}

}  // namespace
