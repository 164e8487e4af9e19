// How often each pattern occurs.
#pragma once

#include <cstdint>
#include <span>

#include "base/stored_array.hpp"

namespace baltoro::format {

struct counted_pattern {
  std::uint64_t pattern;
  std::uint64_t leaves;  // that hold it
};

// The distinct patterns by falling frequency, those of one frequency ascending: one graph has one list.
// Counts a part of the patterns at a time, in parallel; holds 16 bytes a distinct pattern, for a while 32, and
// 48 a distinct pattern of a part, which has at most 2^22.
base::stored_array<counted_pattern> count_patterns(std::span<const std::uint64_t> patterns,
                                                   const base::array_place& place);

}  // namespace baltoro::format
