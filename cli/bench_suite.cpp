#include "bench_suite.hpp"

#include <baltoro/device.hpp>

#include <fmt/format.h>

#include "bench_text.hpp"
#include "input_graph.hpp"
#include "output_file.hpp"
#include "parse.hpp"
#include "progress_display.hpp"
#include "report/suite_file.hpp"
#include "runs/suite.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

using bench::suite_step;

std::string step_text(const suite_step& step) {
  return fmt::format("stand-in for {}, {}", step.graph, name_of(step.part));
}

std::string outcome_text(const bench::suite_outcome& outcome, std::size_t steps,
                         const std::filesystem::path& output) {
  const std::size_t missing = outcome.left.size() + outcome.failed.size();
  std::string text =
      fmt::format("{} has {} of {} steps\n", printable(output.string()), steps - missing, steps);
  for (const bench::failed_step& each : outcome.failed) {
    text += fmt::format("FAILED {}: {}\n", step_text(each.step), printable(each.reason));
  }
  if (outcome.left.empty()) return text;
  text += "the time is up; the same command goes on with\n";
  for (const suite_step& step : outcome.left) text += "  " + step_text(step) + "\n";
  return text;
}

}  // namespace

void add_suite(CLI::App& command, suite_arguments& given,
               const std::vector<std::string>& excluded) {
  constexpr const char* group = "Suite";
  CLI::Option* suite =
      add_choice(command, "--suite", given.name, {{"paper", std::string("paper")}},
                 "On a GPU, stand-ins for the paper's graphs instead of GRAPH, step by step:\n"
                 "tables 2 to 6, figures 3 to 6. Goes on with what -o FILE lacks")
          ->needs("--output")
          ->group(group);
  for (const std::string& option : excluded) suite->excludes(option);
  const auto names = [](const std::string&, const std::string& text) { return split_list(text); };
  add_parsed(command, "--graphs", given.graphs, names, "NAME[,NAME...]",
             "Only these, in this order; names as in 'generate --like'")
      ->needs(suite)
      ->group(group);
  add_parsed(command, "--parts", given.parts, names, "PART[,PART...]",
             "Only these of products, construction, ablation, tiles, search, peers")
      ->needs(suite)
      ->group(group);
  add_parsed(command, "--scale", given.scale, parse_count, "K",
             "Divides rows, columns and edges (1)")
      ->needs(suite)
      ->group(group);
  add_parsed(
      command, "--budget-s", given.budget_s,
      [](const std::string& option, const std::string& text) {
        const double seconds = parse_real(option, text);
        if (seconds < 0) throw CLI::ValidationError(option, "'" + text + "' is below 0");
        return std::optional(seconds);
      },
      "S", "Begin no step after so many seconds")
      ->needs(suite)
      ->group(group);
}

void run_suite(const suite_arguments& given, const std::filesystem::path& output,
               bench::bench_options options, const common_options& common) {
  const stopwatch watch;
  std::vector<suite_step> steps;
  try {
    steps = bench::paper_steps(given.graphs, given.parts);
  } catch (const invalid_argument& failure) {
    throw usage_error(failure.what());
  }
  if (!query_cuda().usable) throw not_compiled("--suite needs a GPU: " + query_cuda().reason);
  progress_display display(common.quiet);
  options.note = [&](const std::string& what) { display.status(what); };
  bench::suite_file results(output, given.scale);
  options.hardware = options.hardware && !results.has_hardware();
  const bench::report report = bench::begin_report(options);
  results.begin(report);
  display.clear();
  const bool as_text = !common.json;
  if (as_text) print(context_text(report));

  bench::stand_in_bench graphs(given.scale, options);
  bench::suite_run how;
  how.measure = [&](const suite_step& step) { return graphs.measure(step); };
  how.go_on = [&] { return !given.budget_s || watch.seconds() <= *given.budget_s; };
  how.done = [&](const suite_step& step, double seconds) {
    display.clear();
    if (as_text) print(fmt::format("{}: {:.0f} s\n", step_text(step), seconds));
  };
  const bench::suite_outcome outcome = bench::run_suite(results, steps, how);
  display.clear();
  if (as_text) {
    print(outcome_text(outcome, steps.size(), output));
  } else {
    print_json(results.document());
  }
  if (!outcome.failed.empty()) {
    throw error(fmt::format("{}: {}", step_text(outcome.failed.front().step),
                            outcome.failed.front().reason));
  }
  if (const auto failed = results.document()["failures"].get<std::uint64_t>(); failed > 0) {
    throw error(failure_text(failed));
  }
}

}  // namespace baltoro::cli
