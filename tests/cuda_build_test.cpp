// Matrices built on the GPU are those of the CPU, byte for byte.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/reader.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "format/adaptive/kinds.hpp"
#include "support/cuda_allocations.hpp"
#include "support/data.hpp"
#include "support/graphs.hpp"

namespace {

using namespace baltoro;

class CudaBuild : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }
};

template <class T>
void expect_same_array(const T* a, const T* b, std::uint64_t count, const char* what) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (a[i] == b[i]) continue;
    ADD_FAILURE() << what << " differ first at " << i << " of " << count << ": "
                  << std::uint64_t{a[i]} << " and " << std::uint64_t{b[i]};
    return;
  }
}

void expect_same(const level_order_view& a, const level_order_view& b) {
  ASSERT_EQ(a.levels, b.levels);
  ASSERT_EQ(a.step_log2, b.step_log2);
  for (unsigned level = 0; level <= a.levels; ++level) {
    ASSERT_EQ(a.level_begin[level], b.level_begin[level]) << "level " << level;
  }
  expect_same_array(a.signatures, b.signatures, a.signature_words(), "signatures");
  expect_same_array(a.directory, b.directory, a.samples(), "samples");
  expect_same_array(a.directory_base, b.directory_base, a.bases(), "bases");
}

void expect_same(const adaptive_view& a, const adaptive_view& b) {
  ASSERT_EQ(a.leaves, b.leaves);
  ASSERT_EQ(a.patterns, b.patterns);
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    ASSERT_EQ(a.classes.width[c], b.classes.width[c]) << "class " << c;
  }
  expect_same_array(a.dictionary, b.dictionary, a.patterns, "dictionaries");
  ASSERT_EQ(a.containers, b.containers);
  expect_same_array(a.places, b.places, a.containers, "places");
  expect_same_array(a.starts, b.starts, a.containers, "starts");
  expect_same_array(a.start_bases, b.start_bases, a.bases(), "bases");
  ASSERT_EQ(a.payload_words, b.payload_words);
  expect_same_array(a.payload, b.payload, a.payload_words, "payloads");
}

void expect_same(const matrix& a, const matrix& b) {
  ASSERT_TRUE(a.dims() == b.dims())
      << a.rows() << "x" << a.cols() << " and " << b.rows() << "x" << b.cols();
  ASSERT_EQ(a.nnz(), b.nnz());
  ASSERT_EQ(a.kind(), b.kind());
  if (a.kind() == layout::adaptive) {
    expect_same(a.adaptive(), b.adaptive());
  } else {
    expect_same(a.tree(), b.tree());
  }
}

// A budget that makes `ranges` of so many edges, or nearly: the workspace takes 24 bytes a key and a little.
std::uint64_t budget_for(std::uint64_t edges, std::uint64_t ranges) {
  build_options options;
  options.kind = layout::level_order;
  options.where = device::cuda;
  return build_needs(std::max<std::uint64_t>(1, edges / ranges), options).device_bytes;
}

// Builds in both layouts, with what is free and within budgets for several ranges.
void expect_same_builds(const std::vector<edge>& edges, build_options options = {},
                        std::initializer_list<std::uint64_t> ranges = {1, 3, 10}) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    options.kind = kind;
    options.where = device::cpu;
    options.device_memory_bytes = 0;
    const matrix expected = build(edges, options);
    options.where = device::cuda;
    for (const std::uint64_t parts : ranges) {
      SCOPED_TRACE(std::string(name_of(kind)) + ", " + std::to_string(edges.size()) +
                   " edges in about " + std::to_string(parts) + " ranges");
      options.device_memory_bytes = parts == 1 ? 0 : budget_for(edges.size(), parts);
      expect_same(build(edges, options), expected);
    }
  }
}

std::vector<edge> random_edges(shape dims, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<edge> edges(count);
  for (edge& e : edges) {
    e = {static_cast<index_t>(random() % dims.rows), static_cast<index_t>(random() % dims.cols)};
  }
  return edges;
}

// How many containers there are of each kind.
using kind_counts = std::array<std::uint64_t, format::container_kinds>;
void count_kinds(const std::vector<edge>& edges, build_options options, kind_counts& counts) {
  options.kind = layout::adaptive;
  const matrix built = build(edges, options);
  const adaptive_view& a = built.adaptive();
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    ++counts.at(container_header{*a.payload_of(i)}.kind());
  }
}

