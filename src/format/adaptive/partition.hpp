// Where the leaves are cut into containers.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

#include "base/stored_array.hpp"

namespace baltoro::format {

// A container to be: a run of leaves and the level of the smallest square around them.
struct cut {
  std::uint64_t first = 0;
  std::uint32_t leaves = 0;
  std::uint32_t level = 0;
};

// Cuts ascending leaf codes by recursive quartering until a square holds at most `most_leaves`, at most
// max_level large; neighbouring quarters of one square that fit together stay together.
base::stored_array<cut> partition(std::span<const std::uint64_t> codes,
                                  std::uint32_t most_leaves = adaptive_view::max_leaves,
                                  const base::array_place& place = {});

// The level of the smallest aligned square around two leaves.
constexpr unsigned common_level(std::uint64_t first, std::uint64_t last) {
  unsigned level = 0;
  for (std::uint64_t differ = first ^ last; differ != 0; differ >>= 2U) ++level;
  return level;
}

}  // namespace baltoro::format
