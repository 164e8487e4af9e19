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
BALTORO_HOST_DEVICE constexpr unsigned common_level(std::uint64_t first, std::uint64_t last) {
  unsigned level = 0;
  for (std::uint64_t differ = first ^ last; differ != 0; differ >>= 2U) ++level;
  return level;
}

// Whether so many leaves of a square of that level are a container.
BALTORO_HOST_DEVICE constexpr bool fits_container(std::uint64_t leaves, unsigned level,
                                                  std::uint32_t most_leaves) {
  return leaves <= most_leaves && level <= adaptive_view::max_level;
}

// The first of the places [first, last) whose code is not below `limit`, or `last`.
template <class CodeAt>
BALTORO_HOST_DEVICE constexpr std::uint64_t first_not_below(const CodeAt& code_at,
                                                            std::uint64_t first, std::uint64_t last,
                                                            std::uint64_t limit) {
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    if (code_at(middle) < limit) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

// What one step of the partition makes of a square: containers, and quarters that are too large, in order.
struct square_cut {
  struct piece {
    std::uint64_t first;
    std::uint64_t last;
    bool is_container;
  };
  piece pieces[9] = {};  // two a quarter at most, and the rest
  unsigned count = 0;

  BALTORO_HOST_DEVICE constexpr void add(std::uint64_t first, std::uint64_t last,
                                         bool is_container) {
    if (first != last) pieces[count++] = {first, last, is_container};
  }
};

// One step of the partition, of the leaves [first, last) of a square, first < last; code_at(i) is the code of leaf i.
template <class CodeAt>
BALTORO_HOST_DEVICE constexpr square_cut cut_square(const CodeAt& code_at, std::uint64_t first,
                                                    std::uint64_t last, std::uint32_t most_leaves) {
  square_cut result;
  const std::uint64_t first_code = code_at(first);
  const unsigned level = common_level(first_code, code_at(last - 1));
  if (fits_container(last - first, level, most_leaves)) {
    result.add(first, last, true);
    return result;
  }
  std::uint64_t begin = first;  // of quarters that have not been given away
  std::uint64_t from = first;
  const std::uint64_t corner = first_code >> (2 * level) << (2 * level);
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    const std::uint64_t limit = corner + ((quarter + 1ULL) << (2 * (level - 1)));
    const std::uint64_t to = first_not_below(code_at, from, last, limit);
    if (!fits_container(to - from, level - 1, most_leaves)) {
      result.add(begin, from, true);
      result.add(from, to, false);
      begin = to;
    } else if (!fits_container(to - begin, level, most_leaves)) {
      result.add(begin, from, true);
      begin = from;
    }
    from = to;
  }
  result.add(begin, last, true);
  return result;
}

}  // namespace baltoro::format