// Leaves with so many cells each, up to 64.
struct leaf_drawing {
  unsigned cells;
  std::vector<edge> edges{};
  void leaf(index_t row, index_t col) {
    for (unsigned i = 0; i < cells; ++i) {
      const index_t place = (i + 5 * row + col) % 64;  // many patterns, so that their order shows
      edges.push_back({8 * row + place / 8, 8 * col + place % 8});
    }
  }
};

// Runs of leaves in areas of all shapes along the diagonal, each for a container or a few.
std::vector<edge> areas_of_leaves(unsigned cells, unsigned areas, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return static_cast<index_t>(random() % limit); };
  leaf_drawing drawing{cells};
  for (unsigned area = 0; area < areas; ++area) {
    const index_t side = index_t{1} << (random() % (adaptive_view::max_level + 1));
    const index_t height = 1 + below(side);
    const index_t width = 1 + below(side);
    const index_t length = 1 + below(random() % 2 == 0 ? 2 : 40);
    const index_t corner = area << adaptive_view::max_level;
    for (index_t left = 1 + below(random() % 2 == 0 ? 40 : 300); left-- > 0;) {
      const index_t row = corner + below(height);
      const index_t first = below(width);
      for (index_t col = first; col < std::min(width, first + length) && left != 0; ++col, --left) {
        drawing.leaf(row, corner + col);
      }
    }
  }
  return drawing.edges;
}

// Squares of 4×4 leaves, two or three far apart in each area.
std::vector<edge> clumps_of_leaves(unsigned cells, unsigned areas, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  leaf_drawing drawing{cells};
  for (unsigned area = 0; area < areas; ++area) {
    const index_t corner = area << adaptive_view::max_level;
    for (unsigned clump = 0; clump < 2 + area % 2; ++clump) {
      const auto at = static_cast<index_t>(random() % 64) * 128;
      for (index_t i = 0; i < 16; ++i) drawing.leaf(corner + at + i / 4, corner + at + i % 4);
    }
  }
  return drawing.edges;
}

TEST_F(CudaBuild, CellsThatAHandCanCheck) {
  expect_same_builds({}, {}, {1});
  expect_same_builds({}, {.dims = shape{5, 7}}, {1});
  expect_same_builds({{0, 0}}, {}, {1});
  expect_same_builds({{0, 0}, {0, 0}, {0, 0}}, {}, {1});
  expect_same_builds({{2, 1}, {0, 3}, {2, 1}, {7, 7}, {8, 8}}, {}, {1});
}

TEST_F(CudaBuild, SmallGraphs) {
  for (const test::named_graph& g : test::small_graphs()) {
    SCOPED_TRACE(g.name);
    expect_same_builds(g.edges, {.dims = shape{g.vertices, g.vertices}, .directory_step = 16}, {1});
  }
}

TEST_F(CudaBuild, RandomShapes) {
  std::uint64_t seed = 0;
  for (const shape dims : {shape{1, 30000}, shape{30000, 1}, shape{300, 300}, shape{1U << 20U, 9},
                           shape{5000, 70000}, shape{1U << 22U, 1U << 22U}}) {
    SCOPED_TRACE(std::to_string(dims.rows) + "x" + std::to_string(dims.cols));
    expect_same_builds(random_edges(dims, 20000, ++seed), {.dims = dims, .directory_step = 16},
                       {1, 4});
  }
}

TEST_F(CudaBuild, FullRowsColumnsSquaresAndDiagonals) {
  constexpr index_t n = 20000;
  std::vector<edge> row;
  std::vector<edge> column;
  std::vector<edge> diagonal;
  std::vector<edge> square;
  std::vector<edge> band;
  for (index_t i = 0; i < n; ++i) {
    row.push_back({77, i});
    column.push_back({i, 77});
    diagonal.push_back({i, i});
    square.push_back({i / 140, i % 140});
    for (index_t d = 0; d < 3; ++d) band.push_back({i, (i + 5 * d) % n});
  }
  for (const auto& edges : {row, column, diagonal, square, band}) expect_same_builds(edges);
}

