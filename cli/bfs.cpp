// baltoro bfs: how far every vertex is from one or several sources.
#include <baltoro/bfs.hpp>
#include <baltoro/npy.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "commands.hpp"
#include "input_graph.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "parse.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::vector<std::string> sources;
  bool reverse = false;
  std::filesystem::path distances;
  std::filesystem::path parents;
  device where = device::automatic;
  cuda_options cuda;
};

// The vertex that a text means: a name where the graph has names, else a number.
std::optional<index_t> vertex_of(const graph& g, index_t vertices, const std::string& text) {
  if (const auto named = g.vertices.find(text)) return named;
  std::uint64_t number = 0;
  if (text.empty() || text.size() > 10) return std::nullopt;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + static_cast<std::uint64_t>(digit - '0');
  }
  if (number >= vertices) return std::nullopt;
  return static_cast<index_t>(number);
}

// Names may hold commas, so a whole text is tried before its parts.
std::vector<index_t> find_sources(const arguments& given, const open_graph& opened) {
  const index_t vertices = opened.matrix.rows();
  std::vector<index_t> found;
  for (const std::string& text : given.sources) {
    if (const auto whole = vertex_of(opened.graph, vertices, text)) {
      found.push_back(*whole);
      continue;
    }
    for (const std::string& part : split_list(text)) {
      const auto vertex = vertex_of(opened.graph, vertices, part);
      if (!vertex) {
        throw invalid_argument(fmt::format(
            "{}: --source: there is no vertex '{}'; vertices are {}", given.input.file.string(),
            part,
            vertices == 0 ? std::string("none")
                          : fmt::format("0 to {}{}", vertices - 1,
                                        opened.graph.vertices.empty() ? "" : ", or their names")));
      }
      found.push_back(*vertex);
    }
  }
  return found;
}

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

void report(const arguments& given, const open_graph& opened, const std::vector<index_t>& sources,
            const bfs_result& result, double seconds) {
  const std::vector<std::uint64_t>& levels = result.reached_per_level;
  const std::uint64_t reached = std::accumulate(levels.begin(), levels.end(), std::uint64_t{0});
  if (given.common.json) {
    json document = {{"file", given.input.file.string()},
                     {"relation", opened.relation},
                     {"sources", sources},
                     {"reverse", given.reverse},
                     {"device", name_of(given.where == device::cuda ? device::cuda : device::cpu)},
                     {"vertices", opened.matrix.rows()},
                     {"reached", reached},
                     {"levels", levels.size()},
                     {"reached_per_level", levels},
                     {"seconds", {{"read", opened.seconds}, {"run", seconds}}}};
    if (!given.distances.empty()) document["output"] = given.distances.string();
    if (!given.parents.empty()) document["parents"] = given.parents.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    text = fmt::format("{}: {} of {} vertices reached {} the edges in {} levels, {:.3g} s\n",
                       printable(given.input.file.string()), grouped(reached),
                       grouped(opened.matrix.rows()), given.reverse ? "against" : "along",
                       grouped(levels.size()), seconds);
  }
  print(text + level_text(levels));
}

void run(const arguments& given) {
  if (!given.distances.empty()) require_vector_output("--output", given.distances);
  if (!given.parents.empty()) require_vector_output("--parents", given.parents);
  if (!given.parents.empty() && given.parents == given.distances) {
    throw usage_error("--output and --parents name the same file");
  }
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  open_graph opened = open(given.input, display);
  opened.matrix = as_square(opened.matrix);
  const std::vector<index_t> sources = find_sources(given, opened);
  // Distances, parents and what the search itself keeps.
  const double vertex_bytes = given.parents.empty() ? 12 : 20;
  require_memory(given.input.file.string(), vertex_bytes * opened.matrix.rows(),
                 "the vectors of so many vertices do not fit");
  const bfs_options options = {.reverse = given.reverse,
                               .parents = !given.parents.empty(),
                               .where = given.where,
                               .cuda = given.cuda};
  const stopwatch watch;
  const bfs_result result =
      about(given.input.file, [&] { return bfs(opened.matrix, sources, options); });
  const double seconds = watch.seconds();
  if (!given.distances.empty()) {
    write_npy(given.distances, std::span<const std::int32_t>(result.distances));
  }
  if (!given.parents.empty()) {
    write_npy(given.parents, std::span<const std::int64_t>(result.parents));
  }
  report(given, opened, sources, result, seconds);
}

}  // namespace

void add_bfs(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("bfs", "Search a graph breadth first");
  add_input(*command, given->input);
  command
      ->add_option("--source", given->sources,
                   "Where the search starts: numbers or, where the graph has them, names")
      ->required()
      ->type_name("V[,V...]")
      ->allow_extra_args(false);
  command->add_flag("--reverse", given->reverse, "Follow edges from their head to their tail");
  command
      ->add_option("-o,--output", given->distances,
                   "Write all distances, int32, -1 where unreached, .npy")
      ->type_name("D.npy");
  command
      ->add_option("--parents", given->parents,
                   "Write all parents, int64, -1 where unreached, .npy")
      ->type_name("P.npy");
  add_device(*command, given->where, given->cuda);
  add_common(*command, given->common);
  command->footer(
      "Where the matrix is not square, empty rows or columns are added: vertices are both.\n"
      "--device auto is the CPU here: its steps follow the frontier, a GPU visits all edges in "
      "each.\n"
      "\nExamples:\n"
      "  baltoro bfs web.k2m --source 0\n"
      "  baltoro bfs web.k2m --source 0,17 --reverse -o distances.npy\n"
      "  baltoro bfs packages.k2m --source gnome --relation Depends");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
