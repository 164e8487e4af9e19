// How products are cut: strips share no output, heavy strips are cut, nothing is left out.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>

#include <set>

#include <gtest/gtest.h>

#include "cpu/level_order_partition.hpp"

namespace {

using namespace baltoro;
using cpu::partition;

void expect_covers(const partition& parts, const level_order_view& tree) {
  std::set<std::uint64_t> nodes;
  std::uint32_t next_piece = 0;
  std::uint32_t next_node = 0;
  for (std::size_t s = 0; s < parts.strips.size(); ++s) {
    const auto& strip = parts.strips[s];
    if (s > 0) {
      EXPECT_GT(strip.out, parts.strips[s - 1].out);
    }
    EXPECT_EQ(strip.pieces_begin, next_piece);
    for (; next_piece < strip.pieces_end; ++next_piece) {
      const auto& piece = parts.pieces[next_piece];
      EXPECT_EQ(piece.in_strip, s);
      EXPECT_EQ(piece.nodes_begin, next_node);
      EXPECT_LT(piece.nodes_begin, piece.nodes_end);
      for (; next_node < piece.nodes_end; ++next_node) {
        EXPECT_EQ(parts.nodes[next_node].out, strip.out);
        nodes.insert(parts.nodes[next_node].node);
      }
    }
  }
  EXPECT_EQ(next_piece, parts.pieces.size());
  ASSERT_EQ(nodes.size(), tree.nodes_at(parts.level));
  EXPECT_EQ(*nodes.begin(), tree.level_begin[parts.level]);
}

TEST(Partition, CoversEveryNodeOnce) {
  const matrix a = build(generate_web(30'000, 8, 1));
  for (const direction side : {direction::right, direction::left}) {
    const partition parts(a.tree(), side);
    EXPECT_GT(parts.strips.size(), 4U);
    expect_covers(parts, a.tree());
  }
}

TEST(Partition, CutsAFullRowAndOnlyThere) {
  std::vector<edge> cells;
  for (index_t c = 0; c < 4096; ++c) cells.push_back({77, c});
  const matrix a = build(cells, {.dims = shape{4096, 4096}});
  const partition right(a.tree(), direction::right);
  ASSERT_EQ(right.strips.size(), 1U);
  EXPECT_TRUE(right.is_split(right.strips[0]));
  EXPECT_GT(right.pieces.size(), 16U);
  expect_covers(right, a.tree());
  const partition left(a.tree(), direction::left);
  EXPECT_GT(left.strips.size(), 16U);
  for (const auto& strip : left.strips) EXPECT_FALSE(left.is_split(strip));
  expect_covers(left, a.tree());
}

TEST(Partition, OfNothingIsNothing) {
  const partition parts(matrix().tree(), direction::right);
  EXPECT_TRUE(parts.strips.empty());
  EXPECT_TRUE(parts.pieces.empty());
}

}  // namespace
