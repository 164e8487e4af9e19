// The parts of `baltoro bench` that need no GPU, and its report.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>

#include "engines/engines.hpp"
#include "measure/energy.hpp"
#include "measure/input_values.hpp"
#include "measure/protocol.hpp"
#include "report/json.hpp"
#include "runs/products.hpp"

namespace baltoro::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(BenchStatistics, QuartilesOfFewValues) {
  const auto of = [](std::vector<double> values) {
    const quartiles q = quartiles_of(std::move(values));
    return std::vector<double>{q.q1, q.median, q.q3};
  };
  EXPECT_THAT(of({7}), ElementsAre(7, 7, 7));
  EXPECT_THAT(of({4, 2}), ElementsAre(2.5, 3, 3.5));
  EXPECT_THAT(of({9, 1, 5}), ElementsAre(3, 5, 7));
  EXPECT_THAT(of({4, 3, 2, 1, 0}), ElementsAre(1, 2, 3));
  EXPECT_THAT(of({1, 1, 1, 100}), ElementsAre(1, 1, 25.75));
  EXPECT_THROW(quartiles_of({}), invalid_argument);
}

TEST(BenchInputs, AreInTheUnitIntervalAndDiffer) {
  double sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const float value = input_value(i, 3);
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
  EXPECT_NE(input_value(0, 0), input_value(1, 0));
  EXPECT_NE(input_value(0, 0), input_value(0, 1));
}

// A product that runs as it is told.
class scripted_product final : public product {
 public:
  explicit scripted_product(std::function<void(const float*, float*)> work = {})
      : work_(std::move(work)) {}
  void prepare(cuda_stream, const float*, float*) override {}
  void run(cuda_stream, const float* x, float* y) override {
    if (work_) work_(x, y);
  }
  working_set needs() const override { return {100, 20, 3}; }

 private:
  std::function<void(const float*, float*)> work_;
};

// A clock that says what a product takes, and counts.
class scripted_place final : public place {
 public:
  explicit scripted_place(double product_ms) : product_ms_(product_ms) {}
  void release() override {}
  void take(const task&, const shape&) override {}
  void poison_outputs() override {}
  void prepare(product&) override {}
  double run_ms(product&, std::uint64_t count) override {
    runs.push_back(count);
    return product_ms_ * static_cast<double>(count);
  }
  std::vector<float> outputs(index_t) override { return {}; }
  std::uint64_t not_finite() override { return 0; }

  std::vector<std::uint64_t> runs;

 private:
  double product_ms_;
};