TEST_F(CudaBuild, Duplicates) {
  std::vector<edge> edges(30000, edge{12, 34});
  expect_same_builds(edges);
  const std::vector<edge> few = random_edges({40, 40}, 40000, 3);
  expect_same_builds(few);
}

TEST_F(CudaBuild, DimensionsNearTheLargest) {
  constexpr index_t last = max_dimension - 1;
  std::vector<edge> edges = random_edges({max_dimension, max_dimension}, 20000, 4);
  for (index_t i = 0; i < 100; ++i) {
    edges.push_back({last - i, last});
    edges.push_back({last, last - i});
    edges.push_back({0, last - i});
  }
  expect_same_builds(edges, {}, {1, 5});
}

TEST_F(CudaBuild, DirectoryStepsAndSizesOfContainers) {
  const std::vector<edge> edges = generate_web(3000, 9, 5);
  for (const std::uint32_t step : {16U, 64U, 16384U}) {
    expect_same_builds(edges, {.directory_step = step}, {1, 3});
  }
  for (const std::uint32_t leaves : {1U, 2U, 31U, 32U, 33U, 200U, 511U}) {
    SCOPED_TRACE(std::to_string(leaves) + " leaves");
    expect_same_builds(edges, {.container_leaves = leaves}, {1, 3});
  }
}

TEST_F(CudaBuild, WebsInManyRanges) {
  std::vector<edge> edges = generate_web(8000, 12, 6);
  std::shuffle(edges.begin(), edges.end(), std::mt19937_64(7));
  expect_same_builds(edges, {}, {1, 2, 7, 18});
}

TEST_F(CudaBuild, EveryKindOfContainer) {
  // Leaves of few cells, where bits alone count; of some, where time has half its weight; of many.
  kind_counts few{};
  kind_counts all{};
  for (const unsigned cells : {1U, 5U, 8U}) {
    for (const auto& edges :
         {areas_of_leaves(cells, 80, cells), clumps_of_leaves(cells, 40, cells)}) {
      SCOPED_TRACE(std::to_string(cells) + " cells a leaf");
      expect_same_builds(edges, {}, {1, 3});
      count_kinds(edges, {}, all);
      if (cells == 1) count_kinds(edges, {}, few);
    }
  }
  for (unsigned kind = 0; kind < format::container_kinds; ++kind) {
    EXPECT_GT(all.at(kind), 0U) << format::kind_of(kind).name;
  }
  EXPECT_GT(few.at(0), 0U) << "quadtrees where bits alone count";
}

TEST_F(CudaBuild, DenseBandsAreRuns) {
  leaf_drawing band{64};
  for (index_t row = 0; row < 90; ++row) {
    for (index_t col = 0; col < 5; ++col) band.leaf(row, 3 * row + col);
  }
  kind_counts counts{};
  count_kinds(band.edges, {}, counts);
  EXPECT_GT(counts.at(static_cast<unsigned>(format::container_kind::runs)), 0U);
  expect_same_builds(band.edges);
  // The most rows that runs span, and one more.
  for (const index_t last : {991U, 992U}) {
    leaf_drawing tall{8};
    for (index_t i = 0; i < 100; ++i) tall.leaf(1024 + i, 1024 + i % 7);
    for (index_t i = 0; i < 9; ++i) tall.leaf(1024 + last, 1024 + i);
    expect_same_builds(tall.edges, {}, {1});
  }
}

TEST_F(CudaBuild, OfTheRealGraph) {
  for (const char* const name : {"cnr-2000.graph", "git-v1.8.0.mtx.zst"}) {
    const auto file = test::shared_data(name);
    if (!file) GTEST_SKIP() << test::shared_data() / name << " is not there";
    const graph g = read_graph(std::vector{*file});
    std::vector<edge> edges;
    g.relations.front().adjacency.for_each(
        [&](std::span<const edge> some) { edges.insert(edges.end(), some.begin(), some.end()); });
    std::shuffle(edges.begin(), edges.end(), std::mt19937_64(8));
    expect_same_builds(edges, {}, {1, 3, 30});
  }
}

