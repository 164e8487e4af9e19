#include "format/adaptive/partition.hpp"

#include <algorithm>

namespace baltoro::format {
namespace {

class cutter {
 public:
  cutter(std::span<const std::uint64_t> codes, std::uint32_t most, const base::array_place& place)
      : cuts(place), codes_(codes), most_(most) {}

  // The leaves [first, last) of a square that is 4^level leaves large.
  void square(std::uint64_t first, std::uint64_t last, unsigned level) {
    if (first == last) return;
    level = std::min(level, common_level(codes_[first], codes_[last - 1]));
    if (fits(first, last, level)) {
      add(first, last);
      return;
    }
    std::uint64_t begin = first;  // of quarters that have not been added
    std::uint64_t from = first;
    const std::uint64_t corner = codes_[first] >> (2 * level) << (2 * level);
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      const std::uint64_t limit = corner + ((quarter + 1ULL) << (2 * (level - 1)));
      const auto to = static_cast<std::uint64_t>(
          std::lower_bound(codes_.begin() + static_cast<std::ptrdiff_t>(from),
                           codes_.begin() + static_cast<std::ptrdiff_t>(last), limit) -
          codes_.begin());
      if (!fits(from, to, level - 1)) {
        add(begin, from);
        square(from, to, level - 1);
        begin = to;
      } else if (!fits(begin, to, level)) {
        add(begin, from);
        begin = from;
      }
      from = to;
    }
    add(begin, last);
  }

  base::stored_array<cut> cuts;

 private:
  bool fits(std::uint64_t first, std::uint64_t last, unsigned level) const {
    return last - first <= most_ && level <= adaptive_view::max_level;
  }

  void add(std::uint64_t first, std::uint64_t last) {
    if (first == last) return;
    cuts.push_back({first, static_cast<std::uint32_t>(last - first),
                    common_level(codes_[first], codes_[last - 1])});
  }

  std::span<const std::uint64_t> codes_;
  std::uint32_t most_;
};

}  // namespace

base::stored_array<cut> partition(std::span<const std::uint64_t> codes, std::uint32_t most_leaves,
                                  const base::array_place& place) {
  cutter work(codes, most_leaves, place);
  if (!codes.empty()) work.square(0, codes.size(), common_level(codes.front(), codes.back()));
  work.cuts.finish();
  return std::move(work.cuts);
}

}  // namespace baltoro::format
