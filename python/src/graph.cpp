// Files in and out: graphs of one or more relations.
#include <baltoro/error.hpp>
#include <baltoro/graph.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/reader.hpp>
#include <baltoro/writer.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

vertex_order order_named(const std::string& name) {
  if (name == "auto") return vertex_order::automatic;
  if (name == "by_bytes") return vertex_order::by_bytes;
  if (name == "by_number") return vertex_order::by_number;
  if (name == "first_seen") return vertex_order::first_seen;
  throw invalid_argument(fmt::format(
      "there is no order '{}'; there are auto, by_bytes, by_number and first_seen", name));
}

graph read(const std::vector<std::filesystem::path>& files, const std::string& format,
           index_t index_base, std::uint64_t skip_lines, const std::string& order, bool with_union,
           const std::optional<std::pair<index_t, index_t>>& dims, const build_options& build,
           nb::handle progress) {
  const auto known = format_named(format);
  if (!known) {
    throw invalid_argument(fmt::format(
        "there is no format '{}'; there are auto, mtx, edges, bvgraph, triples and k2m", format));
  }
  read_options options{.format = *known,
                       .index_base = index_base,
                       .skip_lines = skip_lines,
                       .order = order_named(order),
                       .with_union = with_union,
                       .build = told_to(build, progress)};
  if (dims) options.build.dims = shape{dims->first, dims->second};
  const nb::gil_scoped_release no_gil;
  return read_graph(files, options);
}

// Names are bytes; what is not UTF-8 in them comes out as Python does for file names.
nb::object text(std::string_view name) {
  return nb::steal(
      PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
}

// A graph of matrices with names, and of the names of their vertices (bytes).
graph graph_of(const std::vector<std::pair<std::string, const held_matrix*>>& relations,
               const std::vector<nb::bytes>& names) {
  graph made;
  std::vector<std::string> texts;
  for (const nb::bytes& name : names) texts.emplace_back(name.c_str(), name.size());
  for (const auto& [name, held] : relations) made.relations.push_back({name, held->cells});
  if (!texts.empty()) made.vertices = name_table(texts);
  return made;
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::class_<graph>(m, "Graph")
      .def("relations",
           [](const graph& g) {
             nb::list names;
             for (const relation& each : g.relations) names.append(text(each.name));
             return names;
           })
      .def("at",
           [](const graph& g, std::size_t i) { return held_matrix(g.relations.at(i).adjacency); })
      .def_prop_ro("names", [](const graph& g) { return g.vertices.size(); })
      .def("name", [](const graph& g, index_t i) { return text(g.vertices[i]); })
      .def("find",
           [](const graph& g, nb::bytes name) {
             return g.vertices.find({name.c_str(), name.size()});
           })
      .def("save", [](const graph& g, const std::filesystem::path& file) {
        const nb::gil_scoped_release no_gil;
        save_k2m(g, file);
      });
  m.def("graph_of", &graph_of, "relations"_a, "names"_a);
  m.def(
      "write",
      [](const held_matrix& a, const std::filesystem::path& file, bool matrix_market,
         nb::handle progress) {
        const progress_callback report = report_to(progress);
        const nb::gil_scoped_release no_gil;
        matrix_market ? write_matrix_market(a.cells, file, report)
                      : write_edge_list(a.cells, file, report);
      },
      "a"_a, "file"_a, "matrix_market"_a, "progress"_a.none());
  m.def(
      "detect_format",
      [](const std::filesystem::path& file) {
        const nb::gil_scoped_release no_gil;
        return name_of(detect_format(file));
      },
      "file"_a);
  m.def("read", &read, "files"_a, nb::kw_only(), "format"_a, "index_base"_a, "skip_lines"_a,
        "order"_a, "with_union"_a, "dims"_a.none(), "options"_a, "progress"_a.none());
  m.def(
      "load",
      [](const std::filesystem::path& file, bool check_everything) {
        const nb::gil_scoped_release no_gil;
        return load_k2m(file, check_everything ? check::full : check::header);
      },
      "file"_a, "check_everything"_a = true);
  m.def(
      "save",
      [](const held_matrix& a, const std::filesystem::path& file) {
        const nb::gil_scoped_release no_gil;
        save_k2m(a.cells, file);
      },
      "a"_a, "file"_a);
}

}  // namespace baltoro::python
