// What the leaves of a container hold: for each a class, and an id of the dictionary or, as an escape,
// its pattern. See <baltoro/adaptive.hpp>.
#pragma once

#include <baltoro/adaptive.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/escapes.hpp"

namespace baltoro::format {

// A leaf of a container on its way into or out of a payload.
struct leaf_name {
  static constexpr std::uint32_t escaped = ~0U;
  std::uint32_t number = escaped;  // in the dictionary
  std::uint64_t pattern = 0;
};

// Words of the class planes of so many leaves.
BALTORO_HOST_DEVICE constexpr std::uint32_t class_words(unsigned leaves) {
  return 2 * ((leaves + 31) / 32);
}

// The numbers at which the classes begin. What is escaped has the greatest of all, so it is of class 3.
struct class_bounds {
  BALTORO_HOST_DEVICE explicit constexpr class_bounds(const leaf_classes& classes)
      : first{0, classes.first(1), classes.first(2), classes.first(3)} {}
  BALTORO_HOST_DEVICE constexpr unsigned class_of(std::uint32_t number) const {
    return static_cast<unsigned>(number >= first[1]) + static_cast<unsigned>(number >= first[2]) +
           static_cast<unsigned>(number >= first[3]);
  }
  std::uint64_t first[leaf_classes::count];
};

// Words that the contents of these leaves take.
std::uint32_t measure_contents(const leaf_classes& classes, std::span<const leaf_name> leaves);
// Writes them into words that are zero.
void encode_contents(const leaf_classes& classes, std::span<const leaf_name> leaves,
                     std::uint32_t* words);

// Reads the patterns of `leaves.size()` leaves back. The ids must be in the dictionary.
void decode_contents(const adaptive_view& a, const std::uint32_t* words,
                     std::span<std::uint64_t> patterns);

// Some of the leaves of a container. Decodes those that are asked for, and of the escapes those before
// them too.
class contents_reader {
 public:
  contents_reader(const adaptive_view& a, const std::uint32_t* words, unsigned leaves);
  // What a leaf holds.
  std::uint64_t pattern(unsigned leaf);

 private:
  const adaptive_view& a_;
  const std::uint32_t* planes_;
  const std::uint32_t* ids_;
  std::array<std::uint32_t, leaf_classes::count> counts_{};
  std::array<std::uint32_t, leaf_classes::count + 1> begin_{};
  std::optional<escape_reader> escapes_;
};

// The words that contents take, read from words that nobody has checked, at most `words` of them, or 0
// where they are wrong: longer, an id beyond the dictionary, an empty pattern, bits set that mean
// nothing.
std::uint32_t check_contents(const adaptive_view& a, const std::uint32_t* from, std::uint64_t words,
                             unsigned leaves);

// Leaves of each class.
constexpr std::array<std::uint32_t, leaf_classes::count> count_classes(const std::uint32_t* planes,
                                                                       unsigned leaves) {
  std::array<std::uint32_t, leaf_classes::count> counts{};
  for (unsigned at = 0; at < leaves; at += 32) {
    const std::uint32_t low = planes[at / 16];
    const std::uint32_t high = planes[at / 16 + 1];
    const std::uint32_t used = leaves - at >= 32 ? ~0U : (1U << (leaves - at)) - 1;
    for (unsigned c = 0; c < leaf_classes::count; ++c) {
      const std::uint32_t of_class = ((c & 1U) != 0 ? low : ~low) & ((c & 2U) != 0 ? high : ~high);
      counts[c] += static_cast<std::uint32_t>(std::popcount(of_class & used));
    }
  }
  return counts;
}

}  // namespace baltoro::format
