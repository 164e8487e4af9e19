#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "algorithms/square.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

// One step of the search: visits the neighbours of an ascending list of vertices by one descent
// that enters a node only with the vertices that lie in its half of the matrix.
template <bool Reverse, class Visit>
class neighbour_walk {
 public:
  neighbour_walk(const level_order_view& tree, Visit visit) : tree_(tree), visit_(visit) {}

  void run(std::span<const index_t> vertices) {
    if (tree_.nodes() != 0 && !vertices.empty()) descend(0, 0, 0, 0, vertices);
  }

 private:
  // `from` is the first vertex of the node on the side of the frontier, `to` on the other side.
  void descend(unsigned level, std::uint64_t node, std::uint64_t from, std::uint64_t to,
               std::span<const index_t> vertices) {
    const unsigned signature = tree_.signature(node);
    const bool leaf = level + 1 == tree_.levels;
    const std::uint64_t half = tree_.side(level + 1);
    const auto middle = std::lower_bound(vertices.begin(), vertices.end(), from + half);
    const std::span<const index_t> parts[2] = {{vertices.begin(), middle},
                                               {middle, vertices.end()}};
    const std::uint64_t first_child = leaf ? 0 : tree_.first_child(node);
    for (unsigned b = 0; b < 4; ++b) {
      if (((signature >> b) & 1U) == 0) continue;
      const unsigned from_half = Reverse ? b & 1U : b >> 1U;
      const unsigned to_half = Reverse ? b >> 1U : b & 1U;
      const auto part = parts[from_half];
      if (part.empty()) continue;
      if (leaf) {
        visit_(part[0], static_cast<index_t>(to + to_half));
      } else {
        descend(level + 1, first_child + popcount(signature & ((1U << b) - 1U)),
                from + from_half * half, to + to_half * half, part);
      }
    }
  }

  const level_order_view& tree_;
  Visit visit_;
};

// The state of a search, shared by the threads of a step.
class search {
 public:
  search(const matrix& a, const bfs_options& options)
      : tree_(a.tree()), options_(options), distances_(a.rows(), unreached) {
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

  // The frontier is cut into pieces that descend on their own; what they find is joined in order.
  template <bool Reverse>
  void walk(std::int32_t distance) {
    constexpr std::size_t piece = 4096;
    const std::size_t pieces = (frontier_.size() + piece - 1) / piece;
    std::vector<std::vector<index_t>> found(pieces);
    tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t i) {
      const auto visit = [&](index_t from, index_t to) {
        if (reach(from, to, distance)) found[i].push_back(to);
      };
      neighbour_walk<Reverse, decltype(visit)>(tree_, visit)
          .run(std::span(frontier_).subspan(i * piece,
                                            std::min(piece, frontier_.size() - i * piece)));
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

  const level_order_view& tree_;
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
