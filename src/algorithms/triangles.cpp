#include <baltoro/undirected.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include <tbb/enumerable_thread_specific.h>

#include "algorithms/iterations.hpp"
#include "algorithms/neighbour_walk.hpp"
#include "algorithms/symmetric.hpp"

namespace baltoro {
namespace {

using algorithms::vertex_bits;

constexpr std::uint64_t words = 4;
constexpr std::uint64_t batch = 64 * words;
using row_of_bits = std::array<std::uint64_t, words>;

class triangle_count {
 public:
  explicit triangle_count(const matrix& a)
      : a_(a), neighbours_of_(a.rows()), neighbours_(a.rows()), batch_bits_(a.rows()) {}

  void run(triangles_result& to, const progress_callback& progress) {
    algorithms::reporter report(progress, "counting", "vertices");
    to.at_vertex.assign(a_.rows(), 0);
    for (std::uint64_t first = 0; first < a_.rows(); first += batch) {
      report(first, a_.rows());
      gather(first, std::min<std::uint64_t>(a_.rows(), first + batch));
      if (found_.empty()) continue;
      to.triangles += count(first, to.at_vertex);
      for (const index_t v : found_) {
        neighbours_of_[v] = {};
        neighbours_.erase(v);
      }
      found_.clear();
    }
  }

 private:
  // For every neighbour v of a vertex s of the batch with v > s, bit s − first.
  void gather(std::uint64_t first, std::uint64_t last) {
    std::vector<index_t> vertices;
    for (std::uint64_t s = first; s < last; ++s) {
      vertices.push_back(static_cast<index_t>(s));
      batch_bits_.insert(s);
    }
    tbb::enumerable_thread_specific<std::vector<index_t>> found;
    algorithms::push<false>(a_, vertices, batch_bits_, [&](index_t s, index_t v) {
      if (v <= s) return;
      const std::uint64_t k = s - first;
      std::atomic_ref(neighbours_of_[v][k / 64])
          .fetch_or(1ULL << (k % 64), std::memory_order_relaxed);
      if (neighbours_.merge(v)) found.local().push_back(v);
    });
    for (const index_t s : vertices) batch_bits_.erase(s);
    for (const auto& part : found) found_.insert(found_.end(), part.begin(), part.end());
    for (const index_t v : found_) neighbours_.insert(v);  // with its summary
  }

  // Edges u < v between neighbours.
  std::uint64_t count(std::uint64_t first, std::vector<std::uint64_t>& at_vertex) {
    std::atomic<std::uint64_t> total{0};
    tbb::enumerable_thread_specific<std::array<std::uint64_t, batch>> at_batch;
    algorithms::sweep_leaves(
        a_,
        [&](const algorithms::square& s) {
          return s.row < s.col + (1ULL << s.side_log2) && neighbours_.any(s.row, s.side_log2) &&
                 neighbours_.any(s.col, s.side_log2);
        },
        [&](index_t row8, index_t col8, std::uint64_t pattern) {
          if (row8 > col8) return;
          const std::uint64_t rows = format::bytes_of(neighbours_.byte(row8));
          const std::uint64_t cols = format::columns_of(neighbours_.byte(col8));
          std::uint64_t closed = 0;
          algorithms::for_each_cell(row8, col8, pattern & rows & cols, [&](index_t u, index_t v) {
            if (u < v) closed += close(u, v, at_batch.local(), at_vertex);
          });
          if (closed != 0) total.fetch_add(closed, std::memory_order_relaxed);
        });
    for (const auto& part : at_batch) {
      for (std::uint64_t k = 0; k < batch; ++k) {
        if (part[k] != 0) at_vertex[first + k] += part[k];
      }
    }
    return total;
  }

  std::uint64_t close(index_t u, index_t v, std::array<std::uint64_t, batch>& at_batch,
                      std::vector<std::uint64_t>& at_vertex) {
    std::uint64_t closed = 0;
    for (std::uint64_t w = 0; w < words; ++w) {
      const std::uint64_t common = neighbours_of_[u][w] & neighbours_of_[v][w];
      closed += static_cast<unsigned>(std::popcount(common));
      for (std::uint64_t left = common; left != 0; left &= left - 1) {
        ++at_batch[64 * w + static_cast<unsigned>(std::countr_zero(left))];
      }
    }
    if (closed != 0) {
      std::atomic_ref(at_vertex[u]).fetch_add(closed, std::memory_order_relaxed);
      std::atomic_ref(at_vertex[v]).fetch_add(closed, std::memory_order_relaxed);
    }
    return closed;
  }

