#include "report/json.hpp"

#include <baltoro/error.hpp>

#include <cerrno>
#include <fstream>

#include <fmt/format.h>

#include "engines/engines.hpp"
#include "graph/csr.hpp"

namespace baltoro::bench {
namespace {

using json = nlohmann::ordered_json;

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }
json number_or_null(const std::optional<double>& number) { return number ? json(*number) : json(); }

json to_json(const working_set& needs) {
  return {{"matrix_bytes", needs.matrix_bytes},
          {"vector_bytes", needs.vector_bytes},
          {"scratch_bytes", needs.scratch_bytes},
          {"total_bytes", needs.total()}};
}

// Why there are no figures: {"skipped": reason} or {"failed": reason}.
void add_lack(json& to, lack lacking, const std::string& reason) {
  if (lacking == lack::skipped) to["skipped"] = reason;
  if (lacking == lack::failed) to["failed"] = reason;
}

// Milliseconds of one vector.
void add_time(json& to, const timing& time, index_t batch) {
  const double vectors = batch;
  to["median_ms"] = time.ms.median / vectors;
  to["q1_ms"] = time.ms.q1 / vectors;
  to["q3_ms"] = time.ms.q3 / vectors;
  to["runs"] = time.runs;
  to["products_per_run"] = time.products_per_run;
}

json to_json(const energy_use& energy, index_t batch) {
  return {{"mj", energy.mj_per_product / batch},
          {"watts", energy.watts},
          {"seconds", energy.seconds},
          {"products", energy.products}};
}

json to_json(const product_result& product) {
  json result = {{"batch", product.what.batch}};
  add_lack(result, product.lacking, product.reason);
  if (product.time) {
    add_time(result, *product.time, product.what.batch);
    result["variant"] = product.variant;
    result["working_set"] = to_json(product.needs);
  }
  if (product.energy) result["energy"] = to_json(*product.energy, product.what.batch);
  if (!product.no_energy.empty()) result["energy"] = {{"skipped", product.no_energy}};
  json variants = json::array();
  for (const variant_result& variant : product.variants) {
    json entry = {{"name", variant.name}};
    add_lack(entry, variant.lacking, variant.reason);
    if (variant.time) {
      add_time(entry, *variant.time, product.what.batch);
      entry["scratch_bytes"] = variant.needs.scratch_bytes;
    }
    variants.push_back(std::move(entry));
  }
  result["variants"] = std::move(variants);
  return result;
}

json to_json(const graph_result& graph, const product_result& product) {
  json result = to_json(product);
  if (product.time) {
    result["ratio_to_cusparse"] = number_or_null(ratio_to(graph, cusparse_name, product));
    result["ratio_to_bcsr"] = number_or_null(ratio_to(graph, bcsr_name, product));
  }
  return result;
}

json to_json(const graph_result& graph, const engine_result& engine) {
  json result = {{"name", engine.name}};
  if (!engine.absent.empty()) {
    result[engine.failed ? "failed" : "absent"] = engine.absent;
    if (engine.products.empty()) return result;
  }
  result["bits_per_edge"] =
      8 * static_cast<double>(engine.persistent_bytes) / static_cast<double>(graph.nnz);
  result["persistent_bytes"] = engine.persistent_bytes;
  json batches = json::array();
  for (const product_result& product : engine.products) {
    if (product.what.batch > 1) {
      batches.push_back(to_json(graph, product));
      continue;
    }
    const char* const side = product.what.side == direction::right ? "right" : "left";
    result[product.what.boolean ? fmt::format("boolean_{}", side) : side] = to_json(graph, product);
  }
  result["batch"] = std::move(batches);
  return result;
}

json to_json(const setting_result& setting, const char* name) {
  json result = {{name, setting.name}, {"tile_nodes", setting.tile_nodes}};
  result.update(to_json(setting.product));
  return result;
}

json to_json(const search_result& search) {
  json result = {{"engine", search.engine},
                 {"direction", search.reverse ? "reverse" : "forward"},
                 {"sources", search.sources}};
  add_lack(result, search.lacking, search.reason);
  if (search.seconds) {
    result["median_s"] = search.seconds->median;
    result["q1_s"] = search.seconds->q1;
    result["q3_s"] = search.seconds->q3;
    result["runs"] = search.runs;
    result["levels"] = search.levels;
    if (search.most_levels != no_limit) result["most_levels"] = search.most_levels;
    result["working_set"] = to_json(search.needs);
  }
  return result;
}

json to_json(const construction_result& built, std::uint64_t edges) {
  json result = {{"layout", name_of(built.kind)},
                 {"device", name_of(built.where)},
                 {"edges_from", built.from}};
  add_lack(result, built.lacking, built.reason);
  if (built.seconds) {
    result["median_s"] = built.seconds->median;
    result["q1_s"] = built.seconds->q1;
    result["q3_s"] = built.seconds->q3;
    result["first_s"] = built.first_seconds;
    result["runs"] = built.runs;
    result["edges_per_s"] = static_cast<double>(edges) / built.seconds->median;
    result["device_bytes"] = built.device_bytes;
  }
  return result;
}

json to_json(const graph_result& graph, const algorithm_result& of) {
  json result = {{"algorithm", of.algorithm}, {"engine", of.engine}, {"variant", of.variant}};
  add_lack(result, of.lacking, of.reason);
  if (!of.ms) return result;
  result["median_ms"] = of.ms->median;
  result["q1_ms"] = of.ms->q1;
  result["q3_ms"] = of.ms->q3;
  result["runs"] = of.runs;
  result["steps"] = of.steps;
  result["working_set"] = to_json(of.needs);
  for (const char* peer : {cusparse_name, bcsr_name}) {
    const algorithm_result* const other = fastest(graph, of.algorithm, peer);
    if (other == nullptr) continue;
    result[fmt::format("time_ratio_to_{}", peer)] = of.ms->median / other->ms->median;
    result[fmt::format("memory_ratio_to_{}", peer)] =
        static_cast<double>(of.needs.total()) / static_cast<double>(other->needs.total());
  }
  return result;
}

json gpu_json(const report& of) {
  if (!of.gpu) return {{"absent", of.no_gpu}};
  const gpu_identity& gpu = *of.gpu;
  return {{"name", gpu.name},
          {"compute_capability", gpu.compute_capability},
          {"multiprocessors", gpu.multiprocessors},
          {"memory_bytes", gpu.memory_bytes},
          {"l2_cache_bytes", gpu.cache_bytes},
          {"driver", gpu.driver},
          {"cuda_driver", gpu.cuda_driver},
          {"cuda_runtime", gpu.cuda_runtime},
          {"cusparse", gpu.cusparse}};
}

json hardware_json(const report& of) {
  if (!of.hardware) {
    if (!of.no_hardware.empty()) return {{"failed", of.no_hardware}};
    return {{"skipped", of.no_gpu.empty() ? "not asked for" : of.no_gpu}};
  }
  const hardware_figures& figures = *of.hardware;
  return {{"launch_us", figures.launch_us},
          {"graph_node_us", figures.graph_node_us},
          {"copy_gb_per_s", figures.copy_gb_per_s},
          {"entries", figures.entries},
          {"consecutive_atomics_g_per_s", figures.consecutive_atomics_g_s},
          {"consecutive_stores_g_per_s", figures.consecutive_stores_g_s},
          {"scattered_atomics_g_per_s", figures.scattered_atomics_g_s}};
}

}  // namespace

