#include "runs/suite.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/square.hpp"
#include "engines/engines.hpp"
#include "runs/algorithms.hpp"
#include "runs/construction.hpp"
#include "runs/products.hpp"
#include "runs/search.hpp"
#include "runs/settings.hpp"

namespace baltoro::bench {
namespace {

// What the paper shows of a graph beside tables 2 and 3.
struct shown {
  const char* name;
  index_t width = 128;       // of batches in table 3
  bool every_width = false;  // figure 4
  bool ablation = false;     // 5.5
  bool tiles = false;        // figure 6
  index_t sources = 0;       // table 6
  std::uint32_t most_levels = no_limit;
};

// Where the vectors of a wider batch filled the memory of the paper's GPU.
constexpr index_t narrow = 16;

const std::array<shown, 14> shown_graphs = {{
    {.name = "wd_sports_team", .every_width = true, .ablation = true},
    {.name = "wd_cast_member", .every_width = true, .ablation = true},
    {.name = "wd_citizenship", .every_width = true, .ablation = true},
    {.name = "wd_occupation", .every_width = true, .ablation = true, .tiles = true},
    {.name = "wd_subclass_of", .every_width = true, .ablation = true, .sources = 128},
    {.name = "wd_country", .every_width = true, .ablation = true, .tiles = true},
    {.name = "wd_cites_work", .every_width = true, .ablation = true, .tiles = true, .sources = 128},
    {.name = "swh",
     .width = narrow,
     .ablation = true,
     .tiles = true,
     .sources = narrow,
     .most_levels = 32},
    {.name = "ljournal-2008"},
    {.name = "enwiki-2013"},
    {.name = "indochina-2004"},
    {.name = "uk-2002"},
    {.name = "arabic-2005"},
    {.name = "it-2004", .width = narrow},
}};

constexpr std::array all_parts = {suite_part::products, suite_part::construction,
                                  suite_part::ablation, suite_part::tiles,
                                  suite_part::search,   suite_part::peers};

template <class All, class Name>
const auto& find(const All& all, const std::string& name, const char* what, const Name& name_in) {
  std::vector<std::string> names;
  for (const auto& each : all) {
    if (name_in(each) == name) return each;
    names.emplace_back(name_in(each));
  }
  throw invalid_argument(
      fmt::format("'{}' is no {}; there are {}", name, what, fmt::join(names, ", ")));
}

const shown& shown_of(const std::string& graph) {
  return find(shown_graphs, graph, "graph of the paper",
              [](const shown& each) { return std::string_view(each.name); });
}

suite_part part_of(const std::string& name) {
  return find(all_parts, name, "part of the suite",
              [](suite_part each) { return std::string_view(name_of(each)); });
}

bool is_shown(const shown& graph, suite_part part) {
  switch (part) {
    case suite_part::products:
    case suite_part::construction:
      return true;
    case suite_part::ablation:
      return graph.ablation;
    case suite_part::tiles:
      return graph.tiles;
    case suite_part::search:
    case suite_part::peers:
      return graph.sources != 0;
  }
  return false;
}

bench_options options_for(const shown& graph, suite_part part, bench_options options) {
  // Scan against directory is not a question of the width.
  const bool every_width = graph.every_width && part == suite_part::products;
  options.batches = every_width ? every_batch_width() : std::vector<index_t>{graph.width};
  options.sources = graph.sources;
  options.most_levels = graph.most_levels;
  return options;
}

// Rows and columns are the same vertices, though some have no row or no column.
subject searched(const subject& graph) { return {graph.name(), as_square(graph.compressed())}; }

}  // namespace

std::vector<suite_step> paper_steps(const std::vector<std::string>& graphs,
                                    const std::vector<std::string>& parts) {
  std::vector<suite_part> wanted;
  for (const std::string& name : parts) wanted.push_back(part_of(name));
  if (parts.empty()) wanted.assign(all_parts.begin(), all_parts.end());
  std::vector<std::string> names = graphs;
  if (graphs.empty()) {
    for (const shown& each : shown_graphs) names.emplace_back(each.name);
  }
  std::vector<suite_step> steps;
  for (const std::string& name : names) {
    const shown& graph = shown_of(name);
    for (const suite_part part : all_parts) {
      const suite_step step = {name, part};
      if (std::find(wanted.begin(), wanted.end(), part) != wanted.end() && is_shown(graph, part) &&
          std::find(steps.begin(), steps.end(), step) == steps.end()) {
        steps.push_back(step);
      }
    }
  }
  if (steps.empty()) {
    throw invalid_argument(
        fmt::format("the paper has no {} of {}", fmt::join(parts, ", "), fmt::join(graphs, ", ")));
  }
  return steps;
}

stand_in_bench::stand_in_bench(std::uint64_t scale, bench_options options)
    : scale_(scale), options_(std::move(options)) {
  if (!options_.engines.empty()) return;
  for (const engine_kind& kind : engine_kinds()) {
    if (kind.where == device::cuda && !kind.on_request) options_.engines.push_back(kind.name);
  }
}

subject& stand_in_bench::graph_of(const std::string& name) {
  if (graph_ && held_ == name) return *graph_;
  graph_.reset();
  std::string title = "stand-in for " + name;
  if (scale_ > 1) title += fmt::format(", 1/{}", scale_);
  options_.note(title + ": making the graph");
  const generator made = generator::like(name, scale_);
  const std::vector<edge> edges = made.all();
  graph_.emplace(
      title,
      build(edges, {.dims = made.dims(), .kind = layout::level_order, .where = device::automatic}));
  held_ = name;
  return *graph_;
}

graph_result stand_in_bench::measure(const suite_step& step) {
  const bench_options options = options_for(shown_of(step.graph), step.part, options_);
  subject& graph = graph_of(step.graph);
  graph_result result;
  result.name = graph.name();
  describe(result, graph.compressed());
  switch (step.part) {
    case suite_part::products:
      measure_engines(result, graph, options);
      break;
    case suite_part::construction:
      measure_construction(result, graph, options);
      break;
    case suite_part::ablation:
      measure_ablation(result, graph, options);
      break;
    case suite_part::tiles:
      measure_tiles(result, graph, options);
      break;
    case suite_part::search: {
      subject square = searched(graph);
      measure_searches(result, square, options);
      break;
    }
    case suite_part::peers: {
      subject square = searched(graph);
      measure_search_from_many(result, square, options);
      break;
    }
  }
  return result;
}

suite_outcome run_suite(suite_file& results, const std::vector<suite_step>& steps,
                        const suite_run& how) {
  std::vector<suite_step> missing;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(missing),
               [&](const suite_step& step) { return !results.has(step); });
  suite_outcome outcome;
  for (const suite_step& step : missing) {
    if (!outcome.left.empty() || !how.go_on()) {
      outcome.left.push_back(step);
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    graph_result found;
    try {
      found = how.measure(step);
    } catch (const error& failure) {
      outcome.failed.push_back({step, failure.what()});
      continue;
    } catch (const std::bad_alloc&) {
      outcome.failed.push_back({step, "out of memory on the host"});
      continue;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    results.add(step, found, took.count());
    how.done(step, took.count());
  }
  return outcome;
}

}  // namespace baltoro::bench
