#include "input_graph.hpp"

#include <algorithm>

#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

const char* described(file_format format) {
  switch (format) {
    case file_format::matrix_market:
      return "a Matrix Market file";
    case file_format::edge_list:
      return "an edge list";
    case file_format::bvgraph:
      return "a WebGraph file";
    case file_format::triples:
      return "a file of triples";
    case file_format::k2m:
      return "a .k2m file";
    case file_format::automatic:
      break;
  }
  return "this file";
}

}  // namespace

file_format format_of(const std::filesystem::path& file, const reading_options& read) {
  return read.format == file_format::automatic ? detect_format(file) : read.format;
}

void refuse_unsuitable(const reading_options& read, std::span<const file_format> formats) {
  for (const limited_option& each : read.limited) {
    const auto known = [&](file_format format) {
      return std::find(each.formats.begin(), each.formats.end(), format) != each.formats.end();
    };
    if (each.option->count() > 0 && std::none_of(formats.begin(), formats.end(), known)) {
      throw usage_error(each.option->get_name() + " does not apply to " +
                        described(formats.front()));
    }
  }
}

open_graph open(const input_options& options, progress_display& display, check how_much,
                left_out relation) {
  const stopwatch watch;
  open_graph result;
  result.format = format_of(options.file, options.read);
  refuse_unsuitable(options.read, {&result.format, 1});
  if (result.format == file_format::k2m) {
    result.graph = load_k2m(options.file, options.trust ? check::header : how_much);
  } else {
    read_options read = options.read;
    read.format = result.format;
    read.build.progress = display.callback();
    result.graph = about(options.file, [&] { return read_graph(options.file, read); });
    display.clear();
  }
  const baltoro::relation& first = result.graph.relations.front();
  result.relation = options.relation.empty() ? first.name : options.relation;
  result.matrix = options.relation.empty() && relation == left_out::first
                      ? first.adjacency
                      : about(options.file, [&] { return result.graph.at(options.relation); });
  result.seconds = watch.seconds();
  return result;
}

}  // namespace baltoro::cli
