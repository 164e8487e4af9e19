#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

const kind_functions& kind_of(std::uint32_t number) {
  static constexpr const kind_functions* table[container_kinds] = {
      &quadtree_kind, &elias_fano_kind, &bitmap_tree_kind, &lines_kind, &runs_kind};
  return *table[number];
}

}  // namespace baltoro::format
