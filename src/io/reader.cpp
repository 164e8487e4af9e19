#include <baltoro/error.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/reader.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/readers.hpp"

namespace baltoro {
namespace {

// Hands edges to the builder and says which file a cell outside the shape came from.
class builder_sink final : public io::edge_sink {
 public:
  builder_sink(builder& to, const std::filesystem::path& file) : to_(to), file_(file) {}

  void add(std::span<const edge> edges) override {
    in_file([&] { to_.add(edges); });
  }

  void grow_to(shape dims) {
    in_file([&] { to_.grow_to(dims); });
  }

 private:
  template <class Function>
  void in_file(Function f) {
    try {
      f();
    } catch (const invalid_argument& problem) {
      throw invalid_argument(file_.string() + ": " + problem.what());
    }
  }

  builder& to_;
  const std::filesystem::path& file_;
};

// The one matrix of a .k2m file, into a matrix that has no names.
std::optional<shape> read_k2m(const std::filesystem::path& file, io::edge_sink& sink) {
  const graph g = load_k2m(file);
  if (g.relations.size() > 1 || !g.vertices.empty()) {
    throw invalid_argument(file.string() +
                           ": a graph with names cannot be united with other inputs");
  }
  g.at().for_each([&](std::span<const edge> edges) { sink.add(edges); });
  return g.at().dims();
}

std::optional<shape> read_one(const std::filesystem::path& file, file_format format,
                              io::edge_sink& sink, const read_options& options) {
  switch (format) {
    case file_format::matrix_market:
      return io::read_matrix_market(file, sink, options);
    case file_format::edge_list:
      return io::read_edge_list(file, sink, options);
    case file_format::bvgraph:
      return io::read_bvgraph(file, sink, options);
    case file_format::k2m:
      return read_k2m(file, sink);
    case file_format::triples:
    case file_format::automatic:
      break;
  }
  throw invalid_argument(
      fmt::format("{}: the format {} cannot be read here", file.string(), name_of(format)));
}

}  // namespace

graph read_graph(std::span<const std::filesystem::path> inputs, const read_options& options) {
  if (inputs.empty()) throw invalid_argument("no input files");
  std::vector<file_format> formats;
  for (const auto& input : inputs) {
    formats.push_back(options.format == file_format::automatic ? detect_format(input)
                                                               : options.format);
  }
  if (formats.size() == 1 && formats[0] == file_format::k2m && !options.build.dims) {
    return load_k2m(inputs[0]);
  }
  const auto triples = std::count(formats.begin(), formats.end(), file_format::triples);
  if (triples != 0) {
    if (static_cast<std::size_t>(triples) != formats.size()) {
      throw invalid_argument("triples cannot be united with inputs of other formats");
    }
    return io::read_triples(inputs, options);
  }
  builder to(options.build);
  bool square = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    builder_sink sink(to, inputs[i]);
    const std::optional<shape> dims = read_one(inputs[i], formats[i], sink, options);
    if (dims) sink.grow_to(*dims);
    square = square || formats[i] == file_format::edge_list;
  }
  // A list of edges is a graph: its matrix is square unless a shape says otherwise.
  if (square && !options.build.dims) {
    const index_t vertices = std::max(to.dims().rows, to.dims().cols);
    to.grow_to({vertices, vertices});
  }
  graph g;
  g.relations.push_back({"", to.finish()});
  return g;
}

graph read_graph(const std::filesystem::path& input, const read_options& options) {
  return read_graph(std::span(&input, 1), options);
}

}  // namespace baltoro
