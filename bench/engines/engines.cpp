#include "engines/engines.hpp"

namespace baltoro::bench {

std::vector<engine_kind> engine_kinds() {
  const auto adaptive = [](const char* name, device where, std::uint32_t leaves, bool on_request) {
    return engine_kind{name, where, on_request,
                       [=](subject& graph) { return make_adaptive(graph, name, where, leaves); }};
  };
  const auto level_order = [](const char* name, device where, cuda_configuration kept) {
    return engine_kind{name, where, false, [=](subject& graph) {
                         return make_level_order(graph, name, where, {.configuration = kept});
                       }};
  };
  constexpr std::uint32_t most = adaptive_view::max_leaves;
  return {
      adaptive("adaptive", device::cuda, most, false),
      adaptive("adaptive_256", device::cuda, 256, true),
      adaptive("adaptive_128", device::cuda, 128, true),
      adaptive("adaptive_64", device::cuda, 64, true),
      {"adaptive_reproducible", device::cuda, true,
       [](subject& graph) {
         return make_adaptive(graph, "adaptive_reproducible", device::cuda, most, true);
       }},
      level_order("level_order_tree_only", device::cuda, cuda_configuration::tree_only),
      level_order("level_order_cached_frontier", device::cuda, cuda_configuration::cached_frontier),
      {cusparse_name, device::cuda, false, make_cusparse},
      {bcsr_name, device::cuda, false, make_bcsr},
      adaptive("adaptive_cpu", device::cpu, most, false),
      level_order("level_order_cpu", device::cpu, cuda_configuration::tree_only)};
}

}  // namespace baltoro::bench
