// Algorithms: one m.def each. What they found goes back as a tuple of arrays and numbers, which
// baltoro/algorithms.py names.
#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>
#include <baltoro/pagerank.hpp>

#include <cstdint>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

// Runs work without the GIL.
template <class Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release no_gil;
  return work();
}

nb::tuple pagerank_of(const held_matrix& a, double damping, double tolerance,
                      std::uint32_t max_iterations,
                      const std::optional<array_in<const double>>& personalization,
                      bool dangling_as_personalization) {
  const progress_callback report = report_to(nb::none());
  pagerank_options options{
      .damping = damping,
      .tolerance = tolerance,
      .max_iterations = max_iterations,
      .dangling_to = dangling_as_personalization ? dangling::personalization : dangling::uniform,
      // So that Ctrl-C is seen.
      .on_iteration = [&](std::uint32_t done, double) {
        report({"iterating", done, max_iterations, "products"});
      }};
  if (personalization) options.personalization = span_of(*personalization);
  auto found = without_gil([&] { return pagerank(a.cells, options); });
  return nb::make_tuple(to_numpy(std::move(found.ranks)), found.iterations, found.change,
                        found.converged);
}

nb::tuple bfs_of(const held_matrix& a, const array_in<const index_t>& sources, bool reverse,
                 bool parents) {
  const auto from = span_of(sources);
  auto found =
      without_gil([&] { return bfs(a.cells, from, {.reverse = reverse, .parents = parents}); });
  return nb::make_tuple(to_numpy(std::move(found.distances)), to_numpy(std::move(found.parents)),
                        to_numpy(std::move(found.reached_per_level)));
}

}  // namespace

void bind_algorithms(nb::module_& m) {
  m.def("pagerank", &pagerank_of, "a"_a, nb::kw_only(), "damping"_a, "tolerance"_a,
        "max_iterations"_a, "personalization"_a.none(), "dangling_as_personalization"_a);
  m.def("bfs", &bfs_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(), "reverse"_a, "parents"_a);
}

}  // namespace baltoro::python
