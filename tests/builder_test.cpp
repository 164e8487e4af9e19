// Building: any order, duplicates, threads, memory limits; checked against a std::set of cells.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using test::reference_matrix;

std::vector<edge> cells_of(const matrix& a) {
  std::vector<edge> all;
  a.for_each(
      [&](std::span<const edge> batch) { all.insert(all.end(), batch.begin(), batch.end()); });
  std::sort(all.begin(), all.end());
  return all;
}

void expect_is(const matrix& a, const reference_matrix& wanted) {
  EXPECT_EQ(a.dims(), wanted.dims());
  EXPECT_EQ(a.nnz(), wanted.cells().size());
  EXPECT_EQ(test::nodes_per_level_of(a), wanted.nodes_per_level());
  EXPECT_EQ(cells_of(a), std::vector<edge>(wanted.cells().begin(), wanted.cells().end()));
  std::string reason;
  EXPECT_TRUE(a.validate(&reason)) << reason;
}

TEST(Builder, BuildsTheExampleOfThePaper) {
  // Figure 1: signatures 1111 | 1000 1010 1111 0001 | eight leaves, bits written from position 0.
  const std::vector<edge> cells = {{1, 1}, {0, 4}, {1, 5}, {3, 5}, {5, 1}, {5, 2},
                                   {6, 1}, {6, 2}, {6, 6}, {6, 7}, {7, 6}, {7, 7}};
  const matrix a = build(cells, {.dims = shape{8, 8}});
  expect_is(a, {{8, 8}, cells});
  EXPECT_EQ(a.tree().signature(0), 0b1111U);
  // Read from bit 0 up, the paper's 1000, 1010, 1111, 0001 are 0b0001, 0b0101, 0b1111, 0b1000.
  EXPECT_EQ(a.tree().signature(1), 0b0001U);
  EXPECT_EQ(a.tree().signature(2), 0b0101U);
  EXPECT_EQ(a.tree().signature(3), 0b1111U);
  EXPECT_EQ(a.tree().signature(4), 0b1000U);
  EXPECT_EQ(a.tree().first_child(3), 8U);  // offset 3 of the leaves, which start at node 5
}

TEST(Builder, EmptyMatricesHaveNoNodes) {
  for (const shape dims : {shape{0, 0}, shape{1, 1}, shape{0, 5}, shape{5, 0}, shape{1000, 7}}) {
    const matrix a = build({}, {.dims = dims});
    expect_is(a, {dims, {}});
    EXPECT_EQ(a.tree().nodes(), 0U);
    EXPECT_EQ(a.bits_per_edge(), 0.0);
  }
  EXPECT_EQ(build({}).dims(), (shape{0, 0}));
}

TEST(Builder, TakesTheShapeFromTheEdgesWhereNoneIsGiven) {
  const std::vector<edge> cells = {{2, 7}, {0, 0}};
  EXPECT_EQ(build(cells).dims(), (shape{3, 8}));
  builder b;
  b.add(2, 7);
  b.grow_to({10, 4});
  EXPECT_EQ(b.finish().dims(), (shape{10, 8}));
  EXPECT_EQ(b.finish().dims(), (shape{0, 0})) << "a finished builder starts afresh";
}

TEST(Builder, RefusesCellsOutsideTheShape) {
  builder b({.dims = shape{4, 5}});
  b.add(3, 4);
  EXPECT_THROW(b.add(4, 0), invalid_argument);
  EXPECT_THROW(b.add(0, 5), invalid_argument);
  EXPECT_THROW(b.grow_to({5, 5}), invalid_argument);
  EXPECT_EQ(b.finish().nnz(), 1U) << "what was refused left no trace";
  EXPECT_THROW(builder().add(0xFFFF'FFFFU, 0), invalid_argument);
}

TEST(Builder, RefusesOptionsOutOfRange) {
  EXPECT_THROW(builder({.directory_step = 0}), invalid_argument);
  EXPECT_THROW(builder({.directory_step = 100}), invalid_argument);
  EXPECT_THROW(builder({.directory_step = 32768}), invalid_argument);
  EXPECT_THROW(builder({.memory_bytes = 1000}), invalid_argument);
}

TEST(Builder, ReachesTheLargestIndices) {
  const index_t last = max_dimension - 1;
  const std::vector<edge> cells = {
      {last, last}, {0, last}, {last, 0}, {0x8000'0000U, 0x7FFF'FFFFU}};
  const matrix a = build(cells, {.dims = shape{max_dimension, max_dimension}});
  EXPECT_EQ(a.tree().levels, 32U);
  EXPECT_EQ(a.nnz(), 4U);
  for (const edge& e : cells) EXPECT_TRUE(a.contains(e.row, e.col));
  EXPECT_FALSE(a.contains(last, last - 1));
  EXPECT_EQ(a.successors(last), (std::vector<index_t>{0, last}));
  EXPECT_EQ(a.predecessors(last), (std::vector<index_t>{0, last}));
  EXPECT_TRUE(a.validate());
}

TEST(Builder, AgreesWithASetOnAwkwardShapesAndDensities) {
  std::uint64_t seed = 1;
  for (const shape dims : test::awkward_shapes()) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{400}}) {
      ++seed;
      const auto cells = test::random_cells(dims, count, seed, seed % 3);
      auto shuffled = cells;
      shuffled.insert(shuffled.end(), cells.begin(),
                      cells.begin() + static_cast<long>(cells.size() / 2));
      std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(seed));
      SCOPED_TRACE(testing::Message() << dims.rows << "x" << dims.cols << ", " << cells.size());
      expect_is(build(shuffled, {.dims = dims, .directory_step = 16}), {dims, cells});
    }
  }
}

