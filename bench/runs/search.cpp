#include "runs/search.hpp"

#include <baltoro/bfs.hpp>
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

#include <fmt/format.h>

#include "runs/guarded.hpp"

namespace baltoro::bench {
namespace {

constexpr unsigned runs = 3;

// Vertices at random, the same in every run of the program.
std::vector<index_t> draw_sources(index_t vertices, index_t count) {
  std::mt19937_64 random(1);
  std::vector<index_t> sources;
  for (index_t k = 0; k < count; ++k) {
    sources.push_back(static_cast<index_t>(random() % vertices));
  }
  return sources;
}

void require_right(const matrix& a, const std::vector<index_t>& sources, bool reverse,
                   std::uint32_t most_levels, const multi_source_result& found) {
  const auto count = static_cast<index_t>(sources.size());
  for (const index_t k : std::set{index_t{0}, count / 3, 2 * count / 3, count - 1}) {
    const bfs_result right = bfs(a, {&sources[k], 1}, {.reverse = reverse, .where = device::cpu});
    for (std::uint64_t v = 0; v < a.rows(); ++v) {
      const std::int32_t distance = found.distances[v * count + k];
      std::int32_t expected = right.distances[v];
      if (expected >= 0 && static_cast<std::uint32_t>(expected) > most_levels) expected = -1;
      if (distance != expected) {
        throw wrong_result(fmt::format("wrong result: vertex {} is {} edges from {}, not {}", v,
                                       expected, sources[k], distance));
      }
    }
  }
}

void search(search_result& to, const matrix& a, const std::vector<index_t>& sources,
            const cuda_options& how) {
  const multi_source_options options = {
      .reverse = to.reverse, .max_levels = to.most_levels, .where = device::cuda, .cuda = how};
  std::vector<double> seconds;
  // The first run loads the kernels; it is checked and does not count.
  for (unsigned run = 0; run <= runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const multi_source_result found = multi_source_bfs(a, sources, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (run > 0) {
      seconds.push_back(took.count());
      continue;
    }
    require_right(a, sources, to.reverse, to.most_levels, found);
    to.levels = found.levels;
    to.needs = found.needs;
  }
  to.runs = runs;
  to.seconds = quartiles_of(std::move(seconds));
}

}  // namespace

void measure_searches(graph_result& to, subject& graph, const bench_options& options) {
  const matrix& a = graph.compressed();
  for (const cuda_configuration kept :
       {cuda_configuration::tree_only, cuda_configuration::cached_frontier}) {
    for (const bool reverse : {false, true}) {
      search_result result;
      result.engine = std::string("level_order_") + name_of(kept);
      result.reverse = reverse;
      result.sources = *options.sources;
      result.most_levels = options.most_levels;
      options.note(fmt::format("{}: search from {} sources {} the edges, {}", graph.name(),
                               result.sources, reverse ? "against" : "along", result.engine));
      result.lacking = guarded(result.reason, [&] {
        if (a.rows() != a.cols()) throw not_compiled("the matrix is not square");
        const cuda_options how{.configuration = kept, .scratch = make_cuda_scratch()};
        plan<float> holder(a, {.where = device::cuda, .cuda = how});
        holder.prepare();  // keeps the matrix on the GPU
        search(result, a, draw_sources(a.rows(), result.sources), how);
      });
      to.searches.push_back(std::move(result));
      options.on_change();
    }
  }
}

}  // namespace baltoro::bench
