#include "runs/bench.hpp"

#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/threads.hpp>
#include <baltoro/version.hpp>

#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "engines/engines.hpp"
#include "runs/algorithms.hpp"
#include "runs/construction.hpp"
#include "runs/products.hpp"
#include "runs/search.hpp"
#include "runs/settings.hpp"

namespace baltoro::bench {
namespace {

std::string now() {
  const auto time = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(time));
}

// One entry with the reason, so that nobody looks for the figures.
void skip_what_needs_a_gpu(graph_result& to, const bench_options& options) {
  const std::string& reason = query_cuda().reason;
  setting_result setting;
  setting.name = "all";
  setting.product.lacking = lack::skipped;
  setting.product.reason = reason;
  if (options.ablation) to.ablation.push_back(setting);
  if (options.tiles) to.tiles.push_back(setting);
  if (options.algorithms) {
    algorithm_result& algorithm = to.algorithms.emplace_back();
    algorithm.algorithm = "all";
    algorithm.engine = "all";
    algorithm.lacking = lack::skipped;
    algorithm.reason = reason;
  }
  if (!options.sources) return;
  search_result search;
  search.engine = "all";
  search.sources = *options.sources;
  search.lacking = lack::skipped;
  search.reason = reason;
  to.searches.push_back(search);
}

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const engine_kind& kind : engine_kinds()) names.push_back(kind.name);
  return names;
}

std::vector<index_t> every_batch_width() { return {1, 2, 4, 8, 16, 32, 64, 128, 256}; }

report begin_report(const bench_options& options) {
  report result;
  result.date = now();
  result.version = version();
  result.commit = BALTORO_COMMIT;
  result.threads = thread_limit::current();
  result.how = options.how;
  if (!query_cuda().usable) {
    result.no_gpu = query_cuda().reason;
    return result;
  }
  result.gpu = identify_gpu();
  if (!options.hardware) return result;
  options.note("what the hardware can do");
  try {
    result.hardware = measure_hardware(options.how);
  } catch (const error& failure) {
    result.no_hardware = failure.what();
  }
  return result;
}

void describe(graph_result& to, const matrix& a) {
  if (a.nnz() == 0) throw invalid_argument("the matrix has no non-zeros: nothing can be measured");
  to.dims = a.dims();
  to.nnz = a.nnz();
  to.nodes = a.tree().nodes();
  to.levels = a.tree().levels;
  to.tree_bits_per_edge = a.bits_per_edge();
  to.bytes = a.bytes();
}

void measure_graph(report& to, subject& graph, const bench_options& options) {
  graph_result& result = to.graphs.back();
  describe(result, graph.compressed());
  if (options.construction) {
    measure_construction(result, graph, options);
    return;
  }
  measure_engines(result, graph, options);
  if (!query_cuda().usable) {
    skip_what_needs_a_gpu(result, options);
    return;
  }
  if (options.ablation) measure_ablation(result, graph, options);
  if (options.tiles) measure_tiles(result, graph, options);
  if (options.sources) measure_searches(result, graph, options);
  if (options.algorithms) measure_algorithms(result, graph, options);
}

}  // namespace baltoro::bench
