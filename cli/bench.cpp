// baltoro bench: products and searches on a GPU beside other engines, in one run.
#include "runs/bench.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench_suite.hpp"
#include "bench_text.hpp"
#include "commands.hpp"
#include "input_graph.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "parse.hpp"
#include "report/json.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::vector<std::filesystem::path> files;
  std::uint64_t copies = 1;
  std::filesystem::path output;
  bench::bench_options options;
  suite_arguments suite;
};

matrix copied(const matrix& a, const arguments& given) {
  // The edges once, and what a builder holds for each of them.
  require_memory(given.input.file.string(),
                 given.copies == 1
                     ? 0
                     : 17.0 * static_cast<double>(a.nnz()) * static_cast<double>(given.copies),
                 "ask for fewer copies");
  return about(given.input.file, [&] { return bench::copies_on_diagonal(a, given.copies); });
}

void measure_file(arguments& given, bench::report& report, progress_display& display) {
  const open_graph opened = open(given.input, display);
  std::string name = given.input.file.filename().string();
  if (!opened.relation.empty()) name += ", " + opened.relation;
  if (given.copies > 1) name += fmt::format(", {} copies", given.copies);
  // The tree is what all forms are made of.
  bench::subject subject(name, copied(convert(opened.matrix, layout::level_order), given));
  bench::graph_result& result = report.graphs.emplace_back();
  result.name = name;
  result.file = given.input.file.string();
  result.relation = opened.relation;
  result.copies = given.copies;
  if (opened.format == file_format::bvgraph && given.copies == 1) {
    result.bvgraph_bytes = file_bytes(given.input.file);
  }
  about(given.input.file, [&] { bench::measure_graph(report, subject, given.options); });
}

void run(arguments& given) {
  if (!given.output.empty()) require_writable(given.output);
  const thread_limit limit(given.common.threads);
  if (!given.suite.name.empty()) {
    run_suite(given.suite, given.output, given.options, given.common);
    return;
  }
  progress_display display(given.common.quiet);
  bench::report report;
  given.options.note = [&](const std::string& what) { display.status(what); };
  const auto write = [&] {
    if (!given.output.empty()) bench::write_json(bench::to_json(report), given.output);
  };
  given.options.on_change = write;
  report = bench::begin_report(given.options);
  const bool as_text = !given.common.json;
  display.clear();
  if (as_text) print(context_text(report));
  for (const std::filesystem::path& file : given.files) {
    given.input.file = file;
    measure_file(given, report, display);
    write();
    display.clear();
    if (as_text) print(graph_text(report.graphs.back()));
  }
  if (!as_text) print_json(bench::to_json(report));
  if (const std::uint64_t failed = bench::failures(report); failed > 0) {
    throw error(failure_text(failed));
  }
}

std::uint64_t parse_between(const std::string& option, const std::string& text, std::uint64_t least,
                            std::uint64_t most) {
  const std::uint64_t value = parse_count(option, text);
  if (value < least || value > most) {
    throw CLI::ValidationError(
        option, fmt::format("'{}' is not a number from {} to {}", text, least, most));
  }
  return value;
}

std::vector<index_t> parse_widths(const std::string& option, const std::string& text) {
  std::vector<index_t> widths;
  for (const std::string& part : split_list(text)) {
    widths.push_back(static_cast<index_t>(parse_between(option, part, 1, 4096)));
  }
  return widths;
}

std::vector<std::string> parse_engines(const std::string& option, const std::string& text) {
  const std::vector<std::string> known = bench::engine_names();
  std::vector<std::string> engines = split_list(text);
  for (const std::string& engine : engines) {
    if (std::find(known.begin(), known.end(), engine) == known.end()) {
      throw CLI::ValidationError(
          option, fmt::format("'{}' is no engine; there are {}", engine, fmt::join(known, ", ")));
    }
  }
  return engines;
}

double parse_positive(const std::string& option, const std::string& text) {
  const double value = parse_real(option, text);
  if (!(value > 0)) throw CLI::ValidationError(option, "'" + text + "' is not above 0");
  return value;
}

