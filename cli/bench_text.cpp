#include "bench_text.hpp"

#include <fmt/format.h>

#include "engines/engines.hpp"
#include "text.hpp"

namespace baltoro::cli {
namespace {

using namespace bench;

std::string milliseconds(double ms) {
  return fmt::format("{:.{}f}", ms, ms < 0.1 ? 5 : ms < 10 ? 4 : 2);
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "";
}

std::string task_text(const task& what) {
  if (what.batch > 1) return fmt::format("B = {}", what.batch);
  const char* const side = what.side == direction::right ? "right" : "left";
  return what.boolean ? fmt::format("Boolean {}", side) : side;
}

const char* word_of(lack lacking) { return lacking == lack::failed ? "FAILED" : "skipped"; }

std::string engines_text(const graph_result& graph) {
  table sizes("lrrr");
  table times("llrrrrrrl");
  std::string notes;
  sizes.row({"engine", "bits/edge", "kept", "working set"});
  times.row({"engine", "product", "ms/vector", "q1", "q3", "/cuSPARSE", "/bCSR", "mJ", "by"});
  for (const engine_result& engine : graph.engines) {
    if (!engine.absent.empty()) {
      notes += fmt::format("{} {}: {}\n", engine.name, engine.failed ? "FAILED" : "is absent",
                           printable(engine.absent));
    }
    if (engine.products.empty()) continue;
    const product_result& right = engine.products.front();
    sizes.row({engine.name,
               fmt::format("{:.3f}", 8 * static_cast<double>(engine.persistent_bytes) /
                                         static_cast<double>(graph.nnz)),
               size_text(engine.persistent_bytes),
               right.time ? size_text(right.needs.total()) : ""});
    for (const product_result& product : engine.products) {
      for (const variant_result& variant : product.variants) {
        if (variant.lacking == lack::none) continue;
        notes += fmt::format("{}, {}, {} {}: {}\n", engine.name, task_text(product.what),
                             variant.name, word_of(variant.lacking), printable(variant.reason));
      }
      if (product.variants.empty() && !product.time) {
        notes += fmt::format("{}, {} {}: {}\n", engine.name, task_text(product.what),
                             word_of(product.lacking), printable(product.reason));
      }
      if (!product.no_energy.empty()) {
        notes += fmt::format("{}, {}, energy skipped: {}\n", engine.name, task_text(product.what),
                             printable(product.no_energy));
      }
      if (!product.time) {
        times.row({engine.name, task_text(product.what), word_of(product.lacking)});
        continue;
      }
      const double vectors = product.what.batch;
      times.row(
          {engine.name, task_text(product.what), milliseconds(product.vector_ms()),
           milliseconds(product.time->ms.q1 / vectors), milliseconds(product.time->ms.q3 / vectors),
           ratio_text(ratio_to(graph, cusparse_name, product)),
           ratio_text(ratio_to(graph, bcsr_name, product)),
           product.energy ? fmt::format("{:.4g}", product.energy->mj_per_product / vectors) : "",
           product.variant});
    }
  }
  return sizes.text() + "\n" + times.text() + (notes.empty() ? "" : "\n" + notes);
}

std::string settings_text(const std::vector<setting_result>& settings, const char* title) {
  if (settings.empty()) return "";
  table list("lrrr");
  list.row({title, "tile", "scratch", "ms/vector"});
  for (const setting_result& s : settings) {
    const bool measured = s.product.time.has_value();
    list.row({s.name, s.tile_nodes == 0 ? "whole levels" : grouped(s.tile_nodes),
              measured ? size_text(s.product.needs.scratch_bytes) : "",
              measured ? milliseconds(s.product.vector_ms())
                       : fmt::format("{}: {}", word_of(s.product.lacking),
                                     printable(s.product.reason))});
  }
  return "\n" + list.text();
}

std::string searches_text(const std::vector<search_result>& searches) {
  if (searches.empty()) return "";
  table list("llrrrr");
  list.row({"search", "edges", "sources", "levels", "working set", "s"});
  for (const search_result& s : searches) {
    list.row({s.engine, s.reverse ? "against" : "along", grouped(s.sources),
              s.seconds ? grouped(s.levels) : "", s.seconds ? size_text(s.needs.total()) : "",
              s.seconds ? fmt::format("{:.4g}", s.seconds->median)
                        : fmt::format("{}: {}", word_of(s.lacking), printable(s.reason))});
  }
  return "\n" + list.text();
}

std::string constructions_text(const graph_result& graph) {
  if (graph.constructions.empty()) return "";
  table list("lllrrrr");
  list.row({"building", "on", "edges from", "device memory", "first s", "s", "M edges/s"});
  for (const construction_result& c : graph.constructions) {
    if (!c.seconds) {
      list.row({name_of(c.kind), name_of(c.where), c.from, "", "", "",
                fmt::format("{}: {}", word_of(c.lacking), printable(c.reason))});
      continue;
    }
    list.row({name_of(c.kind), name_of(c.where), c.from,
              c.device_bytes == 0 ? "" : size_text(c.device_bytes),
              fmt::format("{:.4g}", c.first_seconds), fmt::format("{:.4g}", c.seconds->median),
              fmt::format("{:.0f}", static_cast<double>(graph.nnz) / c.seconds->median * 1e-6)});
  }
  return "\n" + list.text();
}

std::string algorithms_text(const graph_result& graph) {
  if (graph.algorithms.empty()) return "";
  table list("lllrrrrr");
  list.row({"algorithm", "engine", "by", "steps", "working set", "ms", "q1", "q3"});
  for (const algorithm_result& a : graph.algorithms) {
    if (!a.ms) {
      list.row({a.algorithm, a.engine, a.variant, "", "",
                fmt::format("{}: {}", word_of(a.lacking), printable(a.reason))});
      continue;
    }
    list.row({a.algorithm, a.engine, a.variant, grouped(a.steps), size_text(a.needs.total()),
              milliseconds(a.ms->median), milliseconds(a.ms->q1), milliseconds(a.ms->q3)});
  }
  return "\n" + list.text();
}

}  // namespace

std::string context_text(const report& of) {
  std::string text = fmt::format("baltoro {}, {}", of.version, of.date);
  if (!of.commit.empty()) text += ", commit " + of.commit;
  text += fmt::format(", {} threads\n", of.threads);
  if (!of.gpu) return text + "no GPU: " + of.no_gpu + "\n";
  text += fmt::format("{}, driver {}, CUDA {}, cuSPARSE {}\n", of.gpu->name, of.gpu->driver,
                      of.gpu->cuda_runtime, printable(of.gpu->cusparse));
  if (!of.no_hardware.empty()) return text + "hardware FAILED: " + of.no_hardware + "\n";
  if (!of.hardware) return text;
  const hardware_figures& h = *of.hardware;
  return text + fmt::format(
                    "launch {:.2f} us, graph node {:.2f} us, copy {:.0f} GB/s; updates in G/s: "
                    "consecutive atomics {:.1f}, stores {:.1f}, scattered atomics {:.2f}\n",
                    h.launch_us, h.graph_node_us, h.copy_gb_per_s, h.consecutive_atomics_g_s,
                    h.consecutive_stores_g_s, h.scattered_atomics_g_s);
}

std::string graph_text(const graph_result& graph) {
  return fmt::format("\n{}: {} x {}, {} non-zeros, tree {:.3f} bits an edge\n\n",
                     printable(graph.name), grouped(graph.dims.rows), grouped(graph.dims.cols),
                     grouped(graph.nnz), graph.tree_bits_per_edge) +
         engines_text(graph) + settings_text(graph.ablation, "ablation, step by step") +
         settings_text(graph.tiles, "tiles") + searches_text(graph.searches) +
         algorithms_text(graph) + constructions_text(graph);
}

std::string failure_text(std::uint64_t failed) {
  return fmt::format("{} measurement{} failed; the report says which and why", failed,
                     failed == 1 ? "" : "s");
}

}  // namespace baltoro::cli
