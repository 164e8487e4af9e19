// What a thread does with one node of a frontier (paper, Algorithm 1): the codes of its children, or
// the cells below it. The same functions on the CPU and the GPU.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>

#include <cstdint>

namespace baltoro::format {

// Writes the Morton codes of a node's children to `out`, in the order of the level below.
BALTORO_HOST_DEVICE constexpr void write_children(std::uint64_t code, unsigned signature,
                                                  std::uint64_t* out) {
  for (unsigned b = 0; b < 4; ++b) {
    if (((signature >> b) & 1U) != 0) *out++ = (code << 2U) | b;
  }
}

// The inverse: the signature of the node whose children are those of ascending distinct codes from `first` on.
BALTORO_HOST_DEVICE constexpr unsigned signature_of(const std::uint64_t* codes, std::uint64_t first,
                                                    std::uint64_t count) {
  unsigned signature = 0;
  for (std::uint64_t i = first; i < count && codes[i] >> 2U == codes[first] >> 2U; ++i) {
    signature |= 1U << (codes[i] & 3U);
  }
  return signature;
}

// Calls visit(row, col) for every cell of a leaf. `code` is the leaf's, its 2×2 block's.
template <class Visit>
BALTORO_HOST_DEVICE constexpr void visit_leaf(std::uint64_t code, unsigned signature,
                                              const Visit& visit) {
  const std::uint64_t row = std::uint64_t{morton::row_of(code)} << 1U;
  const std::uint64_t col = std::uint64_t{morton::col_of(code)} << 1U;
  for (unsigned b = 0; b < 4; ++b) {
    if (((signature >> b) & 1U) != 0) visit(row + (b >> 1U), col + (b & 1U));
  }
}

// Calls visit(row, col) for every cell below a node of the last internal level, whose leaves are
// `first_leaf` and those that follow it.
template <class Visit>
BALTORO_HOST_DEVICE constexpr void visit_leaves(const level_order_view& tree, std::uint64_t code,
                                                unsigned signature, std::uint64_t first_leaf,
                                                const Visit& visit) {
  for (unsigned b = 0; b < 4; ++b) {
    if (((signature >> b) & 1U) != 0) {
      visit_leaf((code << 2U) | b, tree.signature(first_leaf++), visit);
    }
  }
}

}  // namespace baltoro::format
