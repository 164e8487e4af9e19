// Searches from many sources at once: distances, reachability and counts of levels.
#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include "algorithms/multi_search.hpp"
#include "algorithms/place.hpp"
#include "algorithms/square.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

// Sources of one table of bits, where distances are what is wanted.
constexpr std::uint64_t sources_at_once = 256;

using algorithms::multi_search;
using algorithms::traversal;

working_set needs_of_batches(const matrix& a, std::uint64_t sources) {
  return {.matrix_bytes = a.bytes().total(),
          .vector_bytes = sizeof(std::int32_t) * a.rows() * sources,
          .scratch_bytes = multi_search::bytes(a.rows(), std::min(sources, sources_at_once))};
}

// Where it may run, of what is asked for.
device place_of(const matrix& a, std::uint64_t sources, const multi_source_options& options) {
  check_square(a, "multi_source_bfs");
  if (sources > max_dimension) {
    throw invalid_argument(fmt::format("{} sources, more than {}", sources, max_dimension));
  }
  const bool on_cpu_only = options.undirected && a.kind() != layout::adaptive;
  if (on_cpu_only && options.where == device::cuda) {
    throw invalid_argument(
        "multi_source_bfs: undirected searches of a level-order matrix run on the CPU, not on a "
        "GPU");
  }
  return on_cpu_only ? device::cpu : options.where;
}

multi_source_result search_in_batches(const matrix& a, std::span<const index_t> sources,
                                      const multi_source_options& options) {
  multi_source_result result;
  result.needs = needs_of_batches(a, sources.size());
  const std::uint64_t batch = sources.size();
  const std::uint64_t pairs = std::uint64_t{a.rows()} * batch;
  result.distances.assign(pairs, -1);
  algorithms::reporter report(options.progress, "searching", "pairs");
  std::uint64_t found = 0;
  for (std::uint64_t first = 0; first < batch; first += sources_at_once) {
    const auto part = sources.subspan(first, std::min(sources_at_once, batch - first));
    multi_search search(a, part, traversal::of(options.reverse, options.undirected));
    std::uint32_t distance = 0;
    const auto write = [&](std::uint64_t v, std::uint64_t w, std::uint64_t fresh) {
      for (std::uint64_t left = fresh; left != 0; left &= left - 1) {
        const std::uint64_t k = 64 * w + static_cast<unsigned>(std::countr_zero(left));
        result.distances[v * batch + first + k] = static_cast<std::int32_t>(distance);
      }
    };
    search.start(write);
    while (search.found() != 0) {
      result.levels = std::max(result.levels, distance + 1);
      found += search.found();
      report(found, pairs);
      if (distance == options.max_levels) break;
      ++distance;
      search.step(write);
    }
  }
  return result;
}

}  // namespace

working_set multi_source_needs(const matrix& a, std::uint64_t sources,
                               const multi_source_options& options) {
  return algorithms::at_place(
      place_of(a, sources, options),
      [&] {
        return a.rows() == 0 || sources == 0 ? working_set{}
                                             : cuda::multi_source_needs(a, sources, options);
      },
      [&] { return needs_of_batches(a, sources); });
}

multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options) {
  const device where = place_of(a, sources.size(), options);
  check_sources(a, sources);
  return algorithms::at_place(
      where, [&] { return cuda::multi_source_bfs(a, sources, options); },
      [&] { return search_in_batches(a, sources, options); });
}

namespace {

working_set needs_of_reach(const matrix& a, std::uint64_t sources) {
  const std::uint64_t all = multi_search::bytes(a.rows(), sources);
  const std::uint64_t table = sizeof(std::uint64_t) * a.rows() * ((sources + 63) / 64);
  return {.matrix_bytes = a.bytes().total(), .vector_bytes = table, .scratch_bytes = all - table};
}

reach_result reach_on_cpu(const matrix& a, std::span<const index_t> sources,
                          const reach_options& options) {
  reach_result result;
  const std::uint64_t batch = sources.size();
  result.sources = batch;
  result.needs = needs_of_reach(a, batch);
  result.reached.assign(batch, 0);
  algorithms::reporter report(options.progress, "searching", "pairs");
  multi_search search(a, sources, traversal::of(options.reverse, options.undirected));
  result.words_per_vertex = search.words();
  // Counts of the last level, one for each thread and source.
  tbb::enumerable_thread_specific<std::vector<std::uint64_t>> counts(
      [&] { return std::vector<std::uint64_t>(batch); });
  const auto count = [&](std::uint64_t, std::uint64_t w, std::uint64_t fresh) {
    std::vector<std::uint64_t>& own = counts.local();
    for (std::uint64_t left = fresh; left != 0; left &= left - 1) {
      ++own[64 * w + static_cast<unsigned>(std::countr_zero(left))];
    }
  };
  search.start(count);
  std::uint64_t found = 0;
  while (search.found() != 0) {
    const std::size_t begin = result.reached_per_level.size();
    result.reached_per_level.resize(begin + batch);
    for (std::vector<std::uint64_t>& own : counts) {
      for (std::uint64_t k = 0; k < batch; ++k) {
        result.reached_per_level[begin + k] += own[k];
        result.reached[k] += own[k];
        own[k] = 0;
      }
    }
    found += search.found();
    report(found, a.rows() * batch);
    if (result.levels++ == options.max_levels) break;
    search.step(count);
  }
  result.table = std::move(search).take_seen();
  return result;
}

// Where it may run, of what is asked for.
device place_of(const matrix& a, std::uint64_t sources, const reach_options& options) {
  check_square(a, "reach");
  const bool on_cpu_only = a.kind() != layout::adaptive;
  if (on_cpu_only && options.where == device::cuda) {
    throw invalid_argument("reach: on a GPU the matrix must be laid out adaptive, not level-order");
  }
  return on_cpu_only || a.rows() == 0 || sources == 0 ? device::cpu : options.where;
}

}  // namespace

working_set reach_needs(const matrix& a, std::uint64_t sources, const reach_options& options) {
  return algorithms::at_place(
      place_of(a, sources, options), [&] { return cuda::reach_needs(a, sources, options); },
      [&] { return needs_of_reach(a, sources); });
}

reach_result reach(const matrix& a, std::span<const index_t> sources,
                   const reach_options& options) {
  const device where = place_of(a, sources.size(), options);
  check_sources(a, sources);
  return algorithms::at_place(
      where, [&] { return cuda::reach(a, sources, options); },
      [&] { return reach_on_cpu(a, sources, options); });
}

}  // namespace baltoro
