// baltoro centrality: how central vertices are, by one of several measures; baltoro diameter.
#include <baltoro/centrality.hpp>
#include <baltoro/spectral.hpp>
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "parse.hpp"
#include "usage_error.hpp"
#include "vertex_values.hpp"

namespace baltoro::cli {
namespace {

enum class measure { closeness, harmonic, betweenness, katz, eigenvector };

constexpr const char* name_of(measure kind) {
  switch (kind) {
    case measure::closeness:
      return "closeness";
    case measure::harmonic:
      return "harmonic";
    case measure::betweenness:
      return "betweenness";
    case measure::katz:
      return "katz";
    case measure::eigenvector:
      return "eigenvector";
  }
  return "unknown";
}

struct arguments {
  common_options common;
  input_options input;
  measure kind = measure::closeness;
  sample_options samples;
  bool reverse = false;
  bool undirected = false;
  std::uint64_t top = 10;
  std::filesystem::path output;
  katz_options iteration;  // `where` and `cuda` for betweenness too
};

// What a measure found, whichever it is.
struct outcome {
  std::vector<double> scores;
  working_set needs;
  device where = device::cpu;
  json figures = json::object();  // what the measure has of its own
  std::string figures_text;
  bool converged = true;
  std::uint32_t iterations = 0;
  double change = 0;
};

outcome by_distances(const arguments& given, const open_graph& opened, progress_display& display) {
  require_cpu(fmt::format("centrality --measure {}", name_of(given.kind)), given.iteration.where);
  const std::vector<index_t> sources =
      sample_vertices(opened.matrix.rows(), given.samples.count, given.samples.seed);
  require_memory_for(given.input, distance_centrality_needs(opened.matrix));
  distance_centrality_result found = distance_centrality(
      opened.matrix, sources, {given.reverse, given.undirected, display.callback()});
  outcome result;
  result.scores =
      given.kind == measure::closeness ? std::move(found.closeness) : std::move(found.harmonic);
  result.needs = found.needs;
  result.figures = {{"sources", sources.size()}};
  result.figures_text = fmt::format("{} sources", grouped(sources.size()));
  return result;
}

outcome by_betweenness(const arguments& given, const open_graph& opened,
                       progress_display& display) {
  const std::vector<index_t> sources =
      sample_vertices(opened.matrix.rows(), given.samples.count, given.samples.seed);
  betweenness_options options;
  options.where = given.iteration.where;
  options.cuda = given.iteration.cuda;
  options.progress = display.callback();
  require_memory_for(given.input, betweenness_needs(opened.matrix, options));
  betweenness_result found = betweenness(opened.matrix, sources, options);
  outcome result;
  result.scores = std::move(found.scores);
  result.needs = found.needs;
  result.where = found.where;
  result.figures = {{"sources", sources.size()}};
  result.figures_text = fmt::format("{} sources", grouped(sources.size()));
  return result;
}

outcome by_iteration(const arguments& given, const open_graph& opened, progress_display& display) {
  katz_options options = given.iteration;
  options.progress = display.callback();
  require_memory_for(given.input, centrality_needs(opened.matrix, options));
  centrality_result found = given.kind == measure::katz
                                ? katz_centrality(opened.matrix, options)
                                : eigenvector_centrality(opened.matrix, options);
  outcome result;
  result.scores = std::move(found.scores);
  result.needs = found.needs;
  result.where = found.where;
  result.figures = {{"tolerance", options.tolerance},
                    {"iterations", found.iterations},
                    {"change", found.change},
                    {"converged", found.converged}};
  result.figures_text = fmt::format("{} iterations, change {:.2e}", found.iterations, found.change);
  result.converged = found.converged;
  result.iterations = found.iterations;
  result.change = found.change;
  return result;
}

// Options that the chosen measure does not know are refused, not ignored.
void refuse_unsuitable(const CLI::App& command, measure kind) {
  const bool paths = kind == measure::closeness || kind == measure::harmonic;
  const bool sampled = paths || kind == measure::betweenness;
  const auto only = [&](const char* option, bool suits) {
    if (!suits && command.get_option(option)->count() > 0) {
      throw usage_error(fmt::format("{} does not apply to --measure {}", option, name_of(kind)));
    }
  };
  only("--samples", sampled);
  only("--seed", sampled);
  only("--reverse", paths);
  only("--undirected", paths);
  only("--tol", !sampled);
  only("--max-iterations", !sampled);
  only("--attenuation", kind == measure::katz);
}

void run(const arguments& given, const CLI::App& command) {
  refuse_unsuitable(command, given.kind);
  require_values_output("--output", given.output);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  const stopwatch watch;
  const outcome result = about(given.input.file, [&] {
    switch (given.kind) {
      case measure::closeness:
      case measure::harmonic:
        return by_distances(given, opened, display);
      case measure::betweenness:
        return by_betweenness(given, opened, display);
      case measure::katz:
      case measure::eigenvector:
        break;
    }
    return by_iteration(given, opened, display);
  });
  const double seconds = watch.seconds();
  display.clear();
  const vertex_column scores{name_of(given.kind), result.scores};
  write_values(given.output, opened, scores);
  json figures = {{"measure", name_of(given.kind)}};
  figures.update(result.figures);
  figures["device"] = baltoro::name_of(result.where);
  report_values(given.common, given.input, opened,
                {.figures = std::move(figures),
                 .figures_text = result.figures_text,
                 .needs = result.needs,
                 .listed = given.top,
                 .top = highest(result.scores, given.top),
                 .columns = {scores},
                 .seconds = seconds,
                 .output = given.output});
  if (!result.converged) {
    note_not_converged(given.common, result.iterations, result.change, given.iteration.tolerance,
                       "scores");
  }
}

struct diameter_arguments : algorithm_arguments {
  diameter_options options;
};

void run_diameter(const diameter_arguments& given) {
  require_cpu("diameter", given.where);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  require_memory_for(given.input, diameter_needs(opened.matrix));
  diameter_options options = given.options;
  options.progress = display.callback();
  const stopwatch watch;
  const diameter_result result =
      about(given.input.file, [&] { return diameter_bounds(opened.matrix, options); });
  const double seconds = watch.seconds();
  display.clear();
  if (given.common.json) {
    json document = head_json(given.input, opened);
    document.update({{"component_vertices", result.vertices},
                     {"lower", result.lower},
                     {"upper", result.upper},
                     {"searches", result.searches},
                     {"working_set", to_json(result.needs)},
                     {"seconds", seconds_json(opened, seconds)}});
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    text = fmt::format("{}; {} searches in {:.3g} s\n{}\n", head_text(given.input, opened),
                       result.searches, seconds, to_text(result.needs));
  }
  const std::string diameter =
      result.lower == result.upper
          ? grouped(result.lower)
          : fmt::format("{} to {}", grouped(result.lower), grouped(result.upper));
  print(text +
        fmt::format("diameter of the largest component ({} vertices, edges either way): {}\n",
                    grouped(result.vertices), diameter));
}

}  // namespace

void add_centrality(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  given->iteration.where = device::automatic;
  CLI::App* command = app.add_subcommand("centrality", "Say how central vertices are");
  add_input(*command, given->input);
  add_choice<measure>(*command, "--measure", given->kind,
                      {{"closeness", measure::closeness},
                       {"harmonic", measure::harmonic},
                       {"betweenness", measure::betweenness},
                       {"katz", measure::katz},
                       {"eigenvector", measure::eigenvector}},
                      "What is measured (closeness)");
  add_values_output(*command, "-o,--output", given->output, "Write all scores, float64");
  add_top(*command, given->top, "scores");
  add_samples(*command, given->samples);
  command->add_flag("--reverse", given->reverse,
                    "closeness, harmonic: paths from a vertex, not to it");
  command->add_flag("--undirected", given->undirected,
                    "closeness, harmonic: paths that follow edges either way");
  add_iteration(*command, given->iteration.tolerance, given->iteration.max_iterations,
                "iterations");
  add_parsed(*command, "--attenuation", given->iteration.attenuation, parse_real, "A",
             "katz: what a step along an edge keeps (0.1)");
  add_device(*command, given->iteration.where, given->iteration.cuda);
  add_common(*command, given->common);
  command->footer(
      std::string(square_note) +
      "closeness, harmonic and betweenness search from a sample of the vertices and are exact\n"
      "with --samples of all; katz and eigenvector iterate. Directed as networkx has them: over\n"
      "paths to a vertex and edges into it.\n"
      "\nExamples:\n"
      "  baltoro centrality web.k2m --measure harmonic --top 20\n"
      "  baltoro centrality web.k2m --measure betweenness --samples 64 -o b.npy\n"
      "  baltoro centrality web.k2m --measure katz --attenuation 0.001");
  command->callback(
      [given, command, &chosen] { chosen = [given, command] { run(*given, *command); }; });
}

void add_diameter(CLI::App& app, action& chosen) {
  auto given = std::make_shared<diameter_arguments>();
  CLI::App* command = app.add_subcommand("diameter", "Bound the diameter of the largest component");
  add_input(*command, given->input);
  add_parsed(
      *command, "--searches", given->options.max_searches,
      [](const std::string& option, const std::string& text) -> std::uint32_t {
        const index_t value = parse_index(option, text);
        if (value == 0) throw CLI::ValidationError(option, "'" + text + "' is not above 0");
        return value;
      },
      "N", "Stop after N searches (64)");
  add_cpu_device(*command, given->where);
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "Edges are followed either way, in the component with the most vertices.\n"
                  "\nExample:\n"
                  "  baltoro diameter web.k2m");
  command->callback([given, &chosen] { chosen = [given] { run_diameter(*given); }; });
}

}  // namespace baltoro::cli
