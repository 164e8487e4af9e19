#include "input_graph.hpp"

#include <algorithm>
#include <memory>

#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

void refuse_reading_options(const read_options& read) {
  const char* option = read.build.dims        ? "--shape"
                       : read.index_base != 0 ? "--index-base"
                       : read.skip_lines != 0 ? "--skip-lines"
                                              : nullptr;
  if (option != nullptr) throw usage_error(std::string(option) + " does not apply to a .k2m file");
}

}  // namespace

open_graph open(const input_options& options, progress_display& display, check how_much,
                left_out relation) {
  const stopwatch watch;
  open_graph result;
  result.format = options.read.format == file_format::automatic ? detect_format(options.file)
                                                                : options.read.format;
  if (result.format == file_format::k2m) {
    refuse_reading_options(options.read);
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

matrix as_square(const matrix& a) {
  if (a.rows() == a.cols()) return a;
  level_order_view tree = a.tree();
  tree.dims.rows = tree.dims.cols = std::max(a.rows(), a.cols());
  return matrix(tree, std::make_shared<matrix>(a));
}

}  // namespace baltoro::cli
