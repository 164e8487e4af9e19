// The suite of `baltoro bench`, whose steps need no GPU to be chosen, counted and kept.
#include <baltoro/device.hpp>
#include <baltoro/generate.hpp>

#include <fstream>
#include <map>

#include <gmock/gmock.h>

#include "runs/suite.hpp"
#include "support/temporary_directory.hpp"

namespace baltoro::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr suite_step small_products = {"wd_cast_member", suite_part::products};

std::map<suite_part, int> count_parts(const std::vector<suite_step>& steps) {
  std::map<suite_part, int> count;
  for (const suite_step& step : steps) ++count[step.part];
  return count;
}

TEST(BenchSuite, HasWhatThePaperShows) {
  const std::vector<suite_step> steps = paper_steps({}, {});
  const std::map<suite_part, int> count = count_parts(steps);
  EXPECT_EQ(count.at(suite_part::products), 14);
  EXPECT_EQ(count.at(suite_part::construction), 14);
  EXPECT_EQ(count.at(suite_part::ablation), 8);
  EXPECT_EQ(count.at(suite_part::tiles), 4);
  EXPECT_EQ(count.at(suite_part::search), 3);
  EXPECT_EQ(count.at(suite_part::peers), 3);
  // Every graph has a stand-in, and its steps follow each other in the paper's order.
  std::vector<std::string> graphs;
  for (const suite_step& step : steps) {
    if (graphs.empty() || graphs.back() != step.graph) graphs.push_back(step.graph);
  }
  ASSERT_EQ(graphs.size(), stand_ins().size());
  for (std::size_t i = 0; i < graphs.size(); ++i) EXPECT_EQ(graphs[i], stand_ins()[i].name);
}

TEST(BenchSuite, StepsByName) {
  EXPECT_THAT(paper_steps({"uk-2002", "wd_cast_member", "uk-2002"}, {"products"}),
              ElementsAre(suite_step{"uk-2002", suite_part::products}, small_products));
  EXPECT_THAT(
      paper_steps({"swh"}, {"search", "tiles"}),
      ElementsAre(suite_step{"swh", suite_part::tiles}, suite_step{"swh", suite_part::search}));
  EXPECT_THAT([] { paper_steps({"uk-2003"}, {}); },
              ThrowsMessage<invalid_argument>(
                  HasSubstr("'uk-2003' is no graph of the paper; there are wd_sports_team, ")));
  EXPECT_THAT([] { paper_steps({}, {"energy"}); },
              ThrowsMessage<invalid_argument>(HasSubstr("there are products, construction, ")));
  EXPECT_THAT([] { paper_steps({"uk-2002"}, {"search"}); },
              ThrowsMessage<invalid_argument>("the paper has no search of uk-2002"));
}

// A file in a folder of its own, and what would be measured.
class BenchSuiteFile : public testing::Test {
 protected:
  static report begun(const std::string& gpu = "H200") {
    report result;
    result.date = "2026-01-01T00:00:00Z";
    result.version = "1.2.3";
    result.commit = "abc";
    result.gpu.emplace().name = gpu;
    result.hardware.emplace().launch_us = 2;
    return result;
  }

  suite_file opened(std::uint64_t scale = 1, const report& now = begun()) const {
    suite_file results(file_, scale);
    results.begin(now);
    return results;
  }

  // One section for each part, so that it can be seen which are there.
  static graph_result measured(const suite_step& step) {
    graph_result found;
    found.name = "stand-in for " + step.graph;
    found.nnz = 10;
    if (step.part == suite_part::products) found.engines.push_back({"one", "", false, 40, {}});
    if (step.part == suite_part::tiles) found.tiles.emplace_back().name = "directory";
    if (step.part == suite_part::search) found.searches.emplace_back().levels = 3;
    return found;
  }

  // Steps that were measured, in order.
  std::vector<suite_step> run(const std::vector<suite_step>& steps, int most = 1000) {
    std::vector<suite_step> seen;
    suite_file results = opened();
    outcome_ = run_suite(results, steps,
                         {.measure =
                              [&](const suite_step& step) {
                                seen.push_back(step);
                                if (broken_ == step)
                                  throw out_of_memory("the GPU", 2, 1, "ask for less");
                                return measured(step);
                              },
                          .go_on = [&] { return std::ssize(seen) < most; }});
    return seen;
  }

  nlohmann::ordered_json written() const {
    std::ifstream in(file_);
    return nlohmann::ordered_json::parse(in);
  }

  test::temporary_directory folder_;
  std::filesystem::path file_ = folder_.path() / "paper.json";
  suite_outcome outcome_;
  suite_step broken_;
};

