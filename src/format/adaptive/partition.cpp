#include "format/adaptive/partition.hpp"

#include <algorithm>

namespace baltoro::format {
namespace {

class cutter {
 public:
  cutter(std::span<const std::uint64_t> codes, std::uint32_t most, const base::array_place& place)
      : cuts(place), codes_(codes), most_(most) {}

  // The leaves [first, last) of a square.
  void square(std::uint64_t first, std::uint64_t last) {
    const auto code_at = [this](std::uint64_t i) { return codes_[i]; };
    const square_cut pieces = cut_square(code_at, first, last, most_);
    for (unsigned i = 0; i < pieces.count; ++i) {
      const square_cut::piece& piece = pieces.pieces[i];
      if (piece.is_container) {
        add(piece.first, piece.last);
      } else {
        square(piece.first, piece.last);
      }
    }
  }

  base::stored_array<cut> cuts;

 private:
  void add(std::uint64_t first, std::uint64_t last) {
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
  if (!codes.empty()) work.square(0, codes.size());
  work.cuts.finish();
  return std::move(work.cuts);
}

}  // namespace baltoro::format
