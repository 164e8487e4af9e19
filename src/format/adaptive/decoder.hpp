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

// Whether leaves come by ascending offset, or as the container has them.
enum class leaf_order { ascending, stored };

// The leaves of one container, decoded.
class decoded_container {
 public:
  // Decodes a container of a valid matrix.
  void load(const adaptive_view& a, std::uint64_t container,
            leaf_order order = leaf_order::ascending) {
    const std::uint32_t* words = a.payload_of(container);
    const container_header header{*words++};
    const unsigned level = a.level(container);
    corner_ = a.first_leaf(container) >> (2 * level) << (2 * level);
    leaves_ = header.leaves();
    const kind_functions& kind = kind_of(header.kind());
    kind.decode(words, level, header.detail(), {offsets_.data(), leaves_});
    decode_contents(a, words + kind.words(leaves_, header.detail()), {patterns_.data(), leaves_});
    if (order == leaf_order::ascending && kind.order != nullptr) {
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
