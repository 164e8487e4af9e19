#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>

#include "algorithms/neighbour_walk.hpp"
#include "algorithms/square.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

// The state of a search, shared by the threads of a step.
class search {
 public:
  search(const matrix& a, const bfs_options& options)
      : a_(a), options_(options), distances_(a.rows(), unreached) {
    if (options.parents) parents_.assign(a.rows(), no_parent);
  }

  void start(std::span<const index_t> sources) {
    for (const index_t s : sources) {
      if (distances_[s] != unreached) continue;
      distances_[s] = 0;
      if (options_.parents) parents_[s] = s;
      frontier_.push_back(s);
    }
    std::sort(frontier_.begin(), frontier_.end());
  }

  std::span<const index_t> frontier() const { return frontier_; }

  void step(std::int32_t distance) {
    if (options_.reverse) {
      walk<true>(distance);
    } else {
      walk<false>(distance);
    }
  }

  bfs_result take() && {
    bfs_result result;
    result.distances = std::move(distances_);
    result.parents.reserve(parents_.size());
    for (const index_t p : parents_) {
      result.parents.push_back(p == no_parent ? -1 : static_cast<std::int64_t>(p));
    }
    return result;
  }

 private:
  static constexpr std::int32_t unreached = -1;
  static constexpr index_t no_parent = std::numeric_limits<index_t>::max();

  template <bool Reverse>
  void walk(std::int32_t distance) {
    tbb::enumerable_thread_specific<std::vector<index_t>> found;
    algorithms::visit_neighbours<Reverse>(a_, frontier_, [&](index_t from, index_t to) {
      if (reach(from, to, distance)) found.local().push_back(to);
    });
    frontier_.clear();
    for (const auto& part : found) frontier_.insert(frontier_.end(), part.begin(), part.end());
    tbb::parallel_sort(frontier_.begin(), frontier_.end());
  }

  // Whether `to` is new. Keeps the smallest of all parents that could have reached it.
  bool reach(index_t from, index_t to, std::int32_t distance) {
    std::atomic_ref<std::int32_t> slot(distances_[to]);
    std::int32_t seen = slot.load(std::memory_order_relaxed);
    const bool fresh = seen == unreached &&
                       slot.compare_exchange_strong(seen, distance, std::memory_order_relaxed);
    if (options_.parents && (fresh || seen == distance)) {
      std::atomic_ref<index_t> parent(parents_[to]);
      index_t best = parent.load(std::memory_order_relaxed);
      while (from < best && !parent.compare_exchange_weak(best, from, std::memory_order_relaxed)) {
      }
    }
    return fresh;
  }

  const matrix& a_;
  bfs_options options_;
  std::vector<std::int32_t> distances_;
  std::vector<index_t> parents_;
  std::vector<index_t> frontier_;
};

}  // namespace

namespace {

void check_sources(const matrix& a, std::span<const index_t> sources) {
  for (const index_t s : sources) {
    if (s >= a.rows()) {
      throw invalid_argument(
          fmt::format("source {} is outside the graph of {} vertices", s, a.rows()));
    }
  }
}

}  // namespace

bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options) {
  check_square(a, "bfs");
  check_sources(a, sources);
  if (options.where == device::cuda) {
    resolve(options.where);
    return cuda::bfs(a, sources, options);
  }
  search state(a, options);
  state.start(sources);
  std::vector<std::uint64_t> reached;
  for (std::int32_t distance = 1; !state.frontier().empty(); ++distance) {
    reached.push_back(state.frontier().size());
    state.step(distance);
  }
  bfs_result result = std::move(state).take();
  result.reached_per_level = std::move(reached);
  return result;
}

namespace {

multi_source_result search_one_by_one(const matrix& a, std::span<const index_t> sources,
                                      const multi_source_options& options) {
  multi_source_result result;
  const std::size_t batch = sources.size();
  result.distances.resize(a.rows() * batch);
  // One search's distances and frontier beside the table.
  result.needs = {a.bytes().total(), sizeof(std::int32_t) * result.distances.size(),
                  std::uint64_t{8} * a.rows()};
  for (std::size_t k = 0; k < batch; ++k) {
    const bfs_result one = bfs(a, sources.subspan(k, 1), {.reverse = options.reverse});
    for (std::size_t v = 0; v < a.rows(); ++v) {
      const std::int32_t distance = one.distances[v];
      const bool kept = distance >= 0 && static_cast<std::uint32_t>(distance) <= options.max_levels;
      result.distances[v * batch + k] = kept ? distance : -1;
      if (kept) result.levels = std::max(result.levels, static_cast<std::uint32_t>(distance) + 1);
    }
  }
  return result;
}

}  // namespace

multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options) {
  check_square(a, "multi_source_bfs");
  check_sources(a, sources);
  if (sources.size() > max_dimension) {
    throw invalid_argument(fmt::format("{} sources, more than {}", sources.size(), max_dimension));
  }
  if (resolve(options.where) == device::cpu) return search_one_by_one(a, sources, options);
  try {
    return cuda::multi_source_bfs(a, sources, options);
  } catch (const out_of_memory&) {
    if (options.where == device::cuda) throw;
    return search_one_by_one(a, sources, options);
  }
}

}  // namespace baltoro
