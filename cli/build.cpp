// baltoro build: from graph files to one compressed .k2m file.
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "figures.hpp"
#include "input_graph.hpp"
#include "output_file.hpp"
#include "parse.hpp"

namespace baltoro::cli {
namespace {

const std::vector<output_format> allowed = {output_format::k2m};

struct arguments {
  common_options common;
  std::vector<std::filesystem::path> inputs;
  graph_output output;
  reading_options read;
  bool no_union = false;
  const CLI::Option* layout_option = nullptr;
};

// A .k2m file is read as it is; a layout that was asked for is made of it.
void convert_all(const arguments& given, graph& built, const build_options& options) {
  if (given.layout_option->count() == 0) return;
  for (relation& each : built.relations) {
    each.adjacency = convert(each.adjacency, options.kind, options);
  }
}

json build_json(const arguments& given, const graph& built, double read_seconds,
                double write_seconds) {
  json document = {{"output", given.output.file.string()}};
  document.update(figures(built.relations.front().adjacency));
  if (const auto bytes = file_bytes(given.output.file)) document["file_bytes"] = *bytes;
  if (built.relations.size() > 1) {
    json names = json::array();
    for (const relation& each : built.relations) names.push_back(each.name);
    document["relations"] = std::move(names);
  }
  document["seconds"] = {{"build", read_seconds}, {"write", write_seconds}};
  return document;
}

void run(const arguments& given) {
  resolve(given.output, allowed);
  require_writable(given.output.file);
  const thread_limit limit(given.common.threads);
  std::vector<file_format> formats;
  for (const auto& input : given.inputs) formats.push_back(format_of(input, given.read));
  refuse_unsuitable(given.read, formats);
  progress_display display(given.common.quiet);
  read_options read = given.read;
  read.with_union = !given.no_union;
  read.build.progress = display.callback();

  const stopwatch reading;
  graph built = given.inputs.size() == 1
                    ? about(given.inputs.front(), [&] { return read_graph(given.inputs, read); })
                    : read_graph(given.inputs, read);
  convert_all(given, built, read.build);
  const double read_seconds = reading.seconds();
  display.clear();
  const stopwatch writing;
  save_k2m(built, given.output.file);
  const double write_seconds = writing.seconds();

  if (given.common.json) {
    print_json(build_json(given, built, read_seconds, write_seconds));
  } else if (!given.common.quiet) {
    const std::string relations = built.relations.size() > 1
                                      ? fmt::format(", {} relations", built.relations.size())
                                      : std::string();
    print(fmt::format("{}: {}{}, built in {:.2f} s\n", printable(given.output.file.string()),
                      summary(built.relations.front().adjacency), relations, read_seconds));
  }
}

}  // namespace

void add_build(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("build", "Compress graph files into one .k2m file");
  command
      ->add_option("IN", given->inputs,
                   "Graphs to read; several are united. Matrix Market, edge lists, WebGraph,\n"
                   "triples, .k2m; text also packed with gzip or zstd")
      ->required()
      ->type_name("");
  add_graph_output(*command, given->output, allowed);
  given->layout_option = add_layout(*command, given->read.build.kind);
  add_reading(*command, given->read);
  add_choice<device>(
      *command, "--device", given->read.build.where,
      {{"auto", device::automatic}, {"cpu", device::cpu}, {"cuda", device::cuda}},
      "Where the matrix is made of the edges that were read (cpu); the file is the same");
  add_parsed(*command, "--device-memory", given->read.build.device_memory_bytes, parse_size, "SIZE",
             "Most memory of a GPU for that, for instance 4GiB; what is free where left out");
  const CLI::Option* no_union =
      command
          ->add_flag("--no-union", given->no_union, "Triples: leave out the union of all relations")
          ->group("Reading");
  given->read.limited.push_back({no_union, {file_format::triples}});
  add_common(*command, given->common);
  command->footer(
      "Every entry of a Matrix Market file is an edge, also one that is stored with the value 0;\n"
      "values are dropped. SciPy matrices become such files by scipy.io.mmwrite.\n"
      "\nExamples:\n"
      "  baltoro build web.mtx -o web.k2m\n"
      "  baltoro build links.tsv.gz --index-base 1 --memory 4GiB -o links.k2m\n"
      "  baltoro build cnr-2000.graph -o cnr-2000.k2m\n"
      "  baltoro build january.nt february.nt -o facts.k2m");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
