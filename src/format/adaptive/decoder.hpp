// Reading containers on the CPU.
#pragma once

#include <baltoro/adaptive.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "format/adaptive/contents.hpp"
#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

// A container whose positions have been read.
struct stored_leaves {
  std::uint64_t corner = 0;  // Morton code of the container's corner, in leaves
  unsigned count = 0;
  bool ascending = true;                    // whether they are numbered by ascending offset
  const std::uint32_t* contents = nullptr;  // where the payload goes on
};

// Reads the positions of the leaves of a container of a valid matrix, by their numbers. `offsets` has room for
// 1024.
inline stored_leaves decode_positions(const adaptive_view& a, std::uint64_t container,
                                      std::uint32_t* offsets) {
  const std::uint32_t* words = a.payload_of(container);
  const container_header header{*words++};
  const unsigned level = a.level(container);
  const kind_functions& kind = kind_of(header.kind());
  kind.decode(words, level, header.detail(), {offsets, header.leaves()});
  return {a.first_leaf(container) >> (2 * level) << (2 * level), header.leaves(),
          kind.order == nullptr, words + kind.words(header.leaves(), header.detail())};
}

// Whether leaves come by ascending offset, or as the container has them.
enum class leaf_order { ascending, stored };

// The leaves of one container, decoded.
class decoded_container {
 public:
  // Decodes a container of a valid matrix.
  void load(const adaptive_view& a, std::uint64_t container,
            leaf_order order = leaf_order::ascending) {
    const stored_leaves stored = decode_positions(a, container, offsets_.data());
    corner_ = stored.corner;
    leaves_ = stored.count;
    decode_contents(a, stored.contents, {patterns_.data(), leaves_});
    if (order == leaf_order::ascending && !stored.ascending) {
      sort_by_offset();
    }
  }

  // Morton code of the container's corner, in leaves.
  std::uint64_t corner() const { return corner_; }
  // Morton codes of the leaves less the corner's.
  std::span<const std::uint32_t> offsets() const { return {offsets_.data(), leaves_}; }
  // What they hold.
  std::span<const std::uint64_t> patterns() const { return {patterns_.data(), leaves_}; }

 private:
  static constexpr unsigned capacity = 1024;  // what a header can say

  void sort_by_offset() {
    std::array<std::pair<std::uint32_t, std::uint64_t>, capacity> sorted;
    for (unsigned k = 0; k < leaves_; ++k) sorted[k] = {offsets_[k], patterns_[k]};
    std::sort(sorted.begin(), sorted.begin() + leaves_);
    for (unsigned k = 0; k < leaves_; ++k) std::tie(offsets_[k], patterns_[k]) = sorted[k];
  }

  std::uint64_t corner_ = 0;
  unsigned leaves_ = 0;
  std::array<std::uint32_t, capacity> offsets_;
  std::array<std::uint64_t, capacity> patterns_;
};

}  // namespace baltoro::format