json to_json(const graph_result& graph) {
  const std::uint64_t without_values = csr_bytes(graph.dims, graph.nnz);
  json result = {{"name", graph.name},
                 {"file", graph.file},
                 {"relation", graph.relation},
                 {"copies", graph.copies},
                 {"rows", graph.dims.rows},
                 {"cols", graph.dims.cols},
                 {"nnz", graph.nnz},
                 {"nodes", graph.nodes},
                 {"levels", graph.levels},
                 {"bits_per_edge", graph.tree_bits_per_edge},
                 {"bytes",
                  {{"tree", graph.bytes.tree},
                   {"tree_with_directory", graph.bytes.total()},
                   {"csr_float", without_values + 4 * graph.nnz},
                   {"csr_boolean", without_values},
                   {"bvgraph", graph.bvgraph_bytes ? json(*graph.bvgraph_bytes) : json()}}}};
  result["engines"] = json::array();
  for (const engine_result& engine : graph.engines) {
    result["engines"].push_back(to_json(graph, engine));
  }
  for (const setting_result& s : graph.ablation) result["ablation"].push_back(to_json(s, "step"));
  for (const setting_result& s : graph.tiles) result["tiles"].push_back(to_json(s, "offsets"));
  for (const search_result& s : graph.searches) result["search"].push_back(to_json(s));
  for (const construction_result& c : graph.constructions) {
    result["construction"].push_back(to_json(c, graph.nnz));
  }
  for (const algorithm_result& a : graph.algorithms) {
    result["algorithms"].push_back(to_json(graph, a));
  }
  return result;
}

json to_json(const report& of) {
  json result = {{"context",
                  {{"date", of.date},
                   {"baltoro", of.version},
                   {"commit", text_or_null(of.commit)},
                   {"threads", of.threads},
                   {"gpu", gpu_json(of)}}},
                 {"protocol",
                  {{"runs", of.how.runs},
                   {"run_ms", of.how.run_ms},
                   {"slowest_ms", of.how.slowest_ms},
                   {"times", "milliseconds of one product and vector"}}},
                 {"hardware", hardware_json(of)},
                 {"failures", failures(of)},
                 {"graphs", json::array()}};
  for (const graph_result& graph : of.graphs) result["graphs"].push_back(to_json(graph));
  return result;
}

void write_json(const json& document, const std::filesystem::path& file) {
  std::filesystem::path beside = file;
  beside += ".part";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << document.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
    out.flush();
    if (!out) throw io_error(file.string(), "cannot write", errno);
  }
  std::filesystem::rename(beside, file);
}

}  // namespace baltoro::bench
