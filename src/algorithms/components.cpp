#include <baltoro/components.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_sort.h>

#include "algorithms/iterations.hpp"
#include "algorithms/neighbour_walk.hpp"
#include "algorithms/square.hpp"

namespace baltoro {
namespace {

using algorithms::vertex_bits;

constexpr index_t none = std::numeric_limits<index_t>::max();

// Numbers components by their smallest vertex. `representative` names one vertex of each component, the same
// for all its vertices.
components_result number(const matrix& a, std::vector<index_t> representative) {
  components_result result;
  result.needs = components_needs(a);
  std::vector<index_t> number_of(representative.size(), none);
  for (index_t& r : representative) {
    index_t& number = number_of[r];
    if (number == none) {
      number = static_cast<index_t>(result.sizes.size());
      result.sizes.push_back(0);
    }
    ++result.sizes[number];
    r = number;
  }
  result.component = std::move(representative);
  return result;
}

// Sets of vertices, joined by many threads. A parent is never larger than its child, so the root of a set is
// its smallest vertex whatever the order of joins.
class disjoint_sets {
 public:
  explicit disjoint_sets(index_t size) : parents_(size) {
    for (index_t v = 0; v < size; ++v) parents_[v] = v;
  }

  void join(index_t u, index_t v) {
    while (true) {
      u = root(u);
      v = root(v);
      if (u == v) return;
      if (u < v) std::swap(u, v);
      index_t expected = u;
      if (std::atomic_ref(parents_[u])
              .compare_exchange_strong(expected, v, std::memory_order_relaxed)) {
        return;
      }
    }
  }

  // Halves the path on its way.
  index_t root(index_t v) {
    index_t parent = at(v);
    while (parent != v) {
      const index_t next = at(parent);
      if (next != parent) {
        std::atomic_ref(parents_[v]).compare_exchange_weak(parent, next, std::memory_order_relaxed);
      }
      v = next;
      parent = at(v);
    }
    return v;
  }

  std::vector<index_t> roots() && {
    for (index_t v = 0; v < parents_.size(); ++v) parents_[v] = parents_[parents_[v]];
    return std::move(parents_);
  }

 private:
  index_t at(index_t v) { return std::atomic_ref(parents_[v]).load(std::memory_order_relaxed); }

  std::vector<index_t> parents_;
};

// The search for strongly connected components. `active` are the vertices whose component is not known.
class strong_search {
 public:
  strong_search(const matrix& a, const components_options& options)
      : a_(a),
        report_(options.progress, "searching", "vertices"),
        representative_(a.rows(), none),
        colours_(a.rows(), none),
        active_(a.rows()),
        frontier_bits_(a.rows()),
        marked_(a.rows()) {
    active_.fill();
    left_ = a.rows();
  }

  std::vector<index_t> run() {
    peel();
    if (left_ > 0) take_component_of(pivot());
    while (left_ > 0) {
      peel();
      if (left_ > 0) colour_round();
    }
    return std::move(representative_);
  }

 private:
  void settle(index_t v, index_t representative) {
    representative_[v] = representative;
    active_.erase(v);
    --left_;
  }

  void report() { report_(a_.rows() - left_, a_.rows()); }

  // Visits the active neighbours of the vertices of frontier_, which becomes those for which visit(from, to)
  // returned true, at most once for each vertex.
  template <bool Reverse, class Visit>
  void step(const Visit& visit) {
    tbb::enumerable_thread_specific<std::vector<index_t>> found;
    for (const index_t v : frontier_) frontier_bits_.insert(v);
    algorithms::visit_neighbours<Reverse>(a_, frontier_, frontier_bits_,
                                          [&](index_t from, index_t to) {
                                            if (visit(from, to)) found.local().push_back(to);
                                          });
    for (const index_t v : frontier_) frontier_bits_.erase(v);
    frontier_.clear();
    for (const auto& part : found) frontier_.insert(frontier_.end(), part.begin(), part.end());
    tbb::parallel_sort(frontier_.begin(), frontier_.end());
    report();
  }

  // Vertices without active predecessors, or without active successors, are components by themselves, and so
  // are those that this makes so.
  void peel() {
    peel_side<false>();
    peel_side<true>();
  }

  template <bool Reverse>
  void peel_side() {
    // Edges between active vertices into (Reverse: out of) each, loops not counted.
    std::vector<index_t> degrees(a_.rows());
    algorithms::sweep_leaves(
        a_,
        [&](const algorithms::square& s) {
          return active_.any(s.row, s.side_log2) && active_.any(s.col, s.side_log2);
        },
        [&](index_t row8, index_t col8, std::uint64_t pattern) {
          const std::uint64_t rows = format::bytes_of(active_.byte(row8));
          const std::uint64_t cols = format::columns_of(active_.byte(col8));
          algorithms::for_each_cell(row8, col8, pattern & rows & cols,
                                    [&](index_t row, index_t col) {
                                      if (row == col) return;
                                      std::atomic_ref(degrees[Reverse ? row : col])
                                          .fetch_add(1, std::memory_order_relaxed);
                                    });
        });
    frontier_.clear();
    active_.for_each([&](std::uint64_t v) {
      if (degrees[v] == 0) frontier_.push_back(static_cast<index_t>(v));
    });
    while (!frontier_.empty()) {
      for (const index_t v : frontier_) settle(v, v);
      step<Reverse>([&](index_t from, index_t to) {
        if (from == to || !active_.test(to)) return false;
        return std::atomic_ref(degrees[to]).fetch_sub(1, std::memory_order_relaxed) == 1;
      });
    }
  }

