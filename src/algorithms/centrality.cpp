#include <baltoro/bfs.hpp>
#include <baltoro/centrality.hpp>
#include <baltoro/components.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "algorithms/iterations.hpp"
#include "algorithms/multi_search.hpp"
#include "algorithms/square.hpp"

namespace baltoro {

std::vector<index_t> sample_vertices(index_t vertices, std::uint64_t count, std::uint64_t seed) {
  std::vector<index_t> sample;
  sample.reserve(std::min<std::uint64_t>(vertices, count));
  // Knuth's selection sampling; the engine's numbers are the same with every standard library.
  std::mt19937_64 random(seed);
  for (index_t v = 0; v < vertices && sample.size() < count; ++v) {
    const std::uint64_t wanted = count - sample.size();
    const std::uint64_t left = vertices - v;
    if (wanted >= left || random() % left < wanted) sample.push_back(v);
  }
  return sample;
}

namespace {

constexpr std::uint64_t sources_at_once = 256;

void check_distinct(const matrix& a, std::span<const index_t> sources) {
  algorithms::vertex_bits seen(a.rows());
  for (const index_t s : sources) {
    if (seen.test(s)) {
      throw invalid_argument(fmt::format("distance_centrality: source {} is given twice", s));
    }
    seen.insert(s);
  }
}

// What is known of a vertex's distances.
struct distance_sums {
  std::uint64_t sum = 0;
  double inverses = 0;
  std::uint64_t count = 0;
};

}  // namespace

working_set distance_centrality_needs(const matrix& a) {
  const std::uint64_t n = a.rows();
  return {.matrix_bytes = a.bytes().total(),
          .vector_bytes = 2 * sizeof(double) * n,
          .scratch_bytes = sizeof(distance_sums) * n + 2 * algorithms::vertex_bits::bytes(n) +
                           algorithms::multi_search::bytes(n, sources_at_once)};
}

distance_centrality_result distance_centrality(const matrix& a, std::span<const index_t> sources,
                                               const distance_centrality_options& options) {
  check_square(a, "distance_centrality");
  check_sources(a, sources);
  check_distinct(a, sources);
  const std::uint64_t n = a.rows();
  std::vector<distance_sums> sums(n);
  algorithms::reporter report(options.progress, "searching", "sources");
  for (std::uint64_t first = 0; first < sources.size(); first += sources_at_once) {
    const auto part = sources.subspan(first, std::min(sources_at_once, sources.size() - first));
    algorithms::multi_search search(a, part,
                                    algorithms::traversal::of(options.reverse, options.undirected));
    for (std::uint64_t distance = 1; search.found() != 0; ++distance) {
      report(first, sources.size());
      search.step([&](std::uint64_t v, std::uint64_t, std::uint64_t fresh) {
        const auto count = static_cast<unsigned>(std::popcount(fresh));
        sums[v].sum += distance * count;
        sums[v].inverses += static_cast<double>(count) / static_cast<double>(distance);
        sums[v].count += count;
      });
    }
  }
  distance_centrality_result result;
  result.needs = distance_centrality_needs(a);
  result.closeness.resize(n);
  result.harmonic.resize(n);
  algorithms::vertex_bits is_source(n);
  for (const index_t s : sources) is_source.insert(s);
  for (std::uint64_t v = 0; v < n; ++v) {
    const auto others = static_cast<double>(sources.size() - (is_source.test(v) ? 1U : 0U));
    if (sums[v].count == 0) continue;
    const auto count = static_cast<double>(sums[v].count);
    result.closeness[v] = count / static_cast<double>(sums[v].sum) * (count / others);
    result.harmonic[v] = sums[v].inverses * (static_cast<double>(n - 1) / others);
  }
  return result;
}

namespace {

// One batch of Brandes' algorithm. All tables are n × B, row-major.
class brandes {
 public:
  brandes(const matrix& a, const betweenness_options& options)
      : n_(a.rows()),
        batch_(options.batch),
        out_(a, {.side = direction::left,
                 .batch = options.batch,
                 .where = options.where,
                 .cuda = options.cuda}),
        back_(a, {.side = direction::right,
                  .batch = options.batch,
                  .where = options.where,
                  .cuda = options.cuda}) {}

  working_set needs() const {
    working_set needs = out_.needs();
    needs.scratch_bytes += back_.needs().scratch_bytes;
    needs.vector_bytes += n_ * batch_ * (2 * sizeof(double) + sizeof(std::int32_t));
    return needs;
  }
  device where() const { return out_.where(); }

  // Adds what depends on each vertex to `scores`. No more than B sources.
  void run(std::span<const index_t> sources, std::vector<double>& scores) {
    const std::uint64_t size = n_ * batch_;
    distances_.assign(size, -1);
    paths_.assign(size, 0);
    depends_.assign(size, 0);
    x_.assign(size, 0);
    y_.resize(size);
    for (std::uint64_t k = 0; k < sources.size(); ++k) {
      const std::uint64_t at = sources[k] * batch_ + k;
      distances_[at] = 0;
      paths_[at] = 1;
      x_[at] = 1;
    }
    std::int32_t level = 0;
    for (bool found = true; found; ++level) {
      out_.run(x_, y_);
      found = advance(level + 1);
    }
    // The last level that was found is `level` − 1.
    for (--level; level > 0; --level) {
      over_entries([&](std::uint64_t at) {
        x_[at] = distances_[at] == level ? (1 + depends_[at]) / paths_[at] : 0;
      });
      back_.run(x_, y_);
      over_entries([&](std::uint64_t at) {
        if (distances_[at] == level - 1) depends_[at] = y_[at] * paths_[at];
      });
    }
    over_vertices([&](std::uint64_t v) {
      for (std::uint64_t k = 0; k < sources.size(); ++k) {
        if (sources[k] != v) scores[v] += depends_[v * batch_ + k];
      }
    });
  }

