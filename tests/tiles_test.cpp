// The descent in tiles: run here node by node, it must meet every cell once, whatever the tiles.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "format/level_order_nodes.hpp"
#include "format/level_order_tiles.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using format::tile_schedule;
using format::tile_step;

// Follows a schedule as a GPU does, and checks on the way that no buffer overflows.
std::vector<edge> run(const level_order_view& tree, const tile_schedule& schedule) {
  std::vector<std::vector<std::uint64_t>> codes(tree.levels + 1);
  codes[schedule.first_level] = format::codes_of_level(tree, schedule.first_level);
  for (unsigned level = schedule.first_level + 1; level < tree.levels; ++level) {
    codes[level].resize(schedule.buffer_codes[level]);
  }
  std::vector<edge> cells;
  const auto visit = [&](std::uint64_t row, std::uint64_t col) {
    cells.push_back({static_cast<index_t>(row), static_cast<index_t>(col)});
  };
  for (const tile_step& step : schedule.steps) {
    EXPECT_LE(step.nodes, schedule.most_nodes);
    for (std::uint64_t t = 0; t < step.nodes; ++t) {
      const std::uint64_t node = step.first_node + t;
      const std::uint64_t code = codes[step.level].at(step.input + t);
      const unsigned signature = tree.signature(node);
      if (step.level < schedule.last_level) {
        const std::uint64_t at = tree.first_child(node) - step.first_child;
        EXPECT_LE(at + popcount(signature), step.children);
        EXPECT_LE(step.children, codes[step.level + 1].size());
        format::write_children(code, signature, codes[step.level + 1].data() + at);
      } else if (step.level + 1 == tree.levels) {
        format::visit_leaf(code, signature, visit);
      } else {
        format::visit_leaves(tree, code, signature, tree.first_child(node), visit);
      }
    }
  }
  return cells;
}

void expect_every_cell_once(const matrix& a, std::vector<edge> cells) {
  const level_order_view& tree = a.tree();
  std::sort(cells.begin(), cells.end());
  for (const std::uint64_t top : {1ULL, 30ULL, 1ULL << 16U}) {
    for (const std::uint64_t tile : {4ULL, 5ULL, 64ULL, 1ULL << 10U, 1ULL << 40U}) {
      for (const bool in_place : {true, false}) {
        const unsigned last = in_place && tree.levels > 1 ? tree.levels - 2 : tree.levels - 1;
        const unsigned first = format::deepest_level_within(tree, last, top);
        const auto schedule = format::cut_into_tiles(tree, first, last, tile);
        SCOPED_TRACE(testing::Message() << a.rows() << "x" << a.cols() << " top " << top << " tile "
                                        << tile << (in_place ? " in place" : ""));
        for (const std::uint64_t held : schedule.buffer_codes) EXPECT_LE(held, tile);
        EXPECT_LE(schedule.most_nodes, tile);
        auto met = run(tree, schedule);
        std::sort(met.begin(), met.end());
        ASSERT_EQ(met, cells);
      }
    }
  }
}

TEST(Tiles, AwkwardShapes) {
  std::uint64_t seed = 900;
  for (const shape dims : test::awkward_shapes()) {
    ++seed;
    const auto cells = test::random_cells(dims, 1 + dims.rows / 2 + dims.cols / 2, seed, seed % 3);
    expect_every_cell_once(build(cells, {.dims = dims, .directory_step = 16}), cells);
  }
}

TEST(Tiles, WebGraph) {
  const auto cells = generate_web(3'000, 8, 5);
  expect_every_cell_once(build(cells), cells);
}

// The cells at the far end of the largest matrix: 32 levels, codes of 62 bits.
TEST(Tiles, LargestShape) {
  const index_t end = max_dimension - 1;
  const std::vector<edge> cells = {{0, 0}, {0, end}, {end, 0}, {end, end}};
  expect_every_cell_once(build(cells, {.dims = shape{max_dimension, max_dimension}}), cells);
}

TEST(Tiles, WholeLevelsAreOneStepEach) {
  const auto cells = generate_web(3'000, 8, 5);
  const matrix a = build(cells);
  const auto schedule = format::cut_into_tiles(a.tree(), 2, a.tree().levels - 2, 1ULL << 40U);
  EXPECT_EQ(schedule.steps.size(), a.tree().levels - 3);
  EXPECT_EQ(schedule.codes() + a.tree().level_begin[3], a.tree().level_begin[a.tree().levels - 1]);
}

}  // namespace