TEST_F(CudaBuild, AStreamOfParts) {
  const std::vector<edge> edges = generate_web(6000, 10, 9);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const matrix expected = build(edges, {.kind = kind});
    for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{16} << 20U}) {
      for (const std::uint64_t budget : {std::uint64_t{0}, budget_for(edges.size(), 6)}) {
        builder parts({.kind = kind,
                       .memory_bytes = memory,
                       .where = device::cuda,
                       .device_memory_bytes = budget});
        for (int round = 0; round < 2; ++round) {
          for (std::size_t at = 0; at < edges.size(); at += 777) {
            parts.add(std::span(edges).subspan(at, std::min<std::size_t>(777, edges.size() - at)));
          }
          expect_same(parts.finish(), expected);
        }
      }
    }
  }
}

TEST_F(CudaBuild, RunsOnDisk) {
  // More than 16 MiB let in: the builder hands over parts while it is filled.
  std::vector<edge> edges;
  for (index_t i = 0; i < 2'000'000; ++i) edges.push_back({(i * 7919U) % 4000U, i % 4096U});
  const matrix expected = build(edges, {.kind = layout::adaptive});
  builder parts(
      {.kind = layout::adaptive, .memory_bytes = std::uint64_t{16} << 20U, .where = device::cuda});
  for (std::size_t at = 0; at < edges.size(); at += 100000) {
    parts.add(std::span(edges).subspan(at, 100000));
  }
  expect_same(parts.finish(), expected);
}

TEST_F(CudaBuild, StaysWithinItsBudget) {
  const std::vector<edge> edges = random_edges({100000, 100000}, 60000, 10);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    build_options options;
    options.kind = kind;
    options.where = device::cuda;
    options.device_memory_bytes = budget_for(edges.size(), 5);
    const std::uint64_t promised = build_needs(edges.size(), options).device_bytes;
    EXPECT_LE(promised, options.device_memory_bytes);
    const std::uint64_t before = test::cuda_bytes_allocated();
    build(edges, options);
    EXPECT_EQ(test::cuda_bytes_allocated() - before, promised);
  }
}

TEST_F(CudaBuild, TooSmallABudgetIsRefusedAndTheSmallestDoes) {
  const std::vector<edge> edges = random_edges({100000, 100000}, 500000, 11);
  build_options options;
  options.where = device::cuda;
  const std::uint64_t smallest = build_needs(edges.size(), options).smallest_bytes;
  options.device_memory_bytes = smallest - 1;
  try {
    build(edges, options);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.needed_bytes(), smallest);
    EXPECT_NE(std::string(e.what()).find(std::to_string(smallest)), std::string::npos) << e.what();
  }
  options.device_memory_bytes = smallest;
  expect_same(build(edges, options), build(edges));
}

TEST_F(CudaBuild, CellsOutsideTheShapeAreRefusedAsOnTheCpu) {
  std::vector<edge> edges = random_edges({100, 200}, 1000, 12);
  edges[500] = {7, 200};
  edges[700] = {max_dimension, 3};
  for (const std::optional<shape> dims :
       {std::optional<shape>({100, 200}), std::optional<shape>()}) {
    std::string messages[2];
    for (const device where : {device::cpu, device::cuda}) {
      try {
        build(edges, {.dims = dims, .where = where});
        ADD_FAILURE() << "nothing was thrown";
      } catch (const invalid_argument& e) {
        messages[where == device::cuda ? 1 : 0] = e.what();
      }
    }
    EXPECT_EQ(messages[1], messages[0]);
  }
}

struct cancelled {};

TEST_F(CudaBuild, WhatIsCancelledLeavesABuilderThatStartsAfresh) {
  const std::vector<edge> edges = generate_web(4000, 10, 13);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    for (int stop_at = 0; stop_at < 6; ++stop_at) {
      int reports = 0;
      bool stops = true;
      builder b({.kind = kind,
                 .where = device::cuda,
                 .device_memory_bytes = budget_for(edges.size(), 4),
                 .progress = [&](const progress_event&) {
                   if (stops && reports++ == stop_at) throw cancelled();
                 }});
      b.add(edges);
      EXPECT_THROW(b.finish(), cancelled);
      stops = false;
      b.add(edges);
      expect_same(b.finish(), build(edges, {.kind = kind}));
    }
  }
}

}  // namespace
