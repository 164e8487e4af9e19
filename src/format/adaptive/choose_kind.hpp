// Which kind suits a container.
#pragma once

#include <cstdint>
#include <span>

#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

struct chosen_kind {
  std::uint32_t number = 0;
  encoded_size size;
};

inline constexpr unsigned full_weight = 16;

// What time weighs in a matrix, 0 to full_weight: nothing where leaves hold one or two cells, since positions take
// most of the bits there as it is, everything where they hold eight.
unsigned weigh_time(std::uint64_t cells, std::uint64_t leaves);

// The kind that costs least: its bits, and what its time is worth at this weight.
// \pre at most 1024 offsets, ascending
chosen_kind choose_kind(std::span<const std::uint32_t> offsets, unsigned level, unsigned weight);

// Those positions, sorted by both axes in `keys`, which has room for twice as many.
leaf_positions sort_positions(std::span<const std::uint32_t> offsets, std::uint32_t* keys);

}  // namespace baltoro::format