TEST(BenchProtocol, RunsHaveEnoughProducts) {
  scripted_place fast(0.5);
  scripted_product nothing;
  const timing time = measure(fast, nothing, {.runs = 12, .run_ms = 20});
  EXPECT_EQ(time.products_per_run, 40U);
  EXPECT_EQ(time.runs, 12U);
  EXPECT_DOUBLE_EQ(time.ms.median, 0.5);
  EXPECT_EQ(std::count(fast.runs.begin(), fast.runs.end(), 40U), 1 + 12);  // one to calibrate

  scripted_place slow(70);
  EXPECT_EQ(measure(slow, nothing, {.runs = 10, .run_ms = 20}).products_per_run, 1U);
  EXPECT_EQ(slow.runs.size(), 2U + 10U);
  EXPECT_EQ(products_for({.run_ms = 20}, 0), 100'000U);
}

TEST(BenchProtocol, WhatIsTooSlowIsNotMeasured) {
  scripted_place slow(3000);
  scripted_product nothing;
  EXPECT_THROW(measure(slow, nothing, {.slowest_ms = 2000}), too_slow);
  EXPECT_EQ(slow.runs.size(), 1U);
}

TEST(BenchEnergy, CountsBetweenTwoMovesOfTheCounter) {
  scripted_place where(1);
  scripted_product nothing;
  // Moves by 30 mJ every third look, 10 products a look.
  int looks = 0;
  const auto counter = [&] { return 1000.0 + 30.0 * (looks++ / 3); };
  const energy_use use = measure_energy(where, nothing, 10, counter, 0, 20);
  EXPECT_EQ(use.products, 30U);
  EXPECT_DOUBLE_EQ(use.mj_per_product, 1);
  EXPECT_THROW(measure_energy(
                   where, nothing, 10, [] { return 5.0; }, 0, 0.01),
               cuda_error);
}

matrix small_web() { return build(generate_web(300, 5, 1), {.dims = shape{300, 300}}); }

TEST(BenchSubject, CsrHoldsTheSameCells) {
  const matrix a = build(std::vector<edge>{{0, 3}, {2, 0}, {2, 1}, {2, 4}}, {.dims = shape{4, 5}});
  const csr c = to_csr(a);
  EXPECT_THAT(c.row_begin, ElementsAre(0, 1, 1, 4, 4));
  EXPECT_THAT(c.columns, ElementsAre(3, 0, 1, 4));
  EXPECT_EQ(csr_bytes(a.dims(), a.nnz()), 4U * 4 + 4U * 5);
}

TEST(BenchSubject, CopiesLieOnTheDiagonal) {
  const matrix a = build(std::vector<edge>{{0, 1}, {1, 2}}, {.dims = shape{2, 3}});
  const matrix three = copies_on_diagonal(a, 3);
  EXPECT_EQ(three.dims(), (shape{192, 192}));
  EXPECT_EQ(three.nnz(), 6U);
  for (const edge e :
       {edge{0, 1}, edge{1, 2}, edge{64, 65}, edge{65, 66}, edge{128, 129}, edge{129, 130}}) {
    EXPECT_TRUE(three.contains(e.row, e.col));
  }
  EXPECT_THROW(copies_on_diagonal(a, 0), invalid_argument);
  EXPECT_THROW(copies_on_diagonal(a, max_dimension), invalid_argument);
}

// An engine of one variant a function.
class scripted_engine final : public engine {
 public:
  using work = std::function<void(const float*, float*)>;
  explicit scripted_engine(std::vector<std::pair<std::string, work>> variants)
      : variants_(std::move(variants)) {}
  std::string name() const override { return "scripted"; }
  device where() const override { return device::cpu; }
  std::uint64_t persistent_bytes() const override { return 1000; }
  std::vector<std::string> variants(const task&) const override {
    std::vector<std::string> names;
    for (const auto& [name, unused] : variants_) names.push_back(name);
    return names;
  }
  std::unique_ptr<product> make(const task&, const std::string& variant) override {
    for (const auto& [name, does] : variants_) {
      if (name == variant && does) return std::make_unique<scripted_product>(does);
    }
    throw not_compiled("no " + variant + " here");
  }

 private:
  std::vector<std::pair<std::string, work>> variants_;
};

TEST(BenchProducts, WrongResultsAreRefused) {
  subject graph("web", small_web());
  const csr& a = graph.uncompressed();
  const auto multiply = [&](const float* x, float* y) {
    for (std::uint64_t r = 0; r < a.dims.rows; ++r) {
      y[r] = 0;
      for (auto at = a.row_begin[r]; at < a.row_begin[r + 1]; ++at) y[r] += x[a.columns[at]];
    }
  };
  scripted_engine by({{"right", multiply},
                      {"wrong in one",
                       [&](const float* x, float* y) {
                         multiply(x, y);
                         y[299] += 0.01F;
                       }},
                      {"leaves one out",
                       [&](const float* x, float* y) {
                         multiply(x, y);
                         y[0] = std::numeric_limits<float>::quiet_NaN();
                       }},
                      {"missing", nullptr}});
  const auto where = make_host_place();
  const product_result result =
      measure_product(by, {direction::right, 1}, graph, *where, {.how = {.runs = 3, .run_ms = 1}});
  ASSERT_TRUE(result.time);
  EXPECT_EQ(result.variant, "right");
  EXPECT_EQ(result.needs.total(), 123U);
  ASSERT_EQ(result.variants.size(), 4U);
  EXPECT_EQ(result.variants[1].lacking, lack::failed);
  EXPECT_THAT(result.variants[1].reason, HasSubstr("wrong result: entry 299 of vector 0"));
  EXPECT_EQ(result.variants[2].lacking, lack::failed);
  EXPECT_EQ(result.variants[3].lacking, lack::skipped);
  EXPECT_EQ(result.variants[3].reason, "no missing here");
}

TEST(BenchProducts, AnEngineWithoutAnyVariantSaysWhy) {
  subject graph("web", small_web());
  scripted_engine by({{"missing", nullptr}});
  const auto where = make_host_place();
  const product_result result = measure_product(by, {}, graph, *where, {});
  EXPECT_FALSE(result.time);
  EXPECT_EQ(result.lacking, lack::skipped);
  EXPECT_EQ(result.reason, "no missing here");
}

TEST(BenchProducts, TheCpuIsRightOnBothSidesAndInBatches) {
  subject graph("web", small_web());
  const auto by = make_level_order(graph, "cpu", device::cpu, {});
  const auto where = make_host_place();
  for (const task what : {task{direction::right, 1}, task{direction::left, 1},
                          task{direction::right, 2}, task{direction::right, 9}}) {
    const product_result result =
        measure_product(*by, what, graph, *where, {.how = {.runs = 2, .run_ms = 0.1}});
    EXPECT_TRUE(result.time) << result.reason;
  }
}

product_result measured(const task& what, double ms) {
  product_result product;
  product.what = what;
  product.time = timing{{ms / 2, ms, 2 * ms}, 10, 4};
  product.variant = "fast one";
  product.needs = {100, 20, 3};
  product.variants = {{"fast one", lack::none, "", product.time, product.needs},
                      {"bad one", lack::failed, "wrong result", std::nullopt, {}}};
  return product;
}

TEST(BenchReport, HasTheShapeThatIsDocumented) {
  report of;
  of.version = "1.2.3";
  of.no_gpu = "no driver";
  graph_result& graph = of.graphs.emplace_back();
  graph.name = "small";
  graph.dims = {10, 10};
  graph.nnz = 20;
  const task right{direction::right, 1};
  const task left{direction::left, 1};
  const task batch{direction::right, 4};
  graph.engines.push_back({"level_order_tree_only",
                           "",
                           false,
                           50,
                           {measured(right, 6), measured(left, 4), measured(batch, 8)}});
  graph.engines.push_back({cusparse_name, "", false, 250, {measured(right, 2)}});
  graph.engines.push_back({bcsr_name, "no driver", false, 0, {}});
  graph.ablation.push_back({"naive", 0, measured(right, 9)});
  graph.tiles.push_back({"directory", 1U << 20U, measured(right, 9)});
  graph.searches.emplace_back().sources = 5;

  const auto json = to_json(of);
  EXPECT_EQ(json["context"]["gpu"]["absent"], "no driver");
  EXPECT_TRUE(json["context"]["commit"].is_null());
  EXPECT_EQ(json["protocol"]["runs"], 10);
  EXPECT_EQ(json["failures"], 6);
  const auto& engines = json["graphs"][0]["engines"];
  ASSERT_EQ(engines.size(), 3U);
  EXPECT_EQ(engines[0]["bits_per_edge"], 20);
  EXPECT_EQ(engines[0]["persistent_bytes"], 50);
  EXPECT_EQ(engines[0]["right"]["median_ms"], 6);
  EXPECT_EQ(engines[0]["right"]["q1_ms"], 3);
  EXPECT_EQ(engines[0]["right"]["q3_ms"], 12);
  EXPECT_EQ(engines[0]["right"]["ratio_to_cusparse"], 3);
  EXPECT_TRUE(engines[0]["right"]["ratio_to_bcsr"].is_null());
  EXPECT_EQ(engines[0]["right"]["working_set"]["total_bytes"], 123);
  EXPECT_EQ(engines[0]["right"]["variants"][1]["failed"], "wrong result");
  EXPECT_TRUE(engines[0]["left"]["ratio_to_cusparse"].is_null());
  ASSERT_EQ(engines[0]["batch"].size(), 1U);
  EXPECT_EQ(engines[0]["batch"][0]["batch"], 4);
  EXPECT_EQ(engines[0]["batch"][0]["median_ms"], 2);  // of one vector
  EXPECT_EQ(engines[1]["right"]["ratio_to_cusparse"], 1);
  EXPECT_EQ(engines[2]["absent"], "no driver");
  EXPECT_EQ(json["graphs"][0]["bytes"]["csr_boolean"], 4 * 20 + 4 * 11);
  EXPECT_EQ(json["graphs"][0]["bytes"]["csr_float"], 8 * 20 + 4 * 11);
  EXPECT_EQ(json["graphs"][0]["ablation"][0]["step"], "naive");
  EXPECT_EQ(json["graphs"][0]["tiles"][0]["tile_nodes"], 1U << 20U);
  EXPECT_EQ(json["graphs"][0]["search"][0]["sources"], 5);
}

}  // namespace
}  // namespace baltoro::bench