  // An active vertex that many paths go through.
  index_t pivot() const {
    const std::vector<index_t> out = a_.out_degrees();
    const std::vector<index_t> in = a_.in_degrees();
    index_t best = none;
    std::uint64_t most = 0;
    active_.for_each([&](std::uint64_t v) {
      const std::uint64_t through = (std::uint64_t{out[v]} + 1) * (std::uint64_t{in[v]} + 1);
      if (through > most) {
        most = through;
        best = static_cast<index_t>(v);
      }
    });
    return best;
  }

  // What is reached from the pivot along the edges and against them.
  void take_component_of(index_t pivot) {
    std::vector<index_t> component;
    marked_.clear();
    frontier_ = {pivot};
    marked_.insert(pivot);
    while (!frontier_.empty()) {
      step<false>([&](index_t, index_t to) { return active_.test(to) && marked_.merge(to); });
    }
    vertex_bits back(a_.rows());
    frontier_ = {pivot};
    back.insert(pivot);
    while (!frontier_.empty()) {
      component.insert(component.end(), frontier_.begin(), frontier_.end());
      step<true>([&](index_t, index_t to) { return marked_.test(to) && back.merge(to); });
    }
    for (const index_t v : component) settle(v, pivot);
  }

  // Every active vertex gets the largest active vertex that reaches it as its colour. A vertex of its own
  // colour and what reaches it inside the colour are a component.
  void colour_round() {
    frontier_.clear();
    active_.for_each([&](std::uint64_t v) {
      colours_[v] = static_cast<index_t>(v);
      frontier_.push_back(static_cast<index_t>(v));
    });
    std::vector<index_t> roots;
    while (!frontier_.empty()) {
      marked_.clear();
      step<false>([&](index_t from, index_t to) {
        if (!active_.test(to)) return false;
        const index_t colour = std::atomic_ref(colours_[from]).load(std::memory_order_relaxed);
        std::atomic_ref<index_t> slot(colours_[to]);
        index_t seen = slot.load(std::memory_order_relaxed);
        while (seen < colour) {
          if (slot.compare_exchange_weak(seen, colour, std::memory_order_relaxed)) {
            return marked_.merge(to);
          }
        }
        return false;
      });
    }
    active_.for_each([&](std::uint64_t v) {
      if (colours_[v] == v) roots.push_back(static_cast<index_t>(v));
    });
    marked_.clear();
    for (const index_t root : roots) marked_.insert(root);
    frontier_ = std::move(roots);
    std::vector<index_t> found;
    while (!frontier_.empty()) {
      found.insert(found.end(), frontier_.begin(), frontier_.end());
      step<true>([&](index_t from, index_t to) {
        return active_.test(to) && colours_[to] == colours_[from] && marked_.merge(to);
      });
    }
    for (const index_t v : found) settle(v, colours_[v]);
  }

  const matrix& a_;
  algorithms::reporter report_;
  std::vector<index_t> representative_;
  std::vector<index_t> colours_;
  vertex_bits active_;
  vertex_bits frontier_bits_;
  vertex_bits marked_;
  std::vector<index_t> frontier_;  // ascending
  std::uint64_t left_ = 0;         // active vertices
};

}  // namespace

index_t components_result::largest() const {
  return static_cast<index_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
}

working_set components_needs(const matrix& a) {
  const std::uint64_t n = a.rows();
  return {.matrix_bytes = a.bytes().total(),
          .vector_bytes = n * (sizeof(index_t) + sizeof(std::uint64_t)),
          .scratch_bytes = 6 * n * sizeof(index_t) + 4 * vertex_bits::bytes(n)};
}

components_result weak_components(const matrix& a, const components_options& options) {
  check_square(a, "weak_components");
  disjoint_sets sets(a.rows());
  algorithms::reporter report(options.progress, "joining", "passes");
  report(0, 1);
  algorithms::sweep_leaves(a, [&](index_t row8, index_t col8, std::uint64_t pattern) {
    algorithms::for_each_cell(row8, col8, pattern,
                              [&](index_t row, index_t col) { sets.join(row, col); });
  });
  return number(a, std::move(sets).roots());
}

components_result strong_components(const matrix& a, const components_options& options) {
  check_square(a, "strong_components");
  return number(a, strong_search(a, options).run());
}

}  // namespace baltoro
