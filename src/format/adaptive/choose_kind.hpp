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

// The kind that costs least: bits, and what its time is worth. A leaf's time is worth its full price where
// leaves hold eight cells, less where they hold fewer, and nothing where they hold one or two: positions take
// most of the bits there as it is.
// \pre at most 1024 offsets, ascending
chosen_kind choose_kind(std::span<const std::uint32_t> offsets, unsigned level,
                        std::uint64_t cells);

// Those positions, sorted by both axes in `keys`, which has room for twice as many.
leaf_positions sort_positions(std::span<const std::uint32_t> offsets, std::uint32_t* keys);

}  // namespace baltoro::format
