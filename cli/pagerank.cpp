// baltoro pagerank: the ranks of all vertices, and which are the highest.
#include <baltoro/npy.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/threads.hpp>

#include <memory>
#include <variant>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "parse.hpp"
#include "usage_error.hpp"
#include "vertex_values.hpp"
#include "vertices.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::filesystem::path output;
  std::filesystem::path personalization;
  std::vector<std::string> seeds;
  std::uint64_t top = 10;
  pagerank_options options;
};

std::vector<double> read_weights(const std::filesystem::path& file, const matrix& a) {
  const npy_numbers numbers = read_npy(file);
  return std::visit(
      [&](const auto& array) {
        if (array.rows != a.rows() || array.batch != 1) {
          throw invalid_argument(fmt::format("{}: {} x {} weights, but the graph has {} vertices",
                                             file.string(), array.rows, array.batch, a.rows()));
        }
        return std::vector<double>(array.values.begin(), array.values.end());
      },
      numbers);
}

// What is reported alike for one ranking and for one a seed.
template <class Result>
json figures_json(const arguments& given, const open_graph& opened, const Result& result,
                  device where, double seconds) {
  json document = head_json(given.input, opened);
  document.update({{"damping", given.options.damping},
                   {"tolerance", given.options.tolerance},
                   {"iterations", result.iterations},
                   {"change", result.change},
                   {"converged", result.converged},
                   {"device", name_of(where)},
                   {"working_set", to_json(result.needs)},
                   {"seconds", seconds_json(opened, seconds)}});
  if (!given.output.empty()) document["output"] = given.output.string();
  return document;
}

template <class Result>
std::string figures_text(const arguments& given, const open_graph& opened, const Result& result,
                         double seconds) {
  const std::string change =
      result.iterations == 0 ? std::string() : fmt::format(", change {:.2e}", result.change);
  return fmt::format("{}; {} iterations in {:.3g} s{}\n{}\n", head_text(given.input, opened),
                     result.iterations, seconds, change, to_text(result.needs));
}

template <class Result>
void note(const arguments& given, const Result& result) {
  if (result.converged) return;
  note_not_converged(given.common, result.iterations, result.change, given.options.tolerance,
                     "ranks");
}

void rank(const arguments& given, const open_graph& opened, const pagerank_options& options,
          progress_display& display) {
  require_memory_for(given.input, pagerank_needs(opened.matrix));
  const stopwatch watch;
  const pagerank_result result =
      about(given.input.file, [&] { return pagerank(opened.matrix, options); });
  const double seconds = watch.seconds();
  display.clear();
  const vertex_column ranks{"rank", result.ranks};
  write_values(given.output, opened, ranks);
  const std::vector<index_t> top = highest(result.ranks, given.top);
  if (given.common.json) {
    json document = figures_json(given, opened, result, result.where, seconds);
    document["top"] = list_json(opened, top, {ranks});
    print_json(document);
  } else {
    std::string text;
    if (!given.common.quiet) text = figures_text(given, opened, result, seconds);
    if (given.top > 0) text += list_text(opened, top, {ranks});
    print(text);
  }
  note(given, result);
}

void rank_by_seeds(const arguments& given, const open_graph& opened,
                   const pagerank_options& options, progress_display& display) {
  const std::vector<index_t> seeds = find_vertices("--seeds", given.seeds, given.input, opened);
  require_memory_for(given.input, personalized_pagerank_needs(opened.matrix, seeds.size()));
  const stopwatch watch;
  const personalized_pagerank_result result =
      about(given.input.file, [&] { return personalized_pagerank(opened.matrix, seeds, options); });
  const double seconds = watch.seconds();
  display.clear();
  std::vector<std::string> titles;
  for (const index_t seed : seeds) titles.push_back("rank from " + label_of(opened, seed));
  write_table(given.output, opened, titles, std::span<const double>(result.ranks));
  json of_seeds = json::array();
  std::string text;
  if (!given.common.quiet) text = figures_text(given, opened, result, seconds);
  std::vector<double> own(opened.matrix.rows());
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    for (std::size_t v = 0; v < own.size(); ++v) own[v] = result.ranks[v * seeds.size() + k];
    const std::vector<index_t> top = highest(own, given.top);
    if (given.common.json) {
      of_seeds.push_back({{"seed", seeds[k]}, {"top", list_json(opened, top, {{"rank", own}})}});
    } else if (given.top > 0) {
      text += fmt::format("from {}\n{}", label_of(opened, seeds[k]),
                          list_text(opened, top, {{"rank", own}}));
    }
  }
  if (given.common.json) {
    json document = figures_json(given, opened, result, result.where, seconds);
    document["seeds"] = std::move(of_seeds);
    print_json(document);
  } else {
    print(text);
  }
  note(given, result);
}

void run(const arguments& given) {
  require_values_output("--output", given.output);
  if (!given.seeds.empty() && !given.personalization.empty()) {
    throw usage_error("--seeds and --personalization are two ways to say where jumps land");
  }
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  pagerank_options options = given.options;
  std::vector<double> weights;
  if (!given.personalization.empty()) {
    weights = read_weights(given.personalization, opened.matrix);
    options.personalization = weights;
  }
  options.on_iteration = [&](std::uint32_t iteration, double change) {
    display.status(fmt::format("iteration {}, change {:.2e}", iteration, change));
  };
  if (given.seeds.empty()) {
    rank(given, opened, options, display);
  } else {
    rank_by_seeds(given, opened, options, display);
  }
}

}  // namespace

void add_pagerank(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  given->options.where = device::automatic;
  pagerank_options& options = given->options;
  CLI::App* command = app.add_subcommand("pagerank", "Rank the vertices of a graph");
  add_input(*command, given->input);
  add_values_output(*command, "-o,--output", given->output, "Write all ranks, float64");
  add_top(*command, given->top, "ranks");
  add_iteration(*command, options.tolerance, options.max_iterations, "iterations");
  add_parsed(
      *command, "--damping", options.damping,
      [](const std::string& option, const std::string& text) {
        const double value = parse_real(option, text);
        if (!(value >= 0 && value < 1)) {
          throw CLI::ValidationError(option, "'" + text + "' is not at least 0 and below 1");
        }
        return value;
      },
      "D", "Probability of following an edge (0.85)");
  command
      ->add_option("--personalization", given->personalization,
                   "Where jumps land: one weight a vertex, .npy; all alike where left out")
      ->type_name("P.npy");
  add_vertices(*command, "--seeds", given->seeds,
               "Rank once for each of these, where all jumps land on it");
  add_choice<dangling>(
      *command, "--dangling", options.dangling_to,
      {{"uniform", dangling::uniform}, {"personalization", dangling::personalization}},
      "Where the rank of vertices without successors goes (uniform)");
  add_device(*command, options.where, options.cuda);
  command->add_flag("--single-precision", options.single_precision,
                    "On a GPU: hold ranks as floats, in half the memory");
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "\nExamples:\n"
                  "  baltoro pagerank web.k2m --top 20\n"
                  "  baltoro pagerank cnr-2000.graph -o ranks.npy --tol 1e-12\n"
                  "  baltoro pagerank web.k2m --seeds 0,17 -o ranks.tsv\n"
                  "  baltoro pagerank facts.k2m --relation P106 --json");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
