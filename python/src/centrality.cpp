// Scores of vertices, which baltoro/centrality.py names.
#include <baltoro/centrality.hpp>
#include <baltoro/error.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/spectral.hpp>

#include <cstdint>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

pagerank_options pagerank_options_of(double damping, double tolerance, std::uint32_t max_iterations,
                                     const place& on, nb::handle progress) {
  return {
      .damping = damping,
      .tolerance = tolerance,
      .max_iterations = max_iterations,
      .where = on.where,
      .cuda = on.cuda,
      .on_iteration = [report = report_to(progress), max_iterations](std::uint32_t done, double) {
        report({"iterating", done, max_iterations, "products"});
      }};
}

nb::tuple pagerank_of(const held_matrix& a, double damping, double tolerance,
                      std::uint32_t max_iterations,
                      const std::optional<array_in<const double>>& personalization,
                      bool dangling_as_personalization, bool single_precision, nb::handle where,
                      nb::handle progress) {
  const place on = place_of(where);
  pagerank_options options = pagerank_options_of(damping, tolerance, max_iterations, on, progress);
  options.single_precision = single_precision;
  if (dangling_as_personalization) options.dangling_to = dangling::personalization;
  if (personalization) options.personalization = span_of(*personalization);
  auto found = without_gil(on, [&] { return pagerank(a.cells, options); });
  return nb::make_tuple(to_numpy(std::move(found.ranks)), found.iterations, found.change,
                        found.converged, to_tuple(found.needs));
}

nb::tuple personalized_pagerank_of(const held_matrix& a, const array_in<const index_t>& seeds,
                                   double damping, double tolerance, std::uint32_t max_iterations,
                                   bool dangling_as_personalization, bool single_precision,
                                   nb::handle where, nb::handle progress) {
  const auto from = span_of(seeds);
  const place on = place_of(where);
  pagerank_options options = pagerank_options_of(damping, tolerance, max_iterations, on, progress);
  options.single_precision = single_precision;
  if (dangling_as_personalization) options.dangling_to = dangling::personalization;
  auto found = without_gil(on, [&] { return personalized_pagerank(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.ranks)), found.iterations, found.change,
                        found.converged, to_tuple(found.needs));
}

template <class Options>
Options iteration_options_of(double tolerance, std::uint32_t max_iterations, const place& on,
                             nb::handle progress) {
  Options options;
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.where = on.where;
  options.cuda = on.cuda;
  options.progress = report_to(progress);
  return options;
}

nb::tuple scores_of(centrality_result&& found) {
  return nb::make_tuple(to_numpy(std::move(found.scores)), found.iterations, found.change,
                        found.converged, to_tuple(found.needs));
}

nb::tuple hits_of(const held_matrix& a, double tolerance, std::uint32_t max_iterations,
                  nb::handle where, nb::handle progress) {
  const place on = place_of(where);
  const auto options =
      iteration_options_of<iteration_options>(tolerance, max_iterations, on, progress);
  auto found = without_gil(on, [&] { return hits(a.cells, options); });
  return nb::make_tuple(to_numpy(std::move(found.hubs)), to_numpy(std::move(found.authorities)),
                        found.iterations, found.change, found.converged, to_tuple(found.needs));
}

nb::tuple katz_of(const held_matrix& a, double attenuation, double base, double tolerance,
                  std::uint32_t max_iterations, nb::handle where, nb::handle progress) {
  const place on = place_of(where);
  auto options = iteration_options_of<katz_options>(tolerance, max_iterations, on, progress);
  options.attenuation = attenuation;
  options.base = base;
  return scores_of(without_gil(on, [&] { return katz_centrality(a.cells, options); }));
}

nb::tuple eigenvector_of(const held_matrix& a, double tolerance, std::uint32_t max_iterations,
                         nb::handle where, nb::handle progress) {
  const place on = place_of(where);
  const auto options =
      iteration_options_of<iteration_options>(tolerance, max_iterations, on, progress);
  return scores_of(without_gil(on, [&] { return eigenvector_centrality(a.cells, options); }));
}

nb::tuple distance_of(const held_matrix& a, const array_in<const index_t>& sources, bool reverse,
                      bool undirected, nb::handle progress) {
  const auto from = span_of(sources);
  const distance_centrality_options options{
      .reverse = reverse, .undirected = undirected, .progress = report_to(progress)};
  auto found = without_gil([&] { return distance_centrality(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.closeness)), to_numpy(std::move(found.harmonic)),
                        to_tuple(found.needs));
}

nb::tuple betweenness_of(const held_matrix& a, const array_in<const index_t>& sources,
                         index_t batch, nb::handle where, nb::handle progress) {
  const auto from = span_of(sources);
  const place on = place_of(where);
  const betweenness_options options{
      .batch = batch, .where = on.where, .cuda = on.cuda, .progress = report_to(progress)};
  auto found = without_gil(on, [&] { return betweenness(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.scores)), to_tuple(found.needs));
}

nb::tuple diameter_of(const held_matrix& a, std::uint32_t max_searches, nb::handle progress) {
  const diameter_options options{.max_searches = max_searches, .progress = report_to(progress)};
  const auto found = without_gil([&] { return diameter_bounds(a.cells, options); });
  return nb::make_tuple(found.lower, found.upper, found.vertices, found.searches,
                        to_tuple(found.needs));
}

}  // namespace

void bind_centrality(nb::module_& m) {
  m.def("pagerank", &pagerank_of, "a"_a, nb::kw_only(), "damping"_a, "tolerance"_a,
        "max_iterations"_a, "personalization"_a.none(), "dangling_as_personalization"_a,
        "single_precision"_a, "device"_a, "progress"_a.none());
  m.def("personalized_pagerank", &personalized_pagerank_of, "a"_a, "seeds"_a.noconvert(),
        nb::kw_only(), "damping"_a, "tolerance"_a, "max_iterations"_a,
        "dangling_as_personalization"_a, "single_precision"_a, "device"_a, "progress"_a.none());
  m.def("hits", &hits_of, "a"_a, nb::kw_only(), "tolerance"_a, "max_iterations"_a, "device"_a,
        "progress"_a.none());
  m.def("katz_centrality", &katz_of, "a"_a, nb::kw_only(), "attenuation"_a, "base"_a, "tolerance"_a,
        "max_iterations"_a, "device"_a, "progress"_a.none());
  m.def("eigenvector_centrality", &eigenvector_of, "a"_a, nb::kw_only(), "tolerance"_a,
        "max_iterations"_a, "device"_a, "progress"_a.none());
  m.def("distance_centrality", &distance_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(),
        "reverse"_a, "undirected"_a, "progress"_a.none());
  m.def("betweenness", &betweenness_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(), "batch"_a,
        "device"_a, "progress"_a.none());
  m.def("diameter", &diameter_of, "a"_a, nb::kw_only(), "max_searches"_a, "progress"_a.none());
  m.def(
      "sample_vertices",
      [](index_t vertices, std::uint64_t count, std::uint64_t seed) {
        return to_numpy(sample_vertices(vertices, count, seed));
      },
      "vertices"_a, "count"_a, "seed"_a);
}

}  // namespace baltoro::python
