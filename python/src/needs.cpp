// The memory that algorithms hold, before they run; baltoro/needs.py says of what.
#include <baltoro/bfs.hpp>
#include <baltoro/centrality.hpp>
#include <baltoro/components.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/spectral.hpp>
#include <baltoro/undirected.hpp>

#include <cstdint>

#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "calls.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

nb::tuple pagerank_needs_of(const held_matrix& a, bool single_precision, nb::handle where) {
  const place on = place_of(where);
  const pagerank_options options{
      .where = on.where, .cuda = on.cuda, .single_precision = single_precision};
  return to_tuple(without_gil(on, [&] { return pagerank_needs(a.cells, options); }));
}

nb::tuple personalized_needs_of(const held_matrix& a, std::uint64_t seeds, bool single_precision,
                                nb::handle where) {
  const place on = place_of(where);
  const pagerank_options options{
      .where = on.where, .cuda = on.cuda, .single_precision = single_precision};
  return to_tuple(
      without_gil(on, [&] { return personalized_pagerank_needs(a.cells, seeds, options); }));
}

nb::tuple bfs_needs_of(const held_matrix& a, bool parents, nb::handle where) {
  const place on = place_of(where);
  const bfs_options options{.parents = parents, .where = on.where, .cuda = on.cuda};
  return to_tuple(without_gil(on, [&] { return bfs_needs(a.cells, options); }));
}

nb::tuple multi_source_needs_of(const held_matrix& a, std::uint64_t sources, bool undirected,
                                nb::handle where) {
  const place on = place_of(where);
  const multi_source_options options{.where = on.where, .cuda = on.cuda, .undirected = undirected};
  return to_tuple(without_gil(on, [&] { return multi_source_needs(a.cells, sources, options); }));
}

nb::tuple reach_needs_of(const held_matrix& a, std::uint64_t sources, nb::handle where) {
  const place on = place_of(where);
  const reach_options options{.where = on.where, .cuda = on.cuda};
  return to_tuple(without_gil(on, [&] { return reach_needs(a.cells, sources, options); }));
}

// Of HITS where `both` sides are multiplied, else of Katz and eigenvector centrality.
nb::tuple iteration_needs_of(const held_matrix& a, bool both, nb::handle where) {
  const place on = place_of(where);
  const iteration_options options{.where = on.where, .cuda = on.cuda};
  return to_tuple(without_gil(on, [&] {
    return both ? hits_needs(a.cells, options) : centrality_needs(a.cells, options);
  }));
}

nb::tuple betweenness_needs_of(const held_matrix& a, index_t batch, nb::handle where) {
  const place on = place_of(where);
  const betweenness_options options{.batch = batch, .where = on.where, .cuda = on.cuda};
  return to_tuple(without_gil(on, [&] { return betweenness_needs(a.cells, options); }));
}

// Of those that have no options to it.
template <working_set (*Needs)(const matrix&)>
nb::tuple plain_needs_of(const held_matrix& a) {
  return to_tuple(without_gil([&] { return Needs(a.cells); }));
}

}  // namespace

void bind_needs(nb::module_& m) {
  m.def("pagerank_needs", &pagerank_needs_of, "a"_a, "single_precision"_a, "device"_a);
  m.def("personalized_pagerank_needs", &personalized_needs_of, "a"_a, "seeds"_a,
        "single_precision"_a, "device"_a);
  m.def("bfs_needs", &bfs_needs_of, "a"_a, "parents"_a, "device"_a);
  m.def("multi_source_needs", &multi_source_needs_of, "a"_a, "sources"_a, "undirected"_a,
        "device"_a);
  m.def("reach_needs", &reach_needs_of, "a"_a, "sources"_a, "device"_a);
  m.def("iteration_needs", &iteration_needs_of, "a"_a, "both"_a, "device"_a);
  m.def("betweenness_needs", &betweenness_needs_of, "a"_a, "batch"_a, "device"_a);
  m.def("distance_centrality_needs", &plain_needs_of<distance_centrality_needs>, "a"_a);
  m.def("diameter_needs", &plain_needs_of<diameter_needs>, "a"_a);
  m.def("components_needs", &plain_needs_of<components_needs>, "a"_a);
  m.def("triangles_needs", &plain_needs_of<triangles_needs>, "a"_a);
  m.def("core_numbers_needs", &plain_needs_of<cores_needs>, "a"_a);
}

}  // namespace baltoro::python
