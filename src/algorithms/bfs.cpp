#include <baltoro/bfs.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>

#include "algorithms/iterations.hpp"
#include "algorithms/neighbour_walk.hpp"
#include "algorithms/square.hpp"
#include "cuda/algorithms.hpp"

namespace baltoro {
namespace {

using algorithms::square;
using algorithms::vertex_bits;

// The state of a search, shared by the threads of a step.
class search {
 public:
  search(const matrix& a, const bfs_options& options)
      : a_(a),
        parents_wanted_(options.parents),
        follow_(algorithms::traversal::of(options.reverse, options.undirected)),
        distances_(a.rows(), unreached),
        unreached_(a.rows()),
        frontier_bits_(a.rows()),
        next_(a.rows()) {
    if (options.parents) parents_.assign(a.rows(), no_parent);
    unreached_.fill();
  }

  void start(std::span<const index_t> sources) {
    for (const index_t s : sources) {
      if (distances_[s] != unreached) continue;
      distances_[s] = 0;
      if (parents_wanted_) parents_[s] = s;
      frontier_.push_back(s);
      unreached_.erase(s);
      frontier_bits_.insert(s);
    }
    std::sort(frontier_.begin(), frontier_.end());
    members_ = frontier_.size();
  }

  std::uint64_t members() const { return members_; }

  void step(std::int32_t distance) {
    if (algorithms::is_dense(members_, a_.rows())) {
      ++result_.pull_steps;
      parents_wanted_ ? pull<true>(distance) : pull<false>(distance);
    } else {
      ++result_.push_steps;
      push(distance);
    }
  }

  bfs_result take() && {
    result_.distances = std::move(distances_);
    result_.parents.reserve(parents_.size());
    for (const index_t p : parents_) {
      result_.parents.push_back(p == no_parent ? -1 : static_cast<std::int64_t>(p));
    }
    return std::move(result_);
  }

 private:
  static constexpr std::int32_t unreached = -1;
  static constexpr index_t no_parent = std::numeric_limits<index_t>::max();

  // Keeps the smallest of all parents.
  void keep_parent(index_t from, index_t to) {
    std::atomic_ref<index_t> parent(parents_[to]);
    index_t best = parent.load(std::memory_order_relaxed);
    while (from < best && !parent.compare_exchange_weak(best, from, std::memory_order_relaxed)) {
    }
  }

  void push(std::int32_t distance) {
    if (frontier_.empty()) {  // the last step pulled
      frontier_.reserve(members_);
      frontier_bits_.for_each(
          [&](std::uint64_t v) { frontier_.push_back(static_cast<index_t>(v)); });
    }
    tbb::enumerable_thread_specific<std::vector<index_t>> found;
    const auto visit = [&](index_t from, index_t to) {
      std::atomic_ref<std::int32_t> slot(distances_[to]);
      std::int32_t seen = slot.load(std::memory_order_relaxed);
      const bool fresh = seen == unreached &&
                         slot.compare_exchange_strong(seen, distance, std::memory_order_relaxed);
      if (parents_wanted_ && (fresh || seen == distance)) keep_parent(from, to);
      if (fresh) found.local().push_back(to);
    };
    if (follow_.along) algorithms::push<false>(a_, frontier_, frontier_bits_, visit);
    if (follow_.against) algorithms::push<true>(a_, frontier_, frontier_bits_, visit);
    for (const index_t v : frontier_) frontier_bits_.erase(v);
    frontier_.clear();
    for (const auto& part : found) frontier_.insert(frontier_.end(), part.begin(), part.end());
    tbb::parallel_sort(frontier_.begin(), frontier_.end());
    for (const index_t v : frontier_) {
      frontier_bits_.insert(v);
      unreached_.erase(v);
    }
    members_ = frontier_.size();
  }

  template <bool Parents>
  void pull(std::int32_t distance) {
    if (follow_.along) pull_side<Parents, false>();
    if (follow_.against) pull_side<Parents, true>();
    std::atomic<std::uint64_t> reached{0};
    // A block's words share no word of the summaries with another's.
    static_assert(algorithms::block % 4096 == 0);
    algorithms::for_each_block(a_.rows(), [&](std::uint64_t first, std::uint64_t last) {
      std::uint64_t count = 0;
      for (std::uint64_t w = first / 64; w < (last + 63) / 64; ++w) {
        const std::uint64_t fresh = next_.word(w);
        next_.assign_word(w, 0);
        frontier_bits_.assign_word(w, fresh);
        if (fresh == 0) continue;
        unreached_.assign_word(w, unreached_.word(w) & ~fresh);
        count += static_cast<unsigned>(std::popcount(fresh));
        for (std::uint64_t left = fresh; left != 0; left &= left - 1) {
          distances_[64 * w + static_cast<unsigned>(std::countr_zero(left))] = distance;
        }
      }
      reached += count;
    });
    frontier_.clear();
    members_ = reached;
  }

