// Searches in an adaptive matrix: from one set of sources, and from any number of sources apart, as many at once as
// one table takes.
#include "cuda/search/search.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include "algorithms/iterations.hpp"
#include "cuda/adaptive/device_containers.hpp"
#include "cuda/algorithms.hpp"
#include "cuda/search/multi_search.hpp"
#include "cuda/search/single_search.hpp"

namespace baltoro::cuda {
namespace {

using algorithms::traversal;

// A search from so many sources or, where that does not fit, from a half or a quarter of them.
std::unique_ptr<multi_search> plan_search(const matrix& a, std::uint64_t sources, traversal follow,
                                          bool distances, const cuda_options& options) {
  constexpr index_t fewest = 64;
  auto at_once = static_cast<index_t>(std::min<std::uint64_t>(multi_search::most_sources, sources));
  while (true) {
    try {
      return std::make_unique<multi_search>(make_search_graph(a, follow), at_once, distances,
                                            options);
    } catch (const out_of_memory&) {
      if (at_once <= fewest) throw;
      at_once = std::max(fewest, at_once / 2);
    }
  }
}

// Calls each(search, first, count) with a search that has run from sources[first], sources[first + 1], …
// level(first, distance, counts) is told of each level.
template <class Level, class Each>
void search_in_parts(const matrix& a, std::span<const index_t> sources, traversal follow,
                     bool distances, std::uint32_t max_levels, const cuda_options& options,
                     const Level& level, const Each& each) {
  std::shared_ptr<device_containers> held;
  for (std::uint64_t first = 0; first < sources.size();) {
    const auto search = plan_search(a, sources.size() - first, follow, distances, options);
    search->prepare();
    if (held == nullptr) held = device_containers::shared(a);
    const auto part = sources.subspan(first, search->sources());
    search->run(part, max_levels,
                [&](std::uint32_t distance, std::span<const std::uint32_t> counts) {
                  level(first, distance, counts);
                });
    each(*search, first, part.size());
    first += part.size();
  }
}

single_search plan_single(const matrix& a, const bfs_options& options) {
  return {make_search_graph(a, traversal::of(options.reverse, options.undirected)), options.parents,
          options.cuda};
}

std::uint64_t total(std::span<const std::uint32_t> counts) {
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) sum += count;
  return sum;
}

void keep_larger(working_set& to, const working_set& other) {
  if (other.total() > to.total()) to = other;
}

}  // namespace

working_set needs_adaptive(const matrix& a, const bfs_options& options) {
  return plan_single(a, options).needs();
}

working_set needs_adaptive(const matrix& a, std::uint64_t sources,
                           const multi_source_options& options) {
  return plan_search(a, sources, traversal::of(options.reverse, options.undirected), true,
                     options.cuda)
      ->needs();
}

working_set reach_needs(const matrix& a, std::uint64_t sources, const reach_options& options) {
  return plan_search(a, sources, traversal::of(options.reverse, options.undirected), false,
                     options.cuda)
      ->needs();
}

bfs_result search_adaptive(const matrix& a, std::span<const index_t> sources,
                           const bfs_options& options) {
  bfs_result result;
  single_search search = plan_single(a, options);
  algorithms::reporter report(options.progress, "searching", "vertices");
  std::uint64_t reached = 0;
  search.run(sources, [&](std::uint32_t, std::span<const std::uint32_t> count) {
    result.reached_per_level.push_back(count[0]);
    reached += count[0];
    report(reached, a.rows());
  });
  result.distances.resize(a.rows());
  search.copy_distances(result.distances.data());
  if (!options.parents) return result;
  std::vector<index_t> parents(a.rows());
  search.copy_parents(parents.data());
  result.parents.reserve(a.rows());
  for (const index_t p : parents) {
    result.parents.push_back(p == single_search::no_parent ? -1 : std::int64_t{p});
  }
  return result;
}

multi_source_result search_adaptive(const matrix& a, std::span<const index_t> sources,
                                    const multi_source_options& options) {
  multi_source_result result;
  const std::uint64_t pairs = std::uint64_t{a.rows()} * sources.size();
  result.distances.resize(pairs);
  algorithms::reporter report(options.progress, "searching", "pairs");
  std::uint64_t found = 0;
  search_in_parts(
      a, sources, traversal::of(options.reverse, options.undirected), true, options.max_levels,
      options.cuda,
      [&](std::uint64_t, std::uint32_t distance, std::span<const std::uint32_t> counts) {
        result.levels = std::max(result.levels, distance + 1);
        found += total(counts);
        report(found, pairs);
      },
      [&](const multi_search& search, std::uint64_t first, std::uint64_t) {
        keep_larger(result.needs, search.needs());
        search.copy_distances(result.distances.data() + first, sources.size());
      });
  return result;
}

reach_result reach(const matrix& a, std::span<const index_t> sources,
                   const reach_options& options) {
  reach_result result;
  const std::uint64_t batch = sources.size();
  result.sources = batch;
  result.where = device::cuda;
  result.words_per_vertex = (batch + 63) / 64;
  result.reached.assign(batch, 0);
  result.table.resize(std::uint64_t{a.rows()} * result.words_per_vertex);
  algorithms::reporter report(options.progress, "searching", "pairs");
  std::uint64_t found = 0;
  std::vector<std::uint64_t> piece;
  search_in_parts(
      a, sources, traversal::of(options.reverse, options.undirected), false, options.max_levels,
      options.cuda,
      [&](std::uint64_t first, std::uint32_t distance, std::span<const std::uint32_t> counts) {
        if (distance >= result.levels) {
          result.levels = distance + 1;
          result.reached_per_level.resize(result.levels * batch);
        }
        for (std::size_t k = 0; k < counts.size(); ++k) {
          result.reached_per_level[distance * batch + first + k] += counts[k];
          result.reached[first + k] += counts[k];
        }
        found += total(counts);
        report(found, a.rows() * batch);
      },
      [&](const multi_search& search, std::uint64_t first, std::uint64_t) {
        keep_larger(result.needs, search.needs());
        if (search.words() == result.words_per_vertex) {
          search.copy_reached(result.table.data());
          return;
        }
        piece.resize(a.rows() * search.words());
        search.copy_reached(piece.data());
        for (std::uint64_t v = 0; v < a.rows(); ++v) {
          std::copy_n(piece.data() + v * search.words(), search.words(),
                      result.table.data() + v * result.words_per_vertex + first / 64);
        }
      });
  return result;
}

}  // namespace baltoro::cuda