TEST_F(BenchSuiteFile, GrowsRunAfterRun) {
  const std::vector<suite_step> steps = paper_steps({"wd_occupation", "swh"}, {});
  ASSERT_EQ(steps.size(), 4U + 6);
  EXPECT_THAT(run(steps, 0), ElementsAre());
  EXPECT_EQ(outcome_.left, steps);
  EXPECT_FALSE(std::filesystem::exists(file_));

  EXPECT_THAT(run(steps, 3), ElementsAre(steps[0], steps[1], steps[2]));
  EXPECT_EQ(outcome_.left.size(), 7U);
  EXPECT_EQ(run(steps, 2).front(), steps[3]);
  EXPECT_EQ(run(steps).size(), 5U);
  EXPECT_TRUE(outcome_.left.empty());
  EXPECT_THAT(run(steps), ElementsAre());

  const auto document = written();
  EXPECT_EQ(document["suite"], "paper");
  EXPECT_EQ(document["failures"], 0);
  EXPECT_EQ(document["context"]["gpu"]["name"], "H200");
  EXPECT_EQ(document["hardware"]["launch_us"], 2);
  ASSERT_EQ(document["graphs"].size(), 2U);
  const auto& swh = document["graphs"][1];
  EXPECT_EQ(swh["name"], "stand-in for swh");
  EXPECT_EQ(swh["stand_in"], "swh");
  EXPECT_EQ(swh["scale"], 1);
  EXPECT_EQ(swh["steps"].size(), 6U);
  EXPECT_EQ(swh["steps"]["tiles"]["date"], "2026-01-01T00:00:00Z");
  // Later parts leave earlier ones as they are.
  EXPECT_EQ(swh["engines"][0]["name"], "one");
  EXPECT_EQ(swh["tiles"][0]["offsets"], "directory");
  EXPECT_EQ(swh["search"].size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".part"));
}

TEST_F(BenchSuiteFile, WhatComesToNothingIsLeftOutAndTriedAgain) {
  const std::vector<suite_step> steps = paper_steps({"wd_occupation"}, {});
  broken_ = steps[1];
  EXPECT_EQ(run(steps), steps);
  ASSERT_EQ(outcome_.failed.size(), 1U);
  EXPECT_EQ(outcome_.failed[0].step, steps[1]);
  EXPECT_THAT(outcome_.failed[0].reason, HasSubstr("ask for less"));
  broken_ = {};
  EXPECT_THAT(run(steps), ElementsAre(steps[1]));
}

TEST_F(BenchSuiteFile, FailuresAreCountedAndMeasuredAgain) {
  suite_file results = opened();
  graph_result wrong = measured(small_products);
  wrong.engines[0].failed = true;
  results.add(small_products, wrong, 1);
  EXPECT_FALSE(results.has(small_products));
  EXPECT_EQ(written()["failures"], 1);
  results.add(small_products, measured(small_products), 1);
  EXPECT_TRUE(opened().has(small_products));
  EXPECT_EQ(written()["failures"], 0);
  EXPECT_EQ(written()["graphs"].size(), 1U);
}

TEST_F(BenchSuiteFile, OfOtherScalesGpusAndProtocolsIsRefused) {
  run({small_products});
  EXPECT_THAT([&] { opened(8).has(small_products); },
              ThrowsMessage<invalid_argument>(
                  HasSubstr("wd_cast_member is there at scale 1, not 8; name another file")));
  EXPECT_FALSE(opened(8).has({"swh", suite_part::products}));  // scales may differ by graph
  EXPECT_THAT([&] { opened(1, begun("H100")); },
              ThrowsMessage<invalid_argument>(HasSubstr("its GPU is \"H200\", not \"H100\"")));
  report hasty = begun();
  hasty.how.runs = 3;
  EXPECT_THAT([&] { opened(1, hasty); },
              ThrowsMessage<invalid_argument>(HasSubstr("its protocol is")));
}

TEST_F(BenchSuiteFile, KeepsWhatTheHardwareCanDo) {
  report without = begun();
  without.hardware.reset();
  suite_file results = opened(1, without);
  results.add(small_products, measured(small_products), 1);
  EXPECT_FALSE(opened(1, without).has_hardware());
  suite_file later = opened();
  EXPECT_TRUE(later.has_hardware());
  later.begin(without);
  EXPECT_TRUE(later.has_hardware());
}

TEST_F(BenchSuiteFile, OtherFilesAreRefused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"graphs": []})", R"({"suite": "paper"})",
                           R"({"suite": "paper", "graphs": [{"stand_in": "swh"}], "hardware": {}})",
                           R"({"suite": 3, "graphs": []})"}) {
    std::ofstream(file_) << text;
    EXPECT_THAT([&] { suite_file(file_, 1); },
                ThrowsMessage<invalid_format>(HasSubstr("not what 'baltoro bench --suite'")))
        << text;
  }
}

// Without a GPU it is the CPU that is measured.
TEST_F(BenchSuiteFile, HoldsAStandInThatIsMeasured) {
  stand_in_bench graphs(200, {.how = {.runs = 1, .run_ms = 0.01}, .engines = {"level_order_cpu"}});
  suite_file results = opened(200);
  const suite_outcome outcome =
      run_suite(results, paper_steps({"wd_cast_member"}, {"products", "construction"}),
                {.measure = [&](const suite_step& step) { return graphs.measure(step); }});
  EXPECT_TRUE(outcome.failed.empty());
  const auto document = written();
  const auto& graph = document["graphs"][0];
  EXPECT_EQ(document["failures"], 0);
  EXPECT_EQ(graph["name"], "stand-in for wd_cast_member, 1/200");
  EXPECT_EQ(graph["scale"], 200);
  const generator made = generator::like("wd_cast_member", 200);
  EXPECT_EQ(graph["rows"], made.dims().rows);
  EXPECT_EQ(graph["nnz"], made.edges());
  EXPECT_EQ(graph["engines"][0]["batch"].size(), 8U);  // 2 to 256
  EXPECT_GT(graph["construction"][0]["median_s"], 0);
}

}  // namespace
}  // namespace baltoro::bench