  // What is unreached is fixed during a step; without parents, a vertex that was found is passed over.
  template <bool Parents, bool Reverse>
  void pull_side() {
    algorithms::sweep_leaves(
        a_,
        [&](const square& s) {
          return frontier_bits_.any(Reverse ? s.col : s.row, s.side_log2) &&
                 unreached_.any(Reverse ? s.row : s.col, s.side_log2);
        },
        [&](index_t row8, index_t col8, std::uint64_t pattern) {
          const index_t from8 = Reverse ? col8 : row8;
          const index_t to8 = Reverse ? row8 : col8;
          const unsigned from = frontier_bits_.byte(from8);
          unsigned to = unreached_.byte(to8);
          if (from == 0 || to == 0) return;
          if constexpr (!Parents) to &= ~next_.merged_byte(to8);
          const unsigned fresh = format::multiply_bits < Reverse
                                     ? direction::right
                                     : direction::left > (pattern, from) & to;
          if (fresh == 0) return;
          next_.merge_byte(to8, fresh);
          if constexpr (Parents) {
            const std::uint64_t rows = format::bytes_of(Reverse ? to : from);
            const std::uint64_t cols = format::columns_of(Reverse ? from : to);
            algorithms::for_each_cell(row8, col8, pattern & rows & cols,
                                      [&](index_t row, index_t col) {
                                        keep_parent(Reverse ? col : row, Reverse ? row : col);
                                      });
          }
        });
  }

  const matrix& a_;
  bool parents_wanted_;
  algorithms::traversal follow_;
  std::vector<std::int32_t> distances_;
  std::vector<index_t> parents_;
  vertex_bits unreached_;
  vertex_bits frontier_bits_;
  vertex_bits next_;
  std::vector<index_t>
      frontier_;  // the same as frontier_bits_, ascending; empty after a step that pulled
  std::uint64_t members_ = 0;  // of the frontier
  bfs_result result_;
};

void check_for_gpu(const matrix& a, const bfs_options& options) {
  if (options.undirected && a.kind() != layout::adaptive) {
    throw invalid_argument(
        "bfs: undirected searches of a level-order matrix run on the CPU, not on a GPU");
  }
  resolve(options.where);
}

}  // namespace

bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options) {
  check_square(a, "bfs");
  check_sources(a, sources);
  if (options.where == device::cuda) {
    check_for_gpu(a, options);
    return cuda::bfs(a, sources, options);
  }
  algorithms::reporter report(options.progress, "searching", "vertices");
  search state(a, options);
  state.start(sources);
  std::vector<std::uint64_t> reached;
  std::uint64_t total = 0;
  for (std::int32_t distance = 1; state.members() != 0; ++distance) {
    reached.push_back(state.members());
    total += state.members();
    report(total, a.rows());
    state.step(distance);
  }
  bfs_result result = std::move(state).take();
  result.reached_per_level = std::move(reached);
  return result;
}

working_set bfs_needs(const matrix& a, const bfs_options& options) {
  const std::uint64_t n = a.rows();
  if (options.where == device::cuda) {
    check_square(a, "bfs");
    check_for_gpu(a, options);
    return n == 0 ? working_set{} : cuda::bfs_needs(a, options);
  }
  // The frontier as a list exists twice while the parts that threads found are joined.
  return {.matrix_bytes = a.bytes().total(),
          .vector_bytes = n * (sizeof(std::int32_t) + (options.parents ? sizeof(std::int64_t) : 0)),
          .scratch_bytes = 2 * n * sizeof(index_t) + 3 * vertex_bits::bytes(n) +
                           (options.parents ? n * sizeof(index_t) : 0)};
}

std::vector<index_t> path_to(const bfs_result& search, index_t target) {
  if (target >= search.distances.size()) {
    throw invalid_argument(fmt::format("path_to: vertex {} is outside the graph of {} vertices",
                                       target, search.distances.size()));
  }
  if (search.parents.size() != search.distances.size()) {
    throw invalid_argument("path_to: the search kept no parents");
  }
  std::vector<index_t> path;
  if (search.distances[target] < 0) return path;
  for (index_t v = target;; v = static_cast<index_t>(search.parents[v])) {
    path.push_back(v);
    if (search.distances[v] == 0) break;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace baltoro
