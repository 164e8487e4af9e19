#include "runs/products.hpp"

#include <baltoro/device.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "runs/guarded.hpp"

namespace baltoro::bench {
namespace {

// A product ready to run, with vectors.
std::unique_ptr<product> ready(engine& by, const task& what, const std::string& variant,
                               const subject& graph, place& where) {
  where.release();  // or the next product would find less memory than there will be
  std::unique_ptr<product> made = by.make(what, variant);
  where.take(what, graph.dims());
  where.prepare(*made);
  return made;
}

variant_result measure_variant(engine& by, const task& what, const std::string& name,
                               subject& graph, place& where, const bench_options& options) {
  variant_result result;
  result.name = name;
  result.lacking = guarded(result.reason, [&] {
    const std::unique_ptr<product> made = ready(by, what, name, graph, where);
    result.needs = made->needs();
    where.run_ms(*made, 1);
    graph.require_right(where, what);
    const timing time = measure(where, *made, options.how);
    // What was recorded meanwhile is another way to the same result.
    where.poison_outputs();
    where.run_ms(*made, 1);
    graph.require_right(where, what);
    result.time = time;
  });
  return result;
}

void add_energy(product_result& result, engine& by, subject& graph, place& where) {
  guarded(result.no_energy, [&] {
    const auto counter = gpu_energy_counter();
    const std::unique_ptr<product> made = ready(by, result.what, result.variant, graph, where);
    where.run_ms(*made, 2);
    result.energy = measure_energy(where, *made, result.time->products_per_run, counter);
  });
}

std::string text_of(const task& what) {
  if (what.batch > 1) return fmt::format("{} vectors", what.batch);
  const char* const side = what.side == direction::right ? "right" : "left";
  return what.boolean ? fmt::format("Boolean {}", side) : side;
}

std::vector<task> tasks_of(const bench_options& options) {
  std::vector<task> tasks = {{direction::right, 1}, {direction::left, 1}};
  std::vector<index_t> widths = options.batches;
  std::sort(widths.begin(), widths.end());
  widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
  for (const index_t width : widths) {
    if (width > 1) tasks.push_back({direction::right, width});
  }
  tasks.push_back({direction::right, 1, true});
  tasks.push_back({direction::left, 1, true});
  return tasks;
}

// Whether a batch would take too long on the CPU, judged by one vector: vectors that are wide and a
// first product would take minutes before the protocol could say so.
bool hopeless(const engine_result& so_far, const task& what, const protocol& how) {
  constexpr double gain_of_a_batch = 4;
  const product_result& right = so_far.products.front();
  return right.time && right.time->ms.median * what.batch / gain_of_a_batch > how.slowest_ms;
}

engine_result measure_engine(const engine_kind& kind, subject& graph,
                             const bench_options& options) {
  engine_result result;
  result.name = kind.name;
  if (kind.where == device::cuda && !query_cuda().usable) {
    result.absent = query_cuda().reason;
    return result;
  }
  options.note(fmt::format("{}: {}", graph.name(), kind.name));
  const lack lacking = guarded(result.absent, [&] {
    const std::unique_ptr<place> where =
        kind.where == device::cuda ? make_gpu_place() : make_host_place();
    const std::unique_ptr<engine> by = kind.make(graph);
    result.persistent_bytes = by->persistent_bytes();
    for (const task& what : tasks_of(options)) {
      if (what.boolean && !by->boolean()) continue;
      if (kind.where == device::cpu && what.batch > 1 && hopeless(result, what, options.how)) {
        product_result& left_out = result.products.emplace_back();
        left_out.what = what;
        left_out.lacking = lack::skipped;
        left_out.reason = "by the time of one vector it would take longer than --slowest-ms allows";
        continue;
      }
      options.note(fmt::format("{}: {}, {}", graph.name(), kind.name, text_of(what)));
      result.products.push_back(measure_product(*by, what, graph, *where, options));
    }
  });
  result.failed = lacking == lack::failed;
  return result;
}

}  // namespace

product_result measure_product(engine& by, const task& what, subject& graph, place& where,
                               const bench_options& options) {
  product_result result;
  result.what = what;
  for (const std::string& name : by.variants(what)) {
    const variant_result& variant =
        result.variants.emplace_back(measure_variant(by, what, name, graph, where, options));
    if (variant.time && (!result.time || variant.time->ms.median < result.time->ms.median)) {
      result.time = variant.time;
      result.variant = variant.name;
      result.needs = variant.needs;
    }
  }
  if (!result.time) {
    for (const variant_result& variant : result.variants) {
      if (variant.lacking < result.lacking) continue;
      result.lacking = variant.lacking;
      result.reason = variant.reason;
    }
  } else if (options.energy && by.where() == device::cuda) {
    add_energy(result, by, graph, where);
  }
  where.release();
  return result;
}

product_result measure_once(const std::function<std::unique_ptr<engine>()>& make, const task& what,
                            subject& graph, place& where, const bench_options& options) {
  product_result result;
  result.what = what;
  std::string reason;
  const lack lacking = guarded(reason, [&] {
    const std::unique_ptr<engine> by = make();
    result = measure_product(*by, what, graph, where, options);
  });
  if (lacking != lack::none) {
    result.lacking = lacking;
    result.reason = reason;
    result.variants.push_back({"default", lacking, reason, std::nullopt, {}});
  }
  return result;
}

void measure_engines(graph_result& to, subject& graph, const bench_options& options) {
  for (const engine_kind& kind : engine_kinds()) {
    const bool named = std::find(options.engines.begin(), options.engines.end(), kind.name) !=
                       options.engines.end();
    if (options.engines.empty() ? kind.on_request : !named) continue;
    to.engines.push_back(measure_engine(kind, graph, options));
    options.on_change();
  }
}

}  // namespace baltoro::bench
