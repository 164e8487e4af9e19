#include "engines/engines.hpp"

namespace baltoro::bench {

std::vector<engine_kind> engine_kinds() {
  const auto level_order = [](const char* name, device where, cuda_configuration kept) {
    return engine_kind{name, where, [=](subject& graph) {
                         return make_level_order(graph, name, where, {.configuration = kept});
                       }};
  };
  return {
      {"adaptive", device::cuda, make_adaptive},
      level_order("level_order_tree_only", device::cuda, cuda_configuration::tree_only),
      level_order("level_order_cached_frontier", device::cuda, cuda_configuration::cached_frontier),
      {cusparse_name, device::cuda, make_cusparse},
      {bcsr_name, device::cuda, make_bcsr},
      level_order("level_order_cpu", device::cpu, cuda_configuration::tree_only)};
}

}  // namespace baltoro::bench
