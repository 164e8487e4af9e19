// The patterns that get a name, and how wide their names are.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

#include "base/stored_array.hpp"
#include "format/adaptive/pattern.hpp"
#include "format/adaptive/pattern_count.hpp"

namespace baltoro::format {

struct dictionary {
  leaf_classes classes;
  base::stored_array<std::uint64_t> patterns;  // by falling frequency
};

// Chooses what makes dictionary and contents of all leaves smallest: the widths of the classes, and
// which patterns are too rare for an entry of 64 bits and stay where they are. See count_patterns()
// for what it holds.
dictionary choose_dictionary(std::span<const std::uint64_t> patterns_of_leaves,
                             const base::array_place& place = {});

// The same for patterns that have been counted, as pattern_counts::finish() has them.
dictionary choose_dictionary(const base::stored_array<counted_pattern>& list,
                             const base::array_place& place);

// The numbers of patterns in a dictionary, for the encoder.
class pattern_index {
 public:
  static constexpr std::uint32_t absent = ~0U;

  explicit pattern_index(const dictionary& of, const base::array_place& place = {});
  // The pattern's number, or `absent`.
  std::uint32_t find(std::uint64_t pattern) const {
    const entry* const entries = entries_.data();
    for (std::uint64_t at = place_of(pattern); entries[at].pattern != 0; at = (at + 1) & mask_) {
      if (entries[at].pattern == pattern) return entries[at].number;
    }
    return absent;
  }

 private:
  struct entry {
    std::uint64_t pattern;  // 0 where the place is free: no leaf is empty
    std::uint32_t number;
  };

  std::uint64_t place_of(std::uint64_t pattern) const { return hash_of_pattern(pattern) >> shift_; }

  base::stored_array<entry> entries_;  // open addressing
  std::uint64_t mask_ = 0;
  unsigned shift_ = 0;
};

}  // namespace baltoro::format
