#include "engines/engines.hpp"

namespace baltoro::bench {

std::vector<engine_kind> engine_kinds() {
  const auto level_order = [](const char* name, device where, cuda_configuration kept) {
    return engine_kind{name, where, [=](subject& graph) {
                         return make_level_order(graph, name, where, {.configuration = kept});
                       }};
  };
  const auto adaptive = [](const char* name, std::uint32_t leaves) {
    return engine_kind{name, device::cuda,
                       [=](subject& graph) { return make_adaptive(graph, name, leaves); }};
  };
  return {
      adaptive("adaptive", 512),
      adaptive("adaptive_256", 256),
      adaptive("adaptive_128", 128),
      adaptive("adaptive_64", 64),
      level_order("level_order_tree_only", device::cuda, cuda_configuration::tree_only),
      level_order("level_order_cached_frontier", device::cuda, cuda_configuration::cached_frontier),
      {cusparse_name, device::cuda, make_cusparse},
      {bcsr_name, device::cuda, make_bcsr},
      level_order("level_order_cpu", device::cpu, cuda_configuration::tree_only)};
}

}  // namespace baltoro::bench