 private:
  template <class Body>
  void over_vertices(const Body& body) const {
    algorithms::for_each_block(n_, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t v = first; v < last; ++v) body(v);
    });
  }
  template <class Body>
  void over_entries(const Body& body) const {
    algorithms::for_each_block(n_ * batch_, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t at = first; at < last; ++at) body(at);
    });
  }

  // Paths that end at vertices not met before are those of the next level.
  bool advance(std::int32_t level) {
    std::atomic<bool> found{false};
    algorithms::for_each_block(n_ * batch_, [&](std::uint64_t first, std::uint64_t last) {
      bool any = false;
      for (std::uint64_t at = first; at < last; ++at) {
        const bool fresh = distances_[at] < 0 && y_[at] > 0;
        x_[at] = fresh ? y_[at] : 0;
        if (!fresh) continue;
        distances_[at] = level;
        paths_[at] = y_[at];
        any = true;
      }
      if (any) found.store(true, std::memory_order_relaxed);
    });
    return found;
  }

  std::uint64_t n_;
  std::uint64_t batch_;
  plan<double> out_;
  plan<double> back_;
  std::vector<std::int32_t> distances_;
  std::vector<double> paths_;
  std::vector<double> depends_;
  std::vector<double> x_;
  std::vector<double> y_;
};

}  // namespace

working_set betweenness_needs(const matrix& a, const betweenness_options& options) {
  working_set needs = brandes(a, options).needs();
  needs.vector_bytes += a.rows() * sizeof(double);
  return needs;
}

betweenness_result betweenness(const matrix& a, std::span<const index_t> sources,
                               const betweenness_options& options) {
  check_square(a, "betweenness");
  check_sources(a, sources);
  betweenness_result result;
  brandes batch(a, options);
  result.needs = batch.needs();
  result.needs.vector_bytes += a.rows() * sizeof(double);
  result.where = batch.where();
  result.scores.assign(a.rows(), 0);
  algorithms::reporter report(options.progress, "searching", "sources");
  for (std::uint64_t first = 0; first < sources.size(); first += options.batch) {
    report(first, sources.size());
    batch.run(
        sources.subspan(first, std::min<std::uint64_t>(options.batch, sources.size() - first)),
        result.scores);
  }
  const auto n = static_cast<double>(a.rows());
  if (a.rows() < 3 || sources.empty()) {
    result.scores.assign(a.rows(), 0);
    return result;
  }
  const double scale = n / static_cast<double>(sources.size()) / ((n - 1) * (n - 2));
  for (double& score : result.scores) score *= scale;
  return result;
}

working_set diameter_needs(const matrix& a) {
  bfs_options options;
  options.undirected = true;
  working_set needs = bfs_needs(a, options);
  const working_set components = components_needs(a);
  needs.vector_bytes += 2 * sizeof(index_t) * a.rows() + components.vector_bytes;
  needs.scratch_bytes = std::max(needs.scratch_bytes, components.scratch_bytes);
  return needs;
}

diameter_result diameter_bounds(const matrix& a, const diameter_options& options) {
  check_square(a, "diameter_bounds");
  if (options.max_searches == 0) {
    throw invalid_argument("diameter_bounds: max_searches 0: at least one search is needed");
  }
  diameter_result result;
  result.needs = diameter_needs(a);
  if (a.rows() == 0) return result;
  const components_result components = weak_components(a);
  const index_t component = components.largest();
  result.vertices = components.sizes[component];
  if (result.vertices == 1) return result;
  // Bounds of the eccentricity of each vertex of the component.
  std::vector<index_t> lower(a.rows(), 0);
  std::vector<index_t> upper(a.rows(), max_dimension);
  result.upper = max_dimension;
  algorithms::reporter report(options.progress, "searching", "searches");
  // First from the vertex with the most edges, then in turns from where the bounds are farthest apart.
  index_t from = 0;
  {
    const std::vector<index_t> out = a.out_degrees();
    std::uint64_t most = 0;
    for (index_t v = 0; v < a.rows(); ++v) {
      if (components.component[v] == component && out[v] + std::uint64_t{1} > most) {
        most = out[v] + std::uint64_t{1};
        from = v;
      }
    }
  }
  for (bool at_upper = true; result.searches < options.max_searches; at_upper = !at_upper) {
    report(result.searches, options.max_searches);
    bfs_options how;
    how.undirected = true;
    const bfs_result found = bfs(a, {&from, 1}, how);
    ++result.searches;
    const auto eccentricity = static_cast<index_t>(found.reached_per_level.size() - 1);
    index_t largest = 0;
    index_t next = from;
    for (index_t v = 0; v < a.rows(); ++v) {
      if (components.component[v] != component) continue;
      const auto distance = static_cast<index_t>(found.distances[v]);
      lower[v] = std::max({lower[v], distance, eccentricity - distance});
      upper[v] = std::min(upper[v], eccentricity + distance);
      largest = std::max(largest, upper[v]);
      result.lower = std::max(result.lower, lower[v]);
    }
    result.upper = largest;
    if (result.lower == result.upper) break;
    // A vertex that cannot change a bound any more is not searched from.
    bool any = false;
    for (index_t v = 0; v < a.rows(); ++v) {
      if (components.component[v] != component || lower[v] == upper[v]) continue;
      const bool better = at_upper ? upper[v] > upper[next] : lower[v] < lower[next];
      if (!any || better) next = v;
      any = true;
    }
    if (!any) break;
    from = next;
  }
  return result;
}

}  // namespace baltoro
