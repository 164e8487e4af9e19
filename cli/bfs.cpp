// baltoro bfs: how far every vertex is from one or several sources.
#include <baltoro/bfs.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "usage_error.hpp"
#include "vertex_values.hpp"
#include "vertices.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::vector<std::string> sources;
  std::vector<std::string> targets;
  bool reverse = false;
  bool undirected = false;
  std::filesystem::path distances;
  std::filesystem::path parents;
  device where = device::automatic;
  cuda_options cuda;
};

// One line a level; of many levels the first and the last.
std::string level_text(const std::vector<std::uint64_t>& reached) {
  constexpr std::size_t first = 12;
  constexpr std::size_t last = 4;
  table levels("rr");
  levels.row({"distance", "vertices"});
  for (std::size_t level = 0; level < reached.size(); ++level) {
    if (reached.size() > first + last + 1 && level == first) {
      levels.row({"...", "..."});
      level = reached.size() - last;
    }
    levels.row({std::to_string(level), grouped(reached[level])});
  }
  return levels.text();
}

const char* followed(const arguments& given) {
  if (given.undirected) return "along and against";
  return given.reverse ? "against" : "along";
}

// A line for each target, the vertices of a shortest path to it.
std::string path_text(const open_graph& opened, const std::vector<index_t>& targets,
                      const bfs_result& result) {
  std::string text;
  for (const index_t target : targets) {
    const std::vector<index_t> path = path_to(result, target);
    if (path.empty()) {
      text += label_of(opened, target) + " is not reached\n";
      continue;
    }
    text += label_of(opened, target) + fmt::format(", {} edges:", path.size() - 1);
    for (const index_t v : path) text += " " + label_of(opened, v);
    text += "\n";
  }
  return text;
}

json path_json(const std::vector<index_t>& targets, const bfs_result& result) {
  json paths = json::array();
  for (const index_t target : targets) {
    paths.push_back({{"target", target},
                     {"distance", result.distances[target]},
                     {"vertices", path_to(result, target)}});
  }
  return paths;
}

void report(const arguments& given, const open_graph& opened, const std::vector<index_t>& sources,
            const std::vector<index_t>& targets, const working_set& needs, const bfs_result& result,
            double seconds) {
  const std::vector<std::uint64_t>& levels = result.reached_per_level;
  const std::uint64_t reached = std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
  const bool on_gpu = given.where == device::cuda;
  if (given.common.json) {
    json document = head_json(given.input, opened);
    document.update({{"sources", sources},
                     {"reverse", given.reverse},
                     {"undirected", given.undirected},
                     {"device", name_of(on_gpu ? device::cuda : device::cpu)},
                     {"reached", reached},
                     {"levels", levels.size()},
                     {"reached_per_level", levels},
                     {"seconds", seconds_json(opened, seconds)}});
    if (!on_gpu) {
      document["push_steps"] = result.push_steps;
      document["pull_steps"] = result.pull_steps;
      document["working_set"] = to_json(needs);
    }
    if (!targets.empty()) document["paths"] = path_json(targets, result);
    if (!given.distances.empty()) document["output"] = given.distances.string();
    if (!given.parents.empty()) document["parents"] = given.parents.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    text = fmt::format("{}: {} of {} vertices reached {} the edges in {} levels, {:.3g} s\n",
                       printable(given.input.file.string()), grouped(reached),
                       grouped(opened.matrix.rows()), followed(given), grouped(levels.size()),
                       seconds);
  }
  print(text + (targets.empty() ? level_text(levels) : path_text(opened, targets, result)));
}

void run(const arguments& given) {
  require_values_output("--output", given.distances);
  require_values_output("--parents", given.parents);
  if (!given.parents.empty() && given.parents == given.distances) {
    throw usage_error("--output and --parents name the same file");
  }
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  const std::vector<index_t> sources =
      find_vertices("--source", given.sources, given.input, opened);
  const std::vector<index_t> targets = find_vertices("--to", given.targets, given.input, opened);
  const bfs_options options = {.reverse = given.reverse,
                               .parents = !given.parents.empty() || !targets.empty(),
                               .where = given.where,
                               .cuda = given.cuda,
                               .undirected = given.undirected,
                               .progress = display.callback()};
  const working_set needs = bfs_needs(opened.matrix, options);
  require_memory_for(given.input, needs);
  const stopwatch watch;
  const bfs_result result =
      about(given.input.file, [&] { return bfs(opened.matrix, sources, options); });
  const double seconds = watch.seconds();
  display.clear();
  write_values(given.distances, opened, {"distance", result.distances});
  write_values(given.parents, opened, {"parent", result.parents});
  report(given, opened, sources, targets, needs, result, seconds);
}

}  // namespace

void add_bfs(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("bfs", "Search a graph breadth first");
  add_input(*command, given->input);
  add_vertices(*command, "--source", given->sources,
               "Where the search starts: numbers or, where the graph has them, names")
      ->required();
  add_vertices(*command, "--to", given->targets, "Show a shortest path to each of these");
  command->add_flag("--reverse", given->reverse, "Follow edges from their head to their tail");
  command->add_flag("--undirected", given->undirected,
                    "Follow edges both ways; on a GPU with the layout adaptive");
  add_values_output(*command, "-o,--output", given->distances,
                    "Write all distances, int32, -1 where unreached");
  add_values_output(*command, "--parents", given->parents,
                    "Write all parents, int64, -1 where unreached");
  add_device(*command, given->where, given->cuda);
  add_common(*command, given->common);
  command->footer(std::string(square_note) +
                  "--device auto is the CPU here, which need not copy the graph first.\n"
                  "\nExamples:\n"
                  "  baltoro bfs web.k2m --source 0\n"
                  "  baltoro bfs web.k2m --source 0,17 --reverse -o distances.npy\n"
                  "  baltoro bfs packages.k2m --source gnome --relation Depends --to libc6");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
