#include "report/results.hpp"

#include <algorithm>

namespace baltoro::bench {
namespace {

std::uint64_t failures(const product_result& product) {
  const auto failed = std::count_if(product.variants.begin(), product.variants.end(),
                                    [](const auto& v) { return v.lacking == lack::failed; });
  return static_cast<std::uint64_t>(failed);
}

}  // namespace

std::uint64_t failures(const graph_result& graph) {
  std::uint64_t count = 0;
  for (const engine_result& e : graph.engines) {
    if (e.failed) ++count;
    for (const product_result& p : e.products) count += failures(p);
  }
  for (const setting_result& s : graph.ablation) count += failures(s.product);
  for (const setting_result& s : graph.tiles) count += failures(s.product);
  for (const algorithm_result& a : graph.algorithms) count += a.lacking == lack::failed ? 1 : 0;
  for (const search_result& s : graph.searches) count += s.lacking == lack::failed ? 1 : 0;
  for (const construction_result& c : graph.constructions) {
    count += c.lacking == lack::failed ? 1 : 0;
  }
  return count;
}

std::uint64_t failures(const report& of) {
  std::uint64_t count = of.no_hardware.empty() ? 0 : 1;
  for (const graph_result& graph : of.graphs) count += failures(graph);
  return count;
}

const algorithm_result* fastest(const graph_result& graph, const std::string& algorithm,
                                const std::string& engine) {
  const algorithm_result* best = nullptr;
  for (const algorithm_result& a : graph.algorithms) {
    if (a.algorithm != algorithm || a.engine != engine || !a.ms) continue;
    if (best == nullptr || a.ms->median < best->ms->median) best = &a;
  }
  return best;
}

std::optional<double> ratio_to(const graph_result& graph, const std::string& peer,
                               const product_result& product) {
  if (!product.time) return std::nullopt;
  // Peers have products of floats only; a product of bits is compared with theirs.
  task same = product.what;
  same.boolean = false;
  for (const engine_result& e : graph.engines) {
    if (e.name != peer) continue;
    for (const product_result& p : e.products) {
      if (p.what == same && p.time) return product.time->ms.median / p.time->ms.median;
    }
  }
  return std::nullopt;
}

}  // namespace baltoro::bench
