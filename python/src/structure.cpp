// What hangs together, and undirected graphs; baltoro/structure.py names the results.
#include <baltoro/components.hpp>
#include <baltoro/error.hpp>
#include <baltoro/undirected.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

nb::tuple components_of(const held_matrix& a, bool strong, nb::handle progress) {
  const components_options options{.progress = report_to(progress)};
  auto found = without_gil([&] {
    return strong ? strong_components(a.cells, options) : weak_components(a.cells, options);
  });
  return nb::make_tuple(to_numpy(std::move(found.component)), to_numpy(std::move(found.sizes)),
                        to_tuple(found.needs));
}

nb::tuple triangles_of(const held_matrix& a, nb::handle progress) {
  const undirected_options options{.progress = report_to(progress)};
  auto found = without_gil([&] { return count_triangles(a.cells, options); });
  return nb::make_tuple(found.triangles, to_numpy(std::move(found.at_vertex)),
                        to_numpy(std::move(found.clustering)), to_tuple(found.needs));
}

nb::tuple cores_of(const held_matrix& a, nb::handle progress) {
  const undirected_options options{.progress = report_to(progress)};
  auto found = without_gil([&] { return core_numbers(a.cells, options); });
  return nb::make_tuple(to_numpy(std::move(found.core)), found.degeneracy, to_tuple(found.needs));
}

}  // namespace

void bind_structure(nb::module_& m) {
  m.def("components", &components_of, "a"_a, nb::kw_only(), "strong"_a, "progress"_a.none());
  m.def("triangles", &triangles_of, "a"_a, nb::kw_only(), "progress"_a.none());
  m.def("core_numbers", &cores_of, "a"_a, nb::kw_only(), "progress"_a.none());
  m.def(
      "is_symmetric",
      [](const held_matrix& a) { return without_gil([&] { return is_symmetric(a.cells); }); },
      "a"_a);
  m.def(
      "symmetric_union",
      [](const held_matrix& a, const build_options& given, nb::handle progress) {
        const build_options options = told_to(given, progress);
        return without_gil([&] { return held_matrix(symmetric_union(a.cells, options)); });
      },
      "a"_a, nb::kw_only(), "options"_a, "progress"_a.none());
}

}  // namespace baltoro::python
