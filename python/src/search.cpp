// Searches. What they found goes back as a tuple of arrays and numbers, which baltoro/search.py names.
#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>

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

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

nb::tuple bfs_of(const held_matrix& a, const array_in<const index_t>& sources, bool reverse,
                 bool undirected, bool parents, nb::handle where, nb::handle progress) {
  const auto from = span_of(sources);
  const place on = place_of(where);
  const bfs_options options{.reverse = reverse,
                            .parents = parents,
                            .where = on.where,
                            .cuda = on.cuda,
                            .undirected = undirected,
                            .progress = report_to(progress)};
  auto found = without_gil(on, [&] { return bfs(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.distances)), to_numpy(std::move(found.parents)),
                        to_numpy(std::move(found.reached_per_level)));
}

nb::tuple multi_source_bfs_of(const held_matrix& a, const array_in<const index_t>& sources,
                              bool reverse, bool undirected,
                              std::optional<std::uint32_t> max_levels, nb::handle where,
                              nb::handle progress) {
  const auto from = span_of(sources);
  const place on = place_of(where);
  const multi_source_options options{.reverse = reverse,
                                     .max_levels = max_levels.value_or(no_limit),
                                     .where = on.where,
                                     .cuda = on.cuda,
                                     .undirected = undirected,
                                     .progress = report_to(progress)};
  auto found = without_gil(on, [&] { return multi_source_bfs(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.distances)), found.levels, to_tuple(found.needs));
}

nb::tuple reach_of(const held_matrix& a, const array_in<const index_t>& sources, bool reverse,
                   bool undirected, std::optional<std::uint32_t> max_levels, nb::handle where,
                   nb::handle progress) {
  const auto from = span_of(sources);
  const place on = place_of(where);
  const reach_options options{.reverse = reverse,
                              .undirected = undirected,
                              .max_levels = max_levels.value_or(no_limit),
                              .where = on.where,
                              .cuda = on.cuda,
                              .progress = report_to(progress)};
  auto found = without_gil(on, [&] { return reach(a.cells, from, options); });
  return nb::make_tuple(to_numpy(std::move(found.table)), to_numpy(std::move(found.reached)),
                        to_numpy(std::move(found.reached_per_level)), found.levels,
                        to_tuple(found.needs));
}

}  // namespace

void bind_search(nb::module_& m) {
  m.def("bfs", &bfs_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(), "reverse"_a, "undirected"_a,
        "parents"_a, "device"_a, "progress"_a.none());
  m.def("multi_source_bfs", &multi_source_bfs_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(),
        "reverse"_a, "undirected"_a, "max_levels"_a.none(), "device"_a, "progress"_a.none());
  m.def("reach", &reach_of, "a"_a, "sources"_a.noconvert(), nb::kw_only(), "reverse"_a,
        "undirected"_a, "max_levels"_a.none(), "device"_a, "progress"_a.none());
}

}  // namespace baltoro::python
