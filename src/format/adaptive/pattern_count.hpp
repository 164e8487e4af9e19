// How often each pattern occurs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/stored_array.hpp"

namespace baltoro::format {

struct counted_pattern {
  std::uint64_t pattern;
  std::uint64_t leaves;  // that hold it
};

// Joins lists of distinct patterns, each ascending. Holds 16 bytes a distinct pattern, for a while 32.
class pattern_counts {
 public:
  explicit pattern_counts(base::array_place place) : place_(std::move(place)) {}
  // An empty array of the right place for a list.
  base::stored_array<counted_pattern> make_list() const {
    return base::stored_array<counted_pattern>(place_);
  }
  // Adds a list, which is finished.
  void add(base::stored_array<counted_pattern> list);
  // All of them by falling frequency, those of one frequency ascending: one graph has one list.
  base::stored_array<counted_pattern> finish();

 private:
  void merge_last_two();

  base::array_place place_;
  std::vector<base::stored_array<counted_pattern>>
      runs_;  // each more than twice as long as the next
};

// The distinct patterns as pattern_counts has them.
// Counts a part of the patterns at a time, in parallel; holds 16 bytes a distinct pattern, for a while 32, and
// 48 a distinct pattern of a part, which has at most 2^22.
base::stored_array<counted_pattern> count_patterns(std::span<const std::uint64_t> patterns,
                                                   const base::array_place& place);

}  // namespace baltoro::format
