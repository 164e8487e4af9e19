#include "format/adaptive/dictionary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "format/adaptive/escapes.hpp"

namespace baltoro::format {
namespace {

constexpr std::uint32_t widest0 = 8;
constexpr std::uint32_t widest1 = 13;
constexpr std::uint32_t widest2 = 20;

using counted_list = base::stored_array<counted_pattern>;

// Sums over the first patterns of the list: as many as the first three classes can name, or all.
class sums {
 public:
  sums(const counted_list& list, const leaf_classes& escapes, const base::array_place& place)
      : size_(list.size()),
        named_(std::min<std::uint64_t>(list.size(),
                                       (1ULL << widest0) + (1ULL << widest1) + (1ULL << widest2))),
        leaves_(place),
        escaped_bits_(place) {
    leaves_.resize(named_ + 1);
    escaped_bits_.resize(named_ + 1);
    for (std::uint64_t i = 0; i < list.size(); ++i) {
      all_leaves_ += list[i].leaves;
      all_escaped_bits_ += escape_bits(escapes, list[i].pattern) * list[i].leaves;
      if (i >= named_) continue;
      leaves_[i + 1] = all_leaves_;
      escaped_bits_[i + 1] = all_escaped_bits_;
    }
  }
  // Leaves whose pattern is one of [from, to).
  std::uint64_t leaves_between(std::uint64_t from, std::uint64_t to) const {
    return leaves_before(to) - leaves_before(from);
  }
  // Bits of all leaves as escapes whose pattern is not one of the first `size`.
  std::uint64_t escaped_bits_after(std::uint64_t size) const {
    return all_escaped_bits_ - escaped_bits_[size];
  }

 private:
  // \pre index is at most what three classes name, or the whole list
  std::uint64_t leaves_before(std::uint64_t index) const {
    return index >= size_ ? all_leaves_ : leaves_[index];
  }

  std::uint64_t size_;
  std::uint64_t named_;
  std::uint64_t all_leaves_ = 0;
  std::uint64_t all_escaped_bits_ = 0;
  base::stored_array<std::uint64_t> leaves_;
  base::stored_array<std::uint64_t> escaped_bits_;
};

constexpr std::uint64_t entry_bits = 64;

// How many patterns deserve an entry when the rest is escaped, by the width of their ids: the last one in saves more
// than its entry costs over an id.
std::array<std::uint64_t, widest2 + 1> worth_an_entry(const counted_list& list,
                                                      const leaf_classes& escapes) {
  std::array<std::uint64_t, widest2 + 1> worth{};
  // What is worth a wide id is worth a narrow one.
  std::uint64_t size = list.size();
  for (std::uint32_t width = 0; width <= widest2; ++width) {
    for (; size > 0; --size) {
      const counted_pattern& c = list[size - 1];
      const std::uint64_t bits = escape_bits(escapes, c.pattern);
      if (bits > width && (bits - width) * c.leaves > entry_bits) break;
    }
    worth[width] = size;
  }
  return worth;
}

struct choice {
  std::uint64_t bits = std::numeric_limits<std::uint64_t>::max();
  leaf_classes classes;
  std::uint64_t patterns = 0;

  void improve(std::uint64_t candidate, const leaf_classes& with, std::uint64_t size) {
    if (candidate < bits) *this = {candidate, with, size};
  }
};

// Tries all widths, with escapes of one kind.
void improve_with(const counted_list& list, std::uint32_t raw, const base::array_place& place,
                  choice& best) {
  const leaf_classes escapes{{0, 0, 0, raw}};
  const sums total(list, escapes, place);
  const auto worth = worth_an_entry(list, escapes);
  for (std::uint32_t w0 = 0; w0 <= widest0; ++w0) {
    for (std::uint32_t w1 = w0; w1 <= widest1; ++w1) {
      for (std::uint32_t w2 = w1; w2 <= widest2; ++w2) {
        const std::uint64_t end0 = 1ULL << w0;
        const std::uint64_t end1 = end0 + (1ULL << w1);
        const std::uint64_t end2 = end1 + (1ULL << w2);
        // Rare patterns as escapes. Those without an entry are the last of the list.
        const std::uint64_t size = std::min({end2, worth[w2], leaf_classes::max_patterns});
        const auto named = [&](std::uint64_t from, std::uint64_t to) {
          return total.leaves_between(std::min(from, size), std::min(to, size));
        };
        best.improve(w0 * named(0, end0) + w1 * named(end0, end1) + w2 * named(end1, end2) +
                         total.escaped_bits_after(size) + entry_bits * size,
                     {{w0, w1, w2, raw}}, size);
        // All patterns in the dictionary.
        const std::uint64_t rest = list.size() > end2 ? list.size() - end2 : 0;
        const auto w3 = static_cast<std::uint32_t>(rest > 1 ? std::bit_width(rest - 1) : 0);
        if (w3 > leaf_classes::max_width || list.size() > leaf_classes::max_patterns) continue;
        best.improve(w0 * total.leaves_between(0, end0) + w1 * total.leaves_between(end0, end1) +
                         w2 * total.leaves_between(end1, end2) +
                         w3 * total.leaves_between(end2, list.size()) + entry_bits * list.size(),
                     {{w0, w1, w2, w3}}, list.size());
      }
    }
  }
}

}  // namespace

dictionary choose_dictionary(std::span<const std::uint64_t> patterns_of_leaves,
                             const base::array_place& place) {
  return choose_dictionary(count_patterns(patterns_of_leaves, place), place);
}

dictionary choose_dictionary(const counted_list& list, const base::array_place& place) {
  choice best;
  for (const std::uint32_t raw : {leaf_classes::raw, leaf_classes::raw_rows}) {
    improve_with(list, raw, place, best);
  }
  dictionary result{best.classes, base::stored_array<std::uint64_t>(place)};
  result.patterns.resize(best.patterns);
  for (std::uint64_t i = 0; i < best.patterns; ++i) result.patterns[i] = list[i].pattern;
  return result;
}

pattern_index::pattern_index(const dictionary& of, const base::array_place& place)
    : entries_(place) {
  mask_ = std::bit_ceil(2 * of.patterns.size() + 2) - 1;
  shift_ = static_cast<unsigned>(std::countl_zero(mask_));
  entries_.resize(mask_ + 1);
  for (std::uint32_t number = 0; number < of.patterns.size(); ++number) {
    std::uint64_t at = place_of(of.patterns[number]);
    while (entries_[at].pattern != 0) at = (at + 1) & mask_;
    entries_[at] = {of.patterns[number], number};
  }
}

}  // namespace baltoro::format