TEST(Builder, FullMatricesAroundPowersOfTwo) {
  for (const index_t n : {2U, 3U, 4U, 7U, 8U, 9U, 31U, 32U, 33U}) {
    std::vector<edge> cells;
    for (index_t r = 0; r < n; ++r) {
      for (index_t c = 0; c < n; ++c) cells.push_back({r, c});
    }
    expect_is(build(cells, {.directory_step = 16}), {{n, n}, cells});
  }
}

// Enough codes for the sample sort, several encoders and many pieces.
TEST(Builder, LargeInputIsTheSameOnAnyNumberOfThreads) {
  const auto web = generate_web(60'000, 14, 3);
  auto shuffled = web;
  shuffled.insert(shuffled.end(), web.begin(), web.begin() + 100'000);
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(9));
  const matrix reference = build(web);
  EXPECT_EQ(reference.nnz(), web.size());
  EXPECT_TRUE(reference.validate());
  for (const unsigned threads : {1U, 2U, 5U}) {
    const thread_limit limit(threads);
    const matrix a = build(shuffled);
    ASSERT_EQ(a.tree().signature_words(), reference.tree().signature_words());
    EXPECT_TRUE(std::equal(a.tree().signatures, a.tree().signatures + a.tree().signature_words(),
                           reference.tree().signatures));
    builder b;
    b.add(std::span(shuffled).first(shuffled.size() / 3));
    b.add(std::span(shuffled).subspan(shuffled.size() / 3));
    EXPECT_EQ(test::nodes_per_level_of(b.finish()), test::nodes_per_level_of(reference));
  }
}

TEST(Builder, AMemoryLimitChangesNothingButTheWay) {
  const test::temporary_directory folder;
  auto edges = generate_uniform({1U << 20U, 1U << 20U}, 3'000'000, 5);
  const matrix reference = build(edges);
  std::uint64_t merged = 0;
  builder limited({.memory_bytes = 16U << 20U,
                   .temporary_directory = folder.path(),
                   .progress = [&](const progress_event& e) { merged += e.stage == "merging"; }});
  limited.add(edges);
  const matrix a = limited.finish();
  EXPECT_GT(merged, 1U) << "the limit was meant to force runs on disk";
  EXPECT_EQ(a.nnz(), reference.nnz());
  EXPECT_EQ(test::nodes_per_level_of(a), test::nodes_per_level_of(reference));
  EXPECT_TRUE(std::equal(a.tree().signatures, a.tree().signatures + a.tree().signature_words(),
                         reference.tree().signatures));
  EXPECT_TRUE(a.validate());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "runs have no names";
}

template <class T>
bool equal(const T* a, const T* b, std::uint64_t count) {
  return std::equal(a, a + count, b);
}

// Whether two adaptive matrices are the same to the last bit.
bool same_containers(const adaptive_view& a, const adaptive_view& b) {
  return a.dims == b.dims && a.nnz == b.nnz && a.leaves == b.leaves &&
         a.containers == b.containers && a.payload_words == b.payload_words &&
         a.patterns == b.patterns && equal(a.classes.width, b.classes.width, leaf_classes::count) &&
         equal(a.places, b.places, a.containers) && equal(a.starts, b.starts, a.containers) &&
         equal(a.start_bases, b.start_bases, a.bases()) &&
         equal(a.payload, b.payload, a.payload_words) &&
         equal(a.dictionary, b.dictionary, a.patterns);
}

TEST(AdaptiveBuilder, AgreesWithASetOnAwkwardShapes) {
  std::uint64_t seed = 1;
  for (const shape dims : test::awkward_shapes()) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{400}}) {
      ++seed;
      const auto cells = test::random_cells(dims, count, seed, seed % 3);
      auto shuffled = cells;
      shuffled.insert(shuffled.end(), cells.begin(),
                      cells.begin() + static_cast<long>(cells.size() / 2));
      std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(seed));
      SCOPED_TRACE(testing::Message() << dims.rows << "x" << dims.cols << ", " << cells.size());
      const matrix a = build(shuffled, {.dims = dims, .kind = layout::adaptive});
      EXPECT_EQ(a.kind(), layout::adaptive);
      EXPECT_EQ(a.dims(), dims);
      EXPECT_EQ(cells_of(a), cells);
      std::string reason;
      EXPECT_TRUE(a.validate(&reason)) << reason;
    }
  }
}

