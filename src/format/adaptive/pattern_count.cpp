#include "format/adaptive/pattern_count.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <tbb/parallel_sort.h>

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

}  // namespace

base::stored_array<counted_pattern> count_patterns(std::span<const std::uint64_t> patterns,
                                                   const base::array_place& place) {
  const std::size_t part_size = std::size_t{1} << (place.on_disk ? 18U : 22U);
  std::vector<run> runs;  // each more than twice as long as the one after it
  const auto merge_last_two = [&] {
    run merged = merge(runs[runs.size() - 2], runs.back(), place);
    runs.pop_back();
    runs.back() = std::move(merged);
  };
  std::vector<std::uint64_t> part;
  for (std::size_t at = 0; at < patterns.size(); at += part_size) {
    const auto from = patterns.subspan(at, std::min(part_size, patterns.size() - at));
    part.assign(from.begin(), from.end());
    tbb::parallel_sort(part.begin(), part.end());
    run_writer counted(place);
    for (const std::uint64_t pattern : part) counted.add(pattern, 1);
    runs.push_back(counted.finish());
    while (runs.size() > 1 && runs[runs.size() - 2].size() <= 2 * runs.back().size()) {
      merge_last_two();
    }
  }
  part = {};
  while (runs.size() > 1) merge_last_two();
  if (runs.empty()) return run(place);
  const std::span<counted_pattern> list = runs.front().span();
  tbb::parallel_sort(list.begin(), list.end(),
                     [](const counted_pattern& a, const counted_pattern& b) {
                       return a.leaves != b.leaves ? a.leaves > b.leaves : a.pattern < b.pattern;
                     });
  return std::move(runs.front());
}

}  // namespace baltoro::format
