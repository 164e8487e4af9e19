// The plan of strips for batches: every input of a leaf is counted once, and a tile lists every container it needs.
#include "format/adaptive/strips.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "format/adaptive/decoder.hpp"
#include "support/oracle.hpp"

namespace {

using namespace baltoro;

void expect_plan(const matrix& m, std::uint64_t tile_inputs) {
  const adaptive_view& a = m.adaptive();
  for (const direction side : {direction::right, direction::left}) {
    const format::strip_plan plan = format::plan_strips(a, side, tile_inputs);
    std::map<std::uint32_t, std::uint64_t> inputs;                // of a strip
    std::map<std::uint32_t, std::set<std::uint32_t>> containers;  // that have some
    format::decoded_container container;
    for (std::uint32_t i = 0; i < a.containers; ++i) {
      container.load(a, i);
      for (std::size_t k = 0; k < container.offsets().size(); ++k) {
        const std::uint64_t code = container.corner() + container.offsets()[k];
        const auto strip = side == direction::right ? morton::row_of(code) : morton::col_of(code);
        for (unsigned j = 0; j < 8; ++j) {
          const std::uint64_t cells =
              side == direction::right ? 0x0101'0101'0101'0101ULL << j : 0xFFULL << (8 * j);
          if ((container.patterns()[k] & cells) != 0) ++inputs[strip];
        }
        containers[strip].insert(i);
      }
    }
    const index_t vertices = side == direction::right ? m.rows() : m.cols();
    ASSERT_EQ(plan.begin.size(), (vertices + 7U) / 8);
    std::uint32_t next_strip = 0;
    for (const format::strip_tile& tile : plan.tiles) {
      ASSERT_EQ(tile.first_strip, next_strip);
      ASSERT_GT(tile.strips, 0U);
      next_strip += tile.strips;
      std::uint64_t count = 0;
      const std::set<std::uint32_t> listed(
          plan.containers.begin() + static_cast<long>(tile.first_container),
          plan.containers.begin() + static_cast<long>(tile.first_container + tile.containers));
      ASSERT_EQ(listed.size(), tile.containers);
      for (std::uint32_t strip = tile.first_strip; strip < next_strip; ++strip) {
        ASSERT_EQ(plan.begin[strip], count);
        count += inputs[strip];
        for (const std::uint32_t i : containers[strip]) ASSERT_TRUE(listed.contains(i));
      }
      ASSERT_EQ(tile.inputs, count);
      EXPECT_TRUE(count <= tile_inputs || tile.strips == 1);
      EXPECT_LE(tile.strips, plan.most_strips());
      EXPECT_LE(tile.inputs, plan.most_inputs());
    }
    EXPECT_EQ(next_strip, plan.begin.size());
  }
}

TEST(Strips, EveryInputHasItsPlace) {
  for (const std::uint64_t tile_inputs : {1ULL, 100ULL, 5'000ULL, 1ULL << 20U}) {
    expect_plan(build(generate_web(20'000, 10, 4), {.kind = layout::adaptive}), tile_inputs);
    expect_plan(build(test::random_cells({3'000, 90'001}, 20'000, 5),
                      {.dims = shape{3'000, 90'001}, .kind = layout::adaptive}),
                tile_inputs);
    expect_plan(build({}, {.dims = shape{70, 0}, .kind = layout::adaptive}), tile_inputs);
  }
}

}  // namespace
