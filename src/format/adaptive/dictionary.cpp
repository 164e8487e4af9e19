#include "format/adaptive/dictionary.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <tbb/parallel_sort.h>

#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

struct counted {
  std::uint64_t pattern;
  std::uint64_t leaves;
};

std::vector<counted> count(std::vector<std::uint64_t> patterns) {
  tbb::parallel_sort(patterns.begin(), patterns.end());
  std::vector<counted> found;
  for (const std::uint64_t pattern : patterns) {
    if (found.empty() || found.back().pattern != pattern) found.push_back({pattern, 0});
    ++found.back().leaves;
  }
  patterns = {};
  // Equal frequencies in the order of the patterns: one graph has one dictionary.
  tbb::parallel_sort(found.begin(), found.end(), [](const counted& a, const counted& b) {
    return a.leaves != b.leaves ? a.leaves > b.leaves : a.pattern < b.pattern;
  });
  return found;
}

// Sums over the first patterns of the list.
struct sums {
  explicit sums(const std::vector<counted>& list) : leaves(1), escaped_bits(1) {
    leaves.reserve(list.size() + 1);
    escaped_bits.reserve(list.size() + 1);
    for (const counted& c : list) {
      leaves.push_back(leaves.back() + c.leaves);
      escaped_bits.push_back(escaped_bits.back() + 4 * pattern_nodes(c.pattern) * c.leaves);
    }
  }
  std::uint64_t leaves_between(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t size = leaves.size() - 1;
    return leaves[std::min(to, size)] - leaves[std::min(from, size)];
  }
  std::vector<std::uint64_t> leaves;
  std::vector<std::uint64_t> escaped_bits;
};

constexpr std::uint64_t entry_bits = 64;

// How many patterns deserve an entry when the rest is escaped: the last one in saves more than its
// entry costs over ids of that width.
std::uint64_t worth_an_entry(const std::vector<counted>& list, std::uint32_t width) {
  std::uint64_t size = list.size();
  while (size > 0) {
    const counted& c = list[size - 1];
    const std::uint64_t bits = 4 * pattern_nodes(c.pattern);
    if (bits > width && (bits - width) * c.leaves > entry_bits) break;
    --size;
  }
  return size;
}

struct choice {
  std::uint64_t bits = std::numeric_limits<std::uint64_t>::max();
  leaf_classes classes;
  std::uint64_t patterns = 0;

  void improve(std::uint64_t candidate, const leaf_classes& with, std::uint64_t size) {
    if (candidate < bits) *this = {candidate, with, size};
  }
};

}  // namespace

dictionary choose_dictionary(std::vector<std::uint64_t> patterns_of_leaves) {
  const std::vector<counted> list = count(std::move(patterns_of_leaves));
  const sums total(list);
  choice best;
  constexpr std::uint32_t widest = 20;
  std::vector<std::uint64_t> worth;
  for (std::uint32_t w = 0; w <= widest; ++w) worth.push_back(worth_an_entry(list, w));
  for (std::uint32_t w0 = 0; w0 <= 8; ++w0) {
    for (std::uint32_t w1 = w0; w1 <= 13; ++w1) {
      for (std::uint32_t w2 = w1; w2 <= widest; ++w2) {
        const std::uint64_t end0 = 1ULL << w0;
        const std::uint64_t end1 = end0 + (1ULL << w1);
        const std::uint64_t end2 = end1 + (1ULL << w2);
        // Rare patterns as escapes. Those without an entry are the last of the list.
        const std::uint64_t size = std::min({end2, worth[w2], leaf_classes::max_patterns});
        const auto named = [&](std::uint64_t from, std::uint64_t to) {
          return total.leaves_between(std::min(from, size), std::min(to, size));
        };
        best.improve(w0 * named(0, end0) + w1 * named(end0, end1) + w2 * named(end1, end2) +
                         total.escaped_bits.back() - total.escaped_bits[size] + entry_bits * size,
                     {{w0, w1, w2, leaf_classes::raw}}, size);
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
  dictionary result{best.classes, {}};
  result.patterns.reserve(best.patterns);
  for (std::uint64_t i = 0; i < best.patterns; ++i) result.patterns.push_back(list[i].pattern);
  return result;
}

pattern_index::pattern_index(const dictionary& of) {
  mask_ = std::bit_ceil(2 * of.patterns.size() + 2) - 1;
  keys_.resize(mask_ + 1);
  numbers_.resize(mask_ + 1);
  for (std::uint32_t number = 0; number < of.patterns.size(); ++number) {
    std::uint64_t at = (of.patterns[number] * 0x9E37'79B9'7F4A'7C15ULL >> 20U) & mask_;
    while (keys_[at] != 0) at = (at + 1) & mask_;
    keys_[at] = of.patterns[number];
    numbers_[at] = number;
  }
}

std::uint32_t pattern_index::find(std::uint64_t pattern) const {
  std::uint64_t at = (pattern * 0x9E37'79B9'7F4A'7C15ULL >> 20U) & mask_;
  while (keys_[at] != 0) {
    if (keys_[at] == pattern) return numbers_[at];
    at = (at + 1) & mask_;
  }
  return absent;
}

}  // namespace baltoro::format
