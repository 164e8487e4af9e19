#include "format/level_order_tiles.hpp"

#include <algorithm>

#include "format/level_order_nodes.hpp"

namespace baltoro::format {
namespace {

class tile_cutter {
 public:
  tile_cutter(const level_order_view& tree, std::uint64_t tile_nodes, tile_schedule& schedule)
      : tree_(tree), tile_nodes_(tile_nodes), schedule_(schedule) {}

  // The nodes [first, last) of a level, whose codes are in its buffer from the start on.
  void cut(unsigned level, std::uint64_t first, std::uint64_t last) {
    if (level == schedule_.last_level) {
      for (std::uint64_t at = first; at < last;) {
        const std::uint64_t end = at + std::min(tile_nodes_, last - at);
        add(level, first, at, end);
        at = end;
      }
      return;
    }
    for (std::uint64_t at = first; at < last;) {
      const std::uint64_t end = end_of_tile(at, last);
      const tile_step step = add(level, first, at, end);
      std::uint64_t& held = schedule_.buffer_codes[level + 1];
      held = std::max(held, step.children);
      cut(level + 1, step.first_child, step.first_child + step.children);
      at = end;
    }
  }

 private:
  std::uint64_t first_child(std::uint64_t node) const {
    return node < tree_.internal_nodes() ? tree_.first_child(node) : tree_.nodes();
  }

  // The largest end such that [first, end) has at most tile_nodes_ children; one node at least.
  std::uint64_t end_of_tile(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t begin = tree_.first_child(first);
    std::uint64_t low = first + 1;
    std::uint64_t high = first + std::min(tile_nodes_, last - first);
    while (low < high) {
      const std::uint64_t middle = high - (high - low) / 2;
      if (first_child(middle) - begin <= tile_nodes_) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  tile_step add(unsigned level, std::uint64_t buffer_begin, std::uint64_t first,
                std::uint64_t last) {
    tile_step step;
    step.level = level;
    step.first_node = first;
    step.nodes = last - first;
    step.input = first - buffer_begin;
    if (level + 1 < tree_.levels) {
      step.first_child = tree_.first_child(first);
      step.children = first_child(last) - step.first_child;
    }
    schedule_.steps.push_back(step);
    schedule_.most_nodes = std::max(schedule_.most_nodes, step.nodes);
    return step;
  }

  const level_order_view& tree_;
  std::uint64_t tile_nodes_;
  tile_schedule& schedule_;
};

}  // namespace

tile_schedule cut_into_tiles(const level_order_view& tree, unsigned first_level,
                             unsigned last_level, std::uint64_t tile_nodes) {
  tile_schedule schedule;
  schedule.first_level = first_level;
  schedule.last_level = last_level;
  tile_cutter(tree, tile_nodes, schedule)
      .cut(first_level, tree.level_begin[first_level], tree.level_begin[first_level + 1]);
  return schedule;
}

unsigned deepest_level_within(const level_order_view& tree, unsigned last_level,
                              std::uint64_t nodes) {
  unsigned level = 0;
  while (level < last_level && tree.nodes_at(level + 1) <= nodes) ++level;
  return level;
}

std::vector<std::uint64_t> codes_of_level(const level_order_view& tree, unsigned level) {
  std::vector<std::uint64_t> codes = {0};
  for (unsigned d = 0; d < level; ++d) {
    std::vector<std::uint64_t> next(tree.nodes_at(d + 1));
    std::uint64_t* out = next.data();
    for (std::uint64_t t = 0; t < codes.size(); ++t) {
      const unsigned signature = tree.signature(tree.level_begin[d] + t);
      write_children(codes[t], signature, out);
      out += popcount(signature);
    }
    codes = std::move(next);
  }
  return codes;
}

}  // namespace baltoro::format
