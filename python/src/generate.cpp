// Synthetic graphs, built as they are made; baltoro/generate.py names them.
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "calls.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

held_matrix built(const generator& graph, const build_options& given, nb::handle progress) {
  build_options options = told_to(given, progress);
  options.dims = graph.dims();
  return without_gil([&] {
    const progress_callback report = options.progress;
    builder cells(std::move(options));
    std::uint64_t done = 0;
    graph.for_each([&](std::span<const edge> edges) {
      cells.add(edges);
      done += edges.size();
      report({"making", done, graph.edges(), "edges"});
    });
    return held_matrix(cells.finish());
  });
}

}  // namespace

void bind_generate(nb::module_& m) {
  nb::class_<generator>(m, "Generator")
      .def_static("web", &generator::web, "vertices"_a, "edges"_a, "seed"_a)
      .def_static("merkle", &generator::merkle, "vertices"_a, "edges"_a, "seed"_a)
      .def_static("social", &generator::social, "vertices"_a, "edges"_a, "seed"_a)
      .def_static(
          "citation",
          [](index_t rows, index_t cols, std::uint64_t edges, std::uint64_t seed) {
            return generator::citation({rows, cols}, edges, seed);
          },
          "rows"_a, "cols"_a, "edges"_a, "seed"_a)
      .def_static(
          "relation",
          [](index_t rows, index_t cols, std::uint64_t edges, double repeat, double skew,
             std::uint64_t seed) {
            return generator::relation({rows, cols}, edges, seed, {.repeat = repeat, .skew = skew});
          },
          "rows"_a, "cols"_a, "edges"_a, "repeat"_a, "skew"_a, "seed"_a)
      .def_static("rmat", &generator::rmat, "scale"_a, "edges"_a, "a"_a, "b"_a, "c"_a, "seed"_a)
      .def_static(
          "uniform",
          [](index_t rows, index_t cols, std::uint64_t edges, std::uint64_t seed) {
            return generator::uniform({rows, cols}, edges, seed);
          },
          "rows"_a, "cols"_a, "edges"_a, "seed"_a)
      .def_static(
          "like",
          [](const std::string& name, std::uint64_t scale, std::uint64_t seed) {
            return generator::like(name, scale, seed);
          },
          "name"_a, "scale"_a, "seed"_a)
      .def("build", &built, nb::kw_only(), "options"_a, "progress"_a.none());
  m.def("stand_ins", [] {
    nb::list all;
    for (const stand_in& each : stand_ins()) {
      all.append(nb::make_tuple(nb::str(each.name.data(), each.name.size()),
                                nb::make_tuple(each.dims.rows, each.dims.cols), each.edges,
                                each.nodes_per_edge, each.edges_per_block));
    }
    return all;
  });
}

}  // namespace baltoro::python
