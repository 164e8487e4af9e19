// baltoro reach: what each of many sources reaches, and in how many steps.
#include <baltoro/bfs.hpp>
#include <baltoro/threads.hpp>

#include <memory>

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

struct arguments : algorithm_arguments {
  std::vector<std::string> sources;
  reach_options options;
  std::filesystem::path distances;
};

// Levels that a source has, of those of all.
std::uint64_t levels_of(const reach_result& result, std::uint64_t source) {
  std::uint64_t levels = result.levels;
  while (levels > 0 && result.reached_per_level[(levels - 1) * result.sources + source] == 0) {
    --levels;
  }
  return levels;
}

void report(const arguments& given, const open_graph& opened, const std::vector<index_t>& sources,
            const reach_result& result, double seconds) {
  if (given.common.json) {
    json document = head_json(given.input, opened);
    json list = json::array();
    for (std::uint64_t k = 0; k < sources.size(); ++k) {
      json entry = {{"vertex", sources[k]}};
      if (sources[k] < opened.graph.vertices.size()) {
        entry["name"] = opened.graph.vertices[sources[k]];
      }
      std::vector<std::uint64_t> levels;
      for (std::uint64_t d = 0; d < levels_of(result, k); ++d) {
        levels.push_back(result.reached_per_level[d * sources.size() + k]);
      }
      entry["reached"] = result.reached[k];
      entry["reached_per_level"] = std::move(levels);
      list.push_back(std::move(entry));
    }
    document.update({{"reverse", given.options.reverse},
                     {"undirected", given.options.undirected},
                     {"device", name_of(result.where)},
                     {"levels", result.levels},
                     {"sources", std::move(list)},
                     {"working_set", to_json(result.needs)},
                     {"seconds", seconds_json(opened, seconds)}});
    if (!given.distances.empty()) document["output"] = given.distances.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    text = fmt::format("{}; {} sources in {:.3g} s\n{}\n", head_text(given.input, opened),
                       grouped(sources.size()), seconds, to_text(result.needs));
  }
  const bool named = !opened.graph.vertices.empty();
  table rows(named ? "rrrl" : "rrr");
  rows.row(named ? std::vector<std::string>{"reached", "levels", "source", "name"}
                 : std::vector<std::string>{"reached", "levels", "source"});
  for (std::uint64_t k = 0; k < sources.size(); ++k) {
    std::vector<std::string> cells = {grouped(result.reached[k]), grouped(levels_of(result, k)),
                                      std::to_string(sources[k])};
    if (named) cells.push_back(label_of(opened, sources[k]));
    rows.row(std::move(cells));
  }
  print(text + rows.text());
}

void write_distances(const arguments& given, const open_graph& opened,
                     const std::vector<index_t>& sources, progress_display& display) {
  if (given.distances.empty()) return;
  multi_source_options options;
  options.reverse = given.options.reverse;
  options.undirected = given.options.undirected;
  options.max_levels = given.options.max_levels;
  options.where = given.where;
  options.cuda = given.cuda;
  options.progress = display.callback();
  const multi_source_result found = multi_source_bfs(opened.matrix, sources, options);
  std::vector<std::string> titles;
  for (const index_t source : sources)
    titles.push_back("distance from " + label_of(opened, source));
  write_table(given.distances, opened, titles, std::span<const std::int32_t>(found.distances));
}

void run(const arguments& given) {
  require_values_output("--output", given.distances);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  const std::vector<index_t> sources =
      find_vertices("--source", given.sources, given.input, opened);
  working_set needs = reach_needs(opened.matrix, sources.size());
  if (!given.distances.empty()) {
    const working_set of_distances = multi_source_needs(opened.matrix, sources.size());
    if (of_distances.total() > needs.total()) needs = of_distances;
  }
  require_memory_for(given.input, needs);
  reach_options options = given.options;
  options.where = given.where;
  options.cuda = given.cuda;
  options.progress = display.callback();
  write_distances(given, opened, sources, display);
  const stopwatch watch;
  const reach_result result =
      about(given.input.file, [&] { return reach(opened.matrix, sources, options); });
  const double seconds = watch.seconds();
  display.clear();
  report(given, opened, sources, result, seconds);
}

}  // namespace

void add_reach(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command =
      app.add_subcommand("reach", "Count what each of many sources reaches, in one search");
  add_input(*command, given->input);
  add_vertices(*command, "--source", given->sources,
               "The sources, each on its own: numbers or, where the graph has them, names")
      ->required();
  command->add_flag("--reverse", given->options.reverse,
                    "Follow edges from their head to their tail");
  command->add_flag("--undirected", given->options.undirected, "Follow edges both ways");
  add_parsed(*command, "--max-levels", given->options.max_levels, parse_index, "N",
             "Go at most N edges far");
  add_values_output(*command, "-o,--output", given->distances,
                    "Write the distances from all sources, n x B, int32, -1 where unreached");
  add_device(*command, given->where, given->cuda);
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "\nExamples:\n"
                  "  baltoro reach web.k2m --source 0,17,40\n"
                  "  baltoro reach packages.k2m --source git,perl --reverse --json\n"
                  "  baltoro reach web.k2m --source 0,17 --max-levels 3 -o distances.npy");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
