#include "runs/settings.hpp"

#include <fmt/format.h>

namespace baltoro::bench {
namespace {

product_result measure_setting(const cuda_options& setting, subject& graph, place& where,
                               const bench_options& options, const task& what = {}) {
  return measure_once([&] { return make_level_order(graph, "level_order", device::cuda, setting); },
                      what, graph, where, options);
}

}  // namespace

void measure_ablation(graph_result& to, subject& graph, const bench_options& options) {
  const std::unique_ptr<place> where = make_gpu_place();
  const auto add = [&](const std::string& name, const auto& measured) {
    options.note(fmt::format("{}: ablation, {}", graph.name(), name));
    to.ablation.push_back({name, 0, measured()});
    options.on_change();
  };
  add("naive",
      [&] { return measure_once([&] { return make_naive(graph); }, {}, graph, *where, options); });
  // What the library can do without all of the paper's choices but the first.
  cuda_options setting{.offsets = child_offsets::scan,
                       .tile_nodes = 0,
                       .top_nodes = 1,
                       .leaves_in_place = false,
                       .record = false};
  const auto next = [&](const std::string& name, index_t batch = 1) {
    add(name, [&] {
      return measure_setting(setting, graph, *where, options, {direction::right, batch});
    });
    to.ablation.back().tile_nodes = setting.tile_nodes;
  };
  next("preallocated scan fed from the tree");
  setting.leaves_in_place = true;
  next("leaves in place");
  setting.top_nodes = cuda_options().top_nodes;
  next("top levels on the host");
  setting.tile_nodes = cuda_options().tile_nodes;
  next("tiles of 2^20 nodes");
  setting.offsets = child_offsets::directory;
  next("directory");
  setting.record = true;
  next("CUDA graph");
  setting.configuration = cuda_configuration::cached_frontier;
  next("cached frontier");
  // A batch looks a directory up once a vector, the scan is shared by all of them.
  for (const index_t width : options.batches) {
    if (width == 1) continue;
    setting = {.offsets = child_offsets::scan};
    next(fmt::format("scan, B = {}", width), width);
    setting.offsets = child_offsets::directory;
    next(fmt::format("directory, B = {}", width), width);
  }
}

void measure_tiles(graph_result& to, subject& graph, const bench_options& options) {
  constexpr unsigned smallest_log2 = 14;
  const level_order_view& tree = graph.compressed().tree();
  // A tile holds children; those of the last visit are leaves that no buffer holds.
  const std::uint64_t widest = tree.nodes_at(tree.levels > 1 ? tree.levels - 2 : 0);
  std::vector<std::uint64_t> sizes = {0};
  for (unsigned log2 = 40; log2 >= smallest_log2; --log2) {
    if (1ULL << log2 < widest) sizes.push_back(1ULL << log2);
  }
  const std::unique_ptr<place> where = make_gpu_place();
  for (const auto& [name, offsets, record] :
       {std::tuple{"scan per tile", child_offsets::scan, false},
        std::tuple{"directory", child_offsets::directory, false},
        std::tuple{"directory, one CUDA graph", child_offsets::directory, true}}) {
    for (const std::uint64_t size : sizes) {
      options.note(fmt::format("{}: tiles of {} nodes, {}", graph.name(), size, name));
      to.tiles.push_back(
          {name, size,
           measure_setting({.offsets = offsets, .tile_nodes = size, .record = record}, graph,
                           *where, options)});
    }
    options.on_change();
  }
}

}  // namespace baltoro::bench