void add_measuring(CLI::App& command, bench::bench_options& options) {
  constexpr const char* group = "Measuring";
  add_parsed(command, "--batch", options.batches, parse_widths, "B[,B...]",
             "Widths of batches (128)")
      ->group(group);
  command
      .add_flag_callback(
          "--batches", [&options] { options.batches = bench::every_batch_width(); },
          "All powers of two up to 256 (figure 4)")
      ->excludes("--batch")
      ->group(group);
  add_parsed(command, "--engines", options.engines, parse_engines, "NAME[,NAME...]",
             "Only these of " + fmt::format("{}", fmt::join(bench::engine_names(), ", ")))
      ->group(group);
  command.add_flag("--energy", options.energy, "Energy too, by 1.5 s of products for each figure")
      ->group(group);
  command
      .add_flag("--ablation", options.ablation, "The paper's choices, one after the other (5.5)")
      ->group(group);
  command
      .add_flag("--construction", options.construction,
                "Building the matrix from its edges, and nothing else")
      ->group(group);
  command.add_flag("--tiles", options.tiles, "Tiles from whole levels to 2^14 nodes (figure 6)")
      ->group(group);
  command
      .add_flag(
          "--algorithms", options.algorithms,
          "Searches and PageRank beside the same over CSR; sources as --search says, 128 without")
      ->group(group);
  add_parsed(
      command, "--search", options.sources,
      [](const std::string& option, const std::string& text) {
        return static_cast<index_t>(parse_between(option, text, 1, 4096));
      },
      "B", "Searches from B sources at once, both ways (5.8)")
      ->group(group);
  command
      .add_flag("!--no-hardware", options.hardware, "Do not measure what the GPU can do at best")
      ->group(group);
  add_parsed(
      command, "--runs", options.how.runs,
      [](const std::string& option, const std::string& text) {
        return static_cast<unsigned>(parse_between(option, text, 1, 10000));
      },
      "N", "Runs whose median and quartiles are reported (10)")
      ->group(group);
  add_parsed(command, "--run-ms", options.how.run_ms, parse_positive, "MS",
             "What a run takes, at least one product (20)")
      ->group(group);
  add_parsed(command, "--slowest-ms", options.how.slowest_ms, parse_positive, "MS",
             "Skip what takes longer for one product (2000)")
      ->group(group);
}

// The options that are no use to a suite, which has its own graphs and knows what is measured of them.
std::vector<std::string> of_no_use_to_a_suite(const CLI::App& command) {
  const std::vector<std::string> of_use = {"--help",   "--output",      "--engines",
                                           "--energy", "--no-hardware", "--runs",
                                           "--run-ms", "--slowest-ms"};
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (std::find(of_use.begin(), of_use.end(), name) == of_use.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

void add_bench(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure products beside cuSPARSE and a CSR without values");
  command->add_option("GRAPH", given->files, "Graphs, in any format that can be read")
      ->type_name("");
  command
      ->add_option("--relation", given->input.relation,
                   "Labelled graphs: the relation to use; the union of all where left out")
      ->type_name("NAME");
  command->add_flag("--trust", given->input.trust, ".k2m: do not check the whole file first");
  add_parsed(
      *command, "--copies", given->copies,
      [](const std::string& option, const std::string& text) {
        return parse_between(option, text, 1, max_dimension);
      },
      "K", "Measure K copies of each graph on the diagonal of one matrix, at multiples of 64");
  command
      ->add_option("-o,--output", given->output,
                   "Write the JSON here as well, anew whenever there is more")
      ->type_name("FILE");
  add_measuring(*command, given->options);
  add_reading(*command, given->input.read);
  add_suite(*command, given->suite, of_no_use_to_a_suite(*command));
  add_common(*command, given->common);
  command->footer(
      "Every engine is compared with a loop over the edges before it is timed; where one is "
      "wrong,\n"
      "the exit code is 1. Engines that need a GPU or a library that is not there are reported\n"
      "absent.\n"
      "\nExamples:\n"
      "  baltoro bench web.k2m\n"
      "  baltoro bench cnr-2000.graph --copies 100 --batch 16,128 --energy --json -o cnr.json\n"
      "  baltoro bench web.k2m --ablation --tiles --search 128\n"
      "  baltoro bench --suite paper --scale 8 --budget-s 400 -o paper.json");
  command->callback([given, &chosen] {
    if (given->files.empty() && given->suite.name.empty()) throw CLI::RequiredError("GRAPH");
    chosen = [given] { run(*given); };
  });
}

}  // namespace baltoro::cli
