// baltoro export: back to text files that other tools read.
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "input_graph.hpp"
#include "output_file.hpp"
#include "text.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

const std::vector<output_format> allowed = {output_format::matrix_market, output_format::edge_list};

struct arguments {
  common_options common;
  input_options input;
  graph_output output;
};

void run(const arguments& given) {
  const output_format format = resolve(given.output, allowed);
  if (given.common.json && given.output.is_standard_output()) {
    throw usage_error("--json: standard output holds the graph already");
  }
  require_writable(given.output.file);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open(given.input, display);
  const stopwatch watch;
  write_matrix(opened.matrix, given.output.file, format, display.callback());
  const double seconds = watch.seconds();
  display.clear();

  const matrix& a = opened.matrix;
  if (given.common.json) {
    json document = {{"file", given.input.file.string()},
                     {"relation", opened.relation},
                     {"output", given.output.file.string()},
                     {"rows", a.rows()},
                     {"cols", a.cols()},
                     {"nnz", a.nnz()},
                     {"seconds", {{"read", opened.seconds}, {"write", seconds}}}};
    if (const auto bytes = file_bytes(given.output.file)) document["file_bytes"] = *bytes;
    print_json(document);
  } else if (!given.common.quiet && !given.output.is_standard_output()) {
    print(fmt::format("{}: {} x {}, {} non-zeros, {}\n", printable(given.output.file.string()),
                      grouped(a.rows()), grouped(a.cols()), grouped(a.nnz()),
                      size_text(file_bytes(given.output.file).value_or(0))));
  }
}

}  // namespace

void add_export(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command =
      app.add_subcommand("export", "Write a graph as Matrix Market or as an edge list");
  add_input(*command, given->input);
  add_graph_output(*command, given->output, allowed);
  add_common(*command, given->common);
  command->footer(
      "Matrix Market files (.mtx) count from 1, edge lists (.tsv) from 0; both are sorted by row,\n"
      "then column.\n"
      "\nExamples:\n"
      "  baltoro export web.k2m -o web.mtx\n"
      "  baltoro export facts.k2m --relation P106 -o occupations.tsv\n"
      "  baltoro export web.k2m -o - --format tsv | gzip > web.tsv.gz");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
