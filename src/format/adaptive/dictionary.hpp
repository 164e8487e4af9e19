// The patterns that get a name, and how wide their names are.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

#include "base/stored_array.hpp"

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

// The numbers of patterns in a dictionary, for the encoder.
class pattern_index {
 public:
  static constexpr std::uint32_t absent = ~0U;

  explicit pattern_index(const dictionary& of, const base::array_place& place = {});
  // The pattern's number, or `absent`.
  std::uint32_t find(std::uint64_t pattern) const;

 private:
  base::stored_array<std::uint64_t> keys_;  // open addressing, 0 is free: no leaf is empty
  base::stored_array<std::uint32_t> numbers_;
  std::uint64_t mask_ = 0;
};

}  // namespace baltoro::format