  const matrix& a_;
  std::vector<row_of_bits> neighbours_of_;
  vertex_bits neighbours_;
  vertex_bits batch_bits_;
  std::vector<index_t> found_;  // members of neighbours_
};

// Degrees without loops.
std::vector<index_t> degrees_of(const matrix& a) {
  std::vector<index_t> degrees = a.out_degrees();
  algorithms::sweep_leaves(
      a, [](const algorithms::square& s) { return s.row == s.col; },
      [&](index_t row8, index_t col8, std::uint64_t pattern) {
        if (row8 != col8) return;
        algorithms::for_each_cell(row8, col8, pattern, [&](index_t row, index_t col) {
          if (row == col) --degrees[row];
        });
      });
  return degrees;
}

}  // namespace

working_set triangles_needs(const matrix& a) {
  const std::uint64_t n = a.rows();
  return {
      .matrix_bytes = a.bytes().total(),
      .vector_bytes = n * (sizeof(std::uint64_t) + sizeof(double)),
      .scratch_bytes = n * (sizeof(row_of_bits) + 3 * sizeof(index_t)) + 2 * vertex_bits::bytes(n)};
}

triangles_result count_triangles(const matrix& a, const undirected_options& options) {
  check_symmetric(a, "count_triangles");
  triangles_result result;
  result.needs = triangles_needs(a);
  triangle_count(a).run(result, options.progress);
  const std::vector<index_t> degrees = degrees_of(a);
  result.clustering.resize(a.rows());
  for (index_t v = 0; v < a.rows(); ++v) {
    const double pairs = 0.5 * degrees[v] * (static_cast<double>(degrees[v]) - 1);
    result.clustering[v] = pairs > 0 ? static_cast<double>(result.at_vertex[v]) / pairs : 0;
  }
  return result;
}

working_set cores_needs(const matrix& a) {
  const std::uint64_t n = a.rows();
  return {.matrix_bytes = a.bytes().total(),
          .vector_bytes = n * sizeof(index_t),
          .scratch_bytes = 4 * n * sizeof(index_t) + 2 * vertex_bits::bytes(n)};
}

cores_result core_numbers(const matrix& a, const undirected_options& options) {
  check_symmetric(a, "core_numbers");
  cores_result result;
  result.needs = cores_needs(a);
  const index_t n = a.rows();
  std::vector<index_t> degrees = degrees_of(a);
  result.core.assign(n, 0);
  vertex_bits left(n);
  vertex_bits frontier_bits(n);
  left.fill();
  algorithms::reporter report(options.progress, "peeling", "vertices");
  std::uint64_t done = 0;
  std::vector<index_t> frontier;
  for (index_t k = 0; done < n;) {
    report(done, n);
    // The next k at which a vertex goes: the smallest number of neighbours that any has.
    index_t least = max_dimension;
    left.for_each([&](std::uint64_t v) { least = std::min(least, degrees[v]); });
    k = std::max(k, least);
    frontier.clear();
    left.for_each([&](std::uint64_t v) {
      if (degrees[v] <= k) frontier.push_back(static_cast<index_t>(v));
    });
    while (!frontier.empty()) {
      report(done, n);
      for (const index_t v : frontier) {
        result.core[v] = k;
        left.erase(v);
        frontier_bits.insert(v);
      }
      done += frontier.size();
      tbb::enumerable_thread_specific<std::vector<index_t>> found;
      algorithms::visit_neighbours<false>(a, frontier, frontier_bits, [&](index_t, index_t to) {
        if (!left.test(to)) return;
        if (std::atomic_ref(degrees[to]).fetch_sub(1, std::memory_order_relaxed) == k + 1) {
          found.local().push_back(to);
        }
      });
      for (const index_t v : frontier) frontier_bits.erase(v);
      frontier.clear();
      for (const auto& part : found) frontier.insert(frontier.end(), part.begin(), part.end());
      std::sort(frontier.begin(), frontier.end());
    }
    result.degeneracy = k;
  }
  return result;
}

}  // namespace baltoro
