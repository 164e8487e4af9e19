// The engines of `baltoro bench` on a GPU, on matrices that are easy to get wrong.
#include <baltoro/builder.hpp>
#include <baltoro/device.hpp>
#include <baltoro/generate.hpp>

#include <gtest/gtest.h>

#include "engines/engines.hpp"
#include "measure/energy.hpp"
#include "measure/hardware.hpp"
#include "runs/algorithms.hpp"
#include "runs/products.hpp"
#include "runs/search.hpp"
#include "runs/settings.hpp"
#include "runs/suite.hpp"

namespace baltoro::bench {
namespace {

const bench_options quick = {.how = {.runs = 1, .run_ms = 0.01}};

std::vector<edge> line(index_t count, bool row) {
  std::vector<edge> cells;
  for (index_t i = 0; i < count; ++i) cells.push_back(row ? edge{2, i} : edge{i, 2});
  return cells;
}

std::vector<edge> full(index_t rows, index_t cols) {
  std::vector<edge> cells;
  for (index_t r = 0; r < rows; ++r) {
    for (index_t c = 0; c < cols; ++c) cells.push_back({r, c});
  }
  return cells;
}

std::vector<subject> subjects() {
  std::vector<subject> all;
  const auto add = [&](const char* name, const std::vector<edge>& cells, shape dims) {
    all.emplace_back(name, build(cells, {.dims = dims}));
  };
  add("web", generate_web(20'000, 8, 1), {20'000, 20'000});
  add("one row", line(5'000, true), {3, 5'001});
  add("one column", line(5'000, false), {5'001, 3});
  add("full 1x1", {{0, 0}}, {1, 1});
  add("full 33x65", full(33, 65), {33, 65});
  add("mostly empty", {{70'000, 3}}, {100'001, 7});
  return all;
}

class CudaBench : public testing::Test {
 protected:
  void SetUp() override {
    if (!query_cuda().usable) GTEST_SKIP() << query_cuda().reason;
  }

  static void expect_right(const product_result& result, const std::string& what) {
    for (const variant_result& variant : result.variants) {
      EXPECT_NE(variant.lacking, lack::failed)
          << what << ", " << variant.name << ": " << variant.reason;
    }
  }
};

TEST_F(CudaBench, EnginesAreRight) {
  const auto where = make_gpu_place();
  for (subject& graph : subjects()) {
    for (const engine_kind& kind : engine_kinds()) {
      if (kind.where != device::cuda) continue;
      std::unique_ptr<engine> by;
      try {
        by = kind.make(graph);
      } catch (const not_compiled& failure) {
        std::cout << kind.name << " is absent: " << failure.what() << '\n';
        continue;
      }
      for (const task what :
           {task{direction::right, 1}, task{direction::left, 1}, task{direction::right, 2},
            task{direction::right, 3}, task{direction::right, 32}, task{direction::right, 128},
            task{direction::right, 300}}) {
        const product_result result = measure_product(*by, what, graph, *where, quick);
        const std::string name = graph.name() + ", " + kind.name + ", " +
                                 (what.side == direction::right ? "right" : "left") +
                                 ", B = " + std::to_string(what.batch);
        expect_right(result, name);
        EXPECT_TRUE(result.time) << name << ": " << result.reason;
      }
    }
  }
}

TEST_F(CudaBench, EveryStepOfTheAblationAndEveryTileIsRight) {
  for (subject& graph : subjects()) {
    graph_result result;
    bench_options some = quick;
    some.batches = {1, 3, 40};
    measure_ablation(result, graph, some);
    EXPECT_EQ(result.ablation.size(), 8U + 2 * 2);
    for (const setting_result& s : result.ablation) {
      expect_right(s.product, graph.name() + ", " + s.name);
      EXPECT_TRUE(s.product.time) << graph.name() << ", " << s.name << ": " << s.product.reason;
    }
  }
  subject graph("web", build(generate_web(60'000, 8, 1), {.dims = shape{60'000, 60'000}}));
  graph_result result;
  measure_tiles(result, graph, quick);
  for (const setting_result& s : result.tiles) expect_right(s.product, "tiles, " + s.name);
  EXPECT_GT(result.tiles.size(), 3U);
}

TEST_F(CudaBench, NaiveIsRightOnTheLeft) {
  const auto where = make_gpu_place();
  for (subject& graph : subjects()) {
    expect_right(
        measure_once([&] { return make_naive(graph); }, {direction::left, 1}, graph, *where, quick),
        graph.name());
  }
}

TEST_F(CudaBench, SearchesAreRight) {
  subject graph("web", build(generate_web(2'000, 4, 1), {.dims = shape{2'000, 2'000}}));
  graph_result result;
  bench_options options = quick;
  options.sources = 7;
  measure_searches(result, graph, options);
  ASSERT_EQ(result.searches.size(), 4U);
  for (const search_result& s : result.searches) EXPECT_TRUE(s.seconds) << s.reason;
  options.most_levels = 2;
  measure_searches(result, graph, options);
  ASSERT_EQ(result.searches.size(), 8U);
  EXPECT_TRUE(result.searches.back().seconds) << result.searches.back().reason;
  EXPECT_EQ(result.searches.back().levels, 3U);
}

TEST_F(CudaBench, AlgorithmsAreRight) {
  subject graph("web", build(generate_web(3'000, 6, 1), {.dims = shape{3'000, 3'000}}));
  for (const index_t sources : {1U, 40U, 128U, 200U}) {
    graph_result result;
    bench_options options = quick;
    options.sources = sources;
    measure_algorithms(result, graph, options);
    ASSERT_EQ(result.algorithms.size(), 4U + 4 + 2 * (1 + 2 + 6));
    for (const algorithm_result& a : result.algorithms) {
      EXPECT_NE(a.lacking, lack::failed) << a.algorithm << ", " << a.engine << ": " << a.reason;
      EXPECT_TRUE(a.ms || a.engine == cusparse_name) << a.algorithm << ": " << a.reason;
    }
  }
}

// Too much work for compute-sanitizer.
using CudaBenchFigures = CudaBench;

TEST_F(CudaBenchFigures, HardwareHasFigures) {
  EXPECT_FALSE(identify_gpu().name.empty());
  const hardware_figures figures = measure_hardware({.runs = 1, .run_ms = 1});
  EXPECT_GT(figures.launch_us, 0);
  EXPECT_GT(figures.graph_node_us, 0);
  EXPECT_GT(figures.copy_gb_per_s, 0);
  EXPECT_GT(figures.consecutive_atomics_g_s, 0);
  EXPECT_GT(figures.consecutive_stores_g_s, 0);
  EXPECT_GT(figures.scattered_atomics_g_s, 0);
}

TEST_F(CudaBenchFigures, EveryPartOfTheSuiteIsRight) {
  stand_in_bench graphs(200, quick);
  for (const suite_step& step : paper_steps({"wd_subclass_of", "wd_occupation"}, {})) {
    const graph_result found = graphs.measure(step);
    EXPECT_EQ(failures(found), 0U) << step.graph << ", " << name_of(step.part);
    EXPECT_EQ(found.engines.size(), step.part == suite_part::products ? 5U : 0U);
    EXPECT_EQ(found.constructions.empty(), step.part != suite_part::construction);
    EXPECT_EQ(found.ablation.empty(), step.part != suite_part::ablation);
    EXPECT_EQ(found.tiles.empty(), step.part != suite_part::tiles);
    EXPECT_EQ(found.searches.empty(), step.part != suite_part::search);
    EXPECT_EQ(found.algorithms.empty(), step.part != suite_part::peers);
  }
}

TEST_F(CudaBenchFigures, EnergyIsMeasuredWhereThereIsACounter) {
  std::function<double()> counter;
  try {
    counter = gpu_energy_counter();
  } catch (const not_compiled& failure) {
    GTEST_SKIP() << failure.what();
  }
  subject graph("web", build(generate_web(20'000, 8, 1), {.dims = shape{20'000, 20'000}}));
  const auto where = make_gpu_place();
  const auto by = make_bcsr(graph);
  bench_options options = quick;
  options.how.run_ms = 20;
  options.energy = true;
  const product_result result = measure_product(*by, {}, graph, *where, options);
  ASSERT_TRUE(result.energy) << result.no_energy;
  EXPECT_GT(result.energy->watts, 10);
  EXPECT_LT(result.energy->watts, 2000);
}

}  // namespace
}  // namespace baltoro::bench
