#include "format/adaptive/strips.hpp"

#include <baltoro/morton.hpp>

#include <algorithm>
#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "format/adaptive/decoder.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

std::uint32_t strip_of(direction side, std::uint64_t code) {
  return side == direction::right ? morton::row_of(code) : morton::col_of(code);
}

// The number of inputs of every strip. These are different columns, or rows, so 32 bits are enough.
std::vector<std::uint32_t> count_inputs(const adaptive_view& a, direction side) {
  const std::uint64_t vertices = side == direction::right ? a.dims.rows : a.dims.cols;
  std::vector<std::uint32_t> counts((vertices + 7) / 8);
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, a.containers, 16), [&](const auto& range) {
    decoded_container container;
    for (std::uint64_t i = range.begin(); i < range.end(); ++i) {
      container.load(a, i, leaf_order::stored);
      for (unsigned k = 0; k < container.offsets().size(); ++k) {
        const std::uint64_t pattern = container.patterns()[k];
        const unsigned inputs =
            popcount(bytes_in_use(side == direction::right ? transpose(pattern) : pattern));
        std::atomic_ref<std::uint32_t>(
            counts[strip_of(side, container.corner() + container.offsets()[k])])
            .fetch_add(inputs, std::memory_order_relaxed);
      }
    }
  });
  return counts;
}

}  // namespace

std::uint64_t strip_plan::most_strips() const {
  std::uint64_t most = 0;
  for (const strip_tile& tile : tiles) most = std::max<std::uint64_t>(most, tile.strips);
  return most;
}

std::uint64_t strip_plan::most_inputs() const {
  std::uint64_t most = 0;
  for (const strip_tile& tile : tiles) most = std::max(most, tile.inputs);
  return most;
}

strip_plan plan_strips(const adaptive_view& a, direction side, std::uint64_t tile_inputs) {
  strip_plan plan;
  plan.begin = count_inputs(a, side);
  for (std::uint32_t strip = 0; strip < plan.begin.size(); ++strip) {
    const std::uint64_t inputs = plan.begin[strip];
    if (plan.tiles.empty() || plan.tiles.back().inputs + inputs > tile_inputs ||
        plan.tiles.back().strips == most_tile_strips) {
      plan.tiles.push_back({.first_strip = strip});
    }
    strip_tile& tile = plan.tiles.back();
    plan.begin[strip] = static_cast<std::uint32_t>(tile.inputs);
    tile.inputs += inputs;
    ++tile.strips;
  }
  // The tiles that a container meets, twice: to count, then to write.
  const auto meets = [&](std::uint64_t container, const auto& visit) {
    const unsigned level = a.level(container);
    const std::uint64_t first = strip_of(side, a.first_leaf(container)) >> level << level;
    auto tile = std::upper_bound(
        plan.tiles.begin(), plan.tiles.end(), first,
        [](std::uint64_t strip, const strip_tile& t) { return strip < t.first_strip; });
    for (--tile; tile != plan.tiles.end() && tile->first_strip < first + (1ULL << level); ++tile) {
      visit(*tile);
    }
  };
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    meets(i, [](strip_tile& tile) { ++tile.containers; });
  }
  std::uint64_t total = 0;
  for (strip_tile& tile : plan.tiles) {
    tile.first_container = total;
    total += tile.containers;
    tile.containers = 0;
  }
  plan.containers.resize(total);
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    meets(i, [&](strip_tile& tile) {
      plan.containers[tile.first_container + tile.containers++] = static_cast<std::uint32_t>(i);
    });
  }
  return plan;
}

}  // namespace baltoro::format
