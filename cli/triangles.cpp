// baltoro triangles and baltoro cores: what is counted on undirected graphs.
#include <baltoro/threads.hpp>
#include <baltoro/undirected.hpp>

#include <memory>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "commands.hpp"
#include "figures.hpp"
#include "vertex_values.hpp"

namespace baltoro::cli {
namespace {

struct arguments : algorithm_arguments {
  bool symmetrize = false;
  std::uint64_t top = 10;
  std::filesystem::path output;
};

// The graph with its edges both ways where that is asked for, else as it is, if it is symmetric.
matrix undirected_matrix(const arguments& given, const open_graph& opened,
                         progress_display& display) {
  if (!given.symmetrize) {
    if (!is_symmetric(opened.matrix)) {
      throw invalid_argument(fmt::format(
          "{}: the graph is directed (its matrix is not symmetric); --symmetrize takes every edge "
          "both ways",
          given.input.file.string()));
    }
    return opened.matrix;
  }
  build_options options;
  options.memory_bytes = given.input.read.build.memory_bytes;
  options.temporary_directory = given.input.read.build.temporary_directory;
  options.progress = display.callback();
  return symmetric_union(opened.matrix, options);
}

// Runs count(matrix, options) on the undirected graph, and has report(opened, result, seconds) say what it found.
template <class Needs, class Count, class Report>
void run(const arguments& given, const char* name, const Needs& needs, const Count& count,
         const Report& report) {
  require_cpu(name, given.where);
  require_values_output("--output", given.output);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open_square(given.input, display);
  const stopwatch watch;
  const matrix a = undirected_matrix(given, opened, display);
  require_memory_for(given.input, needs(a));
  const auto result =
      about(given.input.file, [&] { return count(a, undirected_options{display.callback()}); });
  const double seconds = watch.seconds();
  display.clear();
  report(opened, result, seconds);
}

void run_triangles(const arguments& given) {
  run(given, "triangles", triangles_needs, count_triangles,
      [&](const open_graph& opened, const triangles_result& result, double seconds) {
        const std::vector<std::int64_t> at_vertex(result.at_vertex.begin(), result.at_vertex.end());
        const vertex_column counts{"triangles", at_vertex};
        write_values(given.output, opened, counts);
        report_values(
            given.common, given.input, opened,
            {.figures = {{"symmetrized", given.symmetrize}, {"triangles", result.triangles}},
             .figures_text = grouped(result.triangles) + " triangles",
             .needs = result.needs,
             .listed = given.top,
             .top = highest(at_vertex, given.top),
             .columns = {counts, {"clustering", result.clustering}},
             .seconds = seconds,
             .output = given.output});
      });
}

void run_cores(const arguments& given) {
  run(given, "cores", cores_needs, core_numbers,
      [&](const open_graph& opened, const cores_result& result, double seconds) {
        const std::vector<std::int64_t> cores(result.core.begin(), result.core.end());
        const vertex_column numbers{"core", cores};
        write_values(given.output, opened, numbers);
        report_values(
            given.common, given.input, opened,
            {.figures = {{"symmetrized", given.symmetrize}, {"degeneracy", result.degeneracy}},
             .figures_text = "degeneracy " + grouped(result.degeneracy),
             .needs = result.needs,
             .listed = given.top,
             .top = highest(cores, given.top),
             .columns = {numbers},
             .seconds = seconds,
             .output = given.output});
      });
}

void add(CLI::App& command, arguments& given, const std::string& what, const std::string& shown) {
  add_input(command, given.input);
  command.add_flag("--symmetrize", given.symmetrize,
                   "Take every edge both ways; without, a directed graph is refused");
  add_values_output(command, "-o,--output", given.output, "Write all " + what + ", int64");
  add_top(command, given.top, shown);
  add_cpu_device(command, given.where);
  add_common(command, given.common);
}

constexpr const char* loops_note = "Loops are ignored.\n";

}  // namespace

void add_triangles(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("triangles", "Count the triangles of an undirected graph");
  add(*command, *given, "vertices' triangles", "numbers of triangles");
  command->footer(std::string(square_note) + loops_note +
                  "\nExamples:\n"
                  "  baltoro triangles friends.k2m\n"
                  "  baltoro triangles web.k2m --symmetrize -o triangles.npy");
  command->callback([given, &chosen] { chosen = [given] { run_triangles(*given); }; });
}

void add_cores(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("cores", "Find the core numbers of an undirected graph");
  add(*command, *given, "core numbers", "core numbers");
  command->footer(std::string(square_note) + loops_note +
                  "\nExamples:\n"
                  "  baltoro cores friends.k2m\n"
                  "  baltoro cores web.k2m --symmetrize -o cores.tsv");
  command->callback([given, &chosen] { chosen = [given] { run_cores(*given); }; });
}

}  // namespace baltoro::cli
