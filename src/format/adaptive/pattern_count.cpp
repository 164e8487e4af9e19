#include "format/adaptive/pattern_count.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <hwy/contrib/sort/vqsort.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

// Distinct patterns, ascending.
using run = base::stored_array<counted_pattern>;

// Appends to a run; a pattern that comes again adds to the last.
class run_writer {
 public:
  explicit run_writer(const base::array_place& place) : run_(place) {}

  void add(std::uint64_t pattern, std::uint64_t leaves) {
    if (open_.leaves != 0 && open_.pattern != pattern) {
      run_.push_back(open_);
      open_.leaves = 0;
    }
    open_ = {pattern, open_.leaves + leaves};
  }

  run finish() {
    if (open_.leaves != 0) run_.push_back(open_);
    run_.finish();
    return std::move(run_);
  }

 private:
  run run_;
  counted_pattern open_{0, 0};
};

run merge(const run& a, const run& b, const base::array_place& place) {
  run_writer merged(place);
  std::uint64_t i = 0;
  std::uint64_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].pattern <= b[j].pattern);
    const counted_pattern& next = from_a ? a[i++] : b[j++];
    merged.add(next.pattern, next.leaves);
  }
  return merged.finish();
}

// The distinct patterns of a piece, ascending. Most leaves of most graphs hold one of few patterns: a table, in
// which a pattern displaces the one before at its place, counts them, so that few are left to be sorted.
class piece_counter {
 public:
  std::vector<counted_pattern> count(std::span<const std::uint64_t> patterns) {
    table_.assign(std::size_t{1} << table_bits, {0, 0});
    displaced_.clear();
    for (const std::uint64_t pattern : patterns) {
      counted_pattern& at = table_[hash_of_pattern(pattern) >> (64 - table_bits)];
      if (at.pattern != pattern) {
        if (at.leaves != 0) displaced_.push_back({at.leaves, at.pattern});
        at = {pattern, 0};
      }
      ++at.leaves;
    }
    for (const counted_pattern& at : table_) {
      if (at.leaves != 0) displaced_.push_back({at.leaves, at.pattern});
    }
    hwy::Sorter()(displaced_.data(), displaced_.size(), hwy::SortAscending());
    std::vector<counted_pattern> counted;
    for (const hwy::uint128_t& next : displaced_) {
      if (counted.empty() || counted.back().pattern != next.hi) counted.push_back({next.hi, 0});
      counted.back().leaves += next.lo;
    }
    return counted;
  }

 private:
  static constexpr unsigned table_bits = 13;

  std::vector<counted_pattern> table_;
  std::vector<hwy::uint128_t> displaced_;  // leaves below, pattern above
};

// Joins two lists as merge() does two runs.
std::vector<counted_pattern> join(std::span<const counted_pattern> a,
                                  std::span<const counted_pattern> b) {
  std::vector<counted_pattern> joined(a.size() + b.size());
  std::merge(
      a.begin(), a.end(), b.begin(), b.end(), joined.begin(),
      [](const counted_pattern& x, const counted_pattern& y) { return x.pattern < y.pattern; });
  std::size_t count = 0;
  for (const counted_pattern& next : joined) {
    if (count != 0 && joined[count - 1].pattern == next.pattern) {
      joined[count - 1].leaves += next.leaves;
    } else {
      joined[count++] = next;
    }
  }
  joined.resize(count);
  return joined;
}

// The distinct patterns of a part, ascending. Parallel.
std::vector<counted_pattern> count_part(std::span<const std::uint64_t> patterns) {
  constexpr std::size_t piece_size = std::size_t{1} << 17U;
  std::vector<std::vector<counted_pattern>> pieces((patterns.size() + piece_size - 1) / piece_size);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t i) {
    const std::size_t begin = i * piece_size;
    piece_counter counter;
    pieces[i] =
        counter.count(patterns.subspan(begin, std::min(piece_size, patterns.size() - begin)));
  });
  while (pieces.size() > 1) {
    std::vector<std::vector<counted_pattern>> joined((pieces.size() + 1) / 2);
    tbb::parallel_for(std::size_t{0}, joined.size(), [&](std::size_t i) {
      const bool last = 2 * i + 1 == pieces.size();
      joined[i] = last ? std::move(pieces[2 * i]) : join(pieces[2 * i], pieces[2 * i + 1]);
    });
    pieces = std::move(joined);
  }
  return pieces.empty() ? std::vector<counted_pattern>() : std::move(pieces.front());
}

}  // namespace

void pattern_counts::merge_last_two() {
  run merged = merge(runs_[runs_.size() - 2], runs_.back(), place_);
  runs_.pop_back();
  runs_.back() = std::move(merged);
}

void pattern_counts::add(run list) {
  runs_.push_back(std::move(list));
  while (runs_.size() > 1 && runs_[runs_.size() - 2].size() <= 2 * runs_.back().size()) {
    merge_last_two();
  }
}

run pattern_counts::finish() {
  while (runs_.size() > 1) merge_last_two();
  if (runs_.empty()) return make_list();
  const std::span<counted_pattern> list = runs_.front().span();
  tbb::parallel_sort(list.begin(), list.end(),
                     [](const counted_pattern& a, const counted_pattern& b) {
                       return a.leaves != b.leaves ? a.leaves > b.leaves : a.pattern < b.pattern;
                     });
  return std::move(runs_.front());
}

base::stored_array<counted_pattern> count_patterns(std::span<const std::uint64_t> patterns,
                                                   const base::array_place& place) {
  const std::size_t part_size = std::size_t{1} << (place.on_disk ? 18U : 22U);
  pattern_counts counts(place);
  for (std::size_t at = 0; at < patterns.size(); at += part_size) {
    const auto part = count_part(patterns.subspan(at, std::min(part_size, patterns.size() - at)));
    run counted = counts.make_list();
    counted.append(part);
    counted.finish();
    counts.add(std::move(counted));
  }
  return counts.finish();
}

}  // namespace baltoro::format