// Many pieces, whose ends run through leaves; duplicates.
TEST(AdaptiveBuilder, IsTheSameOnAnyNumberOfThreads) {
  const auto web = generate_web(60'000, 14, 3);
  auto shuffled = web;
  shuffled.insert(shuffled.end(), web.begin(), web.begin() + 100'000);
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(9));
  const matrix reference = build(web, {.kind = layout::adaptive});
  EXPECT_EQ(cells_of(reference), web);
  EXPECT_TRUE(reference.validate());
  for (const unsigned threads : {1U, 2U, 5U}) {
    const thread_limit limit(threads);
    const matrix a = build(shuffled, {.kind = layout::adaptive});
    EXPECT_TRUE(same_containers(a.adaptive(), reference.adaptive())) << threads << " threads";
    EXPECT_EQ(a.out_degrees(), reference.out_degrees());
  }
}

TEST(AdaptiveBuilder, AMemoryLimitChangesNothingButTheWay) {
  // More edges than the limit, sorted in runs; and as many as fit, whose leaves might not.
  for (const std::uint64_t count : {2'000'000U, 400'000U}) {
    const test::temporary_directory folder;
    const auto edges = generate_uniform({1U << 18U, 1U << 18U}, count, 5);
    const matrix reference = build(edges, {.kind = layout::adaptive});
    std::uint64_t merged = 0;
    std::uint64_t encoded = 0;
    builder limited({.kind = layout::adaptive,
                     .memory_bytes = 16U << 20U,
                     .temporary_directory = folder.path(),
                     .progress = [&](const progress_event& e) {
                       merged += e.stage == "merging";
                       encoded += e.stage == "encoding" && e.unit == "leaves";
                     }});
    limited.add(edges);
    const matrix a = limited.finish();
    EXPECT_EQ(merged > 1, count > 1'000'000U);
    EXPECT_GT(encoded, 1U);
    EXPECT_TRUE(same_containers(a.adaptive(), reference.adaptive()));
    a.release_pages();
    EXPECT_TRUE(a.validate()) << "what was given back is read again";
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "files have no names";
  }
}

TEST(AdaptiveBuilder, SaysWhereLeavesCannotBeWritten) {
  builder limited({.kind = layout::adaptive,
                   .memory_bytes = 16U << 20U,
                   .temporary_directory = "/no/such/folder"});
  limited.add(generate_uniform({1U << 18U, 1U << 18U}, 400'000, 5));
  EXPECT_THROW(limited.finish(), io_error);
  EXPECT_EQ(limited.finish().nnz(), 0U) << "what fails leaves no edges";
}

TEST(Transpose, TurnsEveryCell) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const std::vector<edge> cells{{0, 6}, {1, 0}, {2, 3}};
    const matrix turned = transpose(build(cells, {.dims = shape{3, 7}, .kind = kind}),
                                    {.dims = shape{1, 1}, .kind = kind});
    EXPECT_EQ(turned.dims(), (shape{7, 3}));
    EXPECT_EQ(turned.kind(), kind);
    EXPECT_EQ(turned.cells({0, 0, 7, 3}), (std::vector<edge>{{0, 1}, {3, 2}, {6, 0}}));
  }
}

TEST(Transpose, TwiceIsTheMatrix) {
  const std::vector<edge> cells = test::random_cells({900, 1700}, 4000, 5, 3);
  const matrix a = build(cells, {.dims = shape{900, 1700}});
  const matrix again = transpose(transpose(a), {.memory_bytes = 16U << 20U});
  EXPECT_EQ(again.dims(), a.dims());
  EXPECT_EQ(again.cells({0, 0, 900, 1700}), a.cells({0, 0, 900, 1700}));
}

TEST(Convert, GivesWhatBuildingGives) {
  for (const auto& edges : {generate_web(20'000, 10, 3),
                            generate_uniform({3000, 90'000}, 400'000, 1), std::vector<edge>()}) {
    const shape dims{90'000, 90'001};
    const matrix tree = build(edges, {.dims = dims, .kind = layout::level_order});
    const matrix containers = build(edges, {.dims = dims, .kind = layout::adaptive});
    for (const std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{16} << 20U}) {
      const build_options options{.memory_bytes = limit};
      const matrix a = convert(tree, layout::adaptive, options);
      EXPECT_TRUE(same_containers(a.adaptive(), containers.adaptive()));
      const matrix back = convert(containers, layout::level_order, options);
      EXPECT_EQ(test::nodes_per_level_of(back), test::nodes_per_level_of(tree));
      EXPECT_TRUE(
          equal(back.tree().signatures, tree.tree().signatures, tree.tree().signature_words()));
      EXPECT_TRUE(back.validate());
    }
    EXPECT_EQ(convert(tree, layout::level_order).tree().signatures, tree.tree().signatures);
  }
  EXPECT_THROW(convert(matrix(), layout::adaptive, {.memory_bytes = 5}), invalid_argument);
}

std::size_t open_files() {
  using iterator = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(iterator("/proc/self/fd"), iterator()));
}

// At every report of a build on disk, once: it ends there, and neither files nor edges are left.
TEST(Builder, ACancelledBuildLeavesNothingBehind) {
  struct stop {};
  const auto edges = generate_uniform({1U << 18U, 1U << 18U}, 1'500'000, 5);
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    const test::temporary_directory folder;
    const std::size_t files = open_files();
    std::set<std::string> cancelled;
    for (std::uint64_t at = 1;; ++at) {
      std::uint64_t reports = 0;
      std::string stage;
      builder limited({.kind = kind,
                       .memory_bytes = 16U << 20U,
                       .temporary_directory = folder.path(),
                       .progress = [&](const progress_event& e) {
                         stage = e.stage;
                         if (++reports == at) throw stop();
                       }});
      try {
        limited.add(edges);
        EXPECT_EQ(limited.finish().nnz(), build(edges).nnz());
        break;
      } catch (const stop&) {
        cancelled.insert(stage);
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
        EXPECT_EQ(open_files(), files) << "cancelled while " << stage;
        EXPECT_EQ(limited.dims(), (shape{0, 0}));
      }
    }
    EXPECT_TRUE(cancelled.contains("sorting a run"));
    EXPECT_TRUE(cancelled.contains("merging"));
    EXPECT_EQ(cancelled.contains("encoding"), kind == layout::adaptive);
    EXPECT_EQ(open_files(), files);
  }
}

TEST(Builder, SaysWhereRunsCannotBeWritten) {
  builder limited({.memory_bytes = 16U << 20U, .temporary_directory = "/no/such/folder"});
  const std::vector<edge> edges(2'000'000, edge{1, 2});
  EXPECT_THROW(limited.add(edges), io_error);
}

TEST(Builder, CanBeUsedAgainAfterAFailure) {
  struct stop {};
  bool fail = true;
  builder b({.progress = [&](const progress_event&) {
    if (fail) throw stop();
  }});
  b.add(generate_uniform({100, 100}, 1000, 1));
  EXPECT_THROW(b.finish(), stop);
  fail = false;
  b.add(1, 1);
  const matrix a = b.finish();
  EXPECT_EQ(a.dims(), (shape{2, 2}));
  EXPECT_EQ(a.nnz(), 1U);
  EXPECT_TRUE(a.validate());
}

TEST(Builder, LimitsOfThreadsNest) {
  const unsigned before = thread_limit::current();
  {
    const thread_limit outer(3);
    EXPECT_EQ(thread_limit::current(), 3U);
    {
      const thread_limit inner(2);
      EXPECT_EQ(thread_limit::current(), 2U);
    }
    EXPECT_EQ(thread_limit::current(), 3U);
  }
  EXPECT_EQ(thread_limit::current(), before);
}

TEST(Builder, AnExceptionFromTheProgressCallbackEndsTheBuild) {
  struct stop {};
  const auto edges = generate_uniform({100, 100}, 1000, 1);
  EXPECT_THROW(build(edges, {.progress = [](const progress_event&) { throw stop(); }}), stop);
}

}  // namespace
