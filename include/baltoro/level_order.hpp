/// \file
/// \brief The layout `level_order`: the paper's k²-tree (section 2.1) and its sampled directory
/// (3.2).
///
/// The tree has k = 2 and `levels` levels, level 0 the root and level `levels - 1` the leaves, each
/// a block of 2×2 cells; 2^levels is at least the larger dimension, and what exceeds the shape is
/// empty. Every node is one nibble, its signature: bit b = 2·b1 + b0 is set when quadrant b holds a
/// non-zero, b1 selecting the lower half of the rows and b0 the right half of the columns. At a
/// leaf the four bits are the cells. Nodes are numbered from 0 (the root) in level order through
/// the whole tree, so the children of node v are the nodes 1 + rank(v), 2 + rank(v), …, where
/// rank(v) counts the set bits of all signatures before v. A matrix without non-zeros has no nodes
/// at all.
///
/// Signature of node v: bits 4·(v mod 16) … of word v / 16. The directory keeps rank(v) for every
/// v = k·S below the leaves, as a 32-bit sample relative to a 64-bit base that is shared by
/// `samples_per_base` samples. For S = 256 that is 0.06 to 0.11 bits a node.
#pragma once

#include <baltoro/host_device.hpp>
#include <baltoro/types.hpp>

#include <bit>
#include <cstdint>

namespace baltoro {

/// The number of set bits of a word, on the CPU and the GPU.
BALTORO_HOST_DEVICE constexpr unsigned popcount(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__popcll(static_cast<long long>(word)));
#else
  return static_cast<unsigned>(std::popcount(word));
#endif
}

/// A level-order k²-tree that somebody else owns. Trivially copyable, passed to kernels by value.
struct level_order_view {
  /// The most levels a tree can have: 2³² ≥ max_dimension.
  static constexpr unsigned max_levels = 32;
  /// Samples of the directory that share one 64-bit base.
  static constexpr std::uint64_t samples_per_base = 1U << 14U;

  shape dims;                                      ///< rows and columns
  std::uint32_t levels = 0;                        ///< number of levels, 1 to max_levels
  std::uint32_t step_log2 = 8;                     ///< log2 of the directory's S, 4 to 14
  std::uint64_t nnz = 0;                           ///< number of non-zero cells
  std::uint64_t level_begin[max_levels + 1] = {};  ///< first node of each level; [levels]: nodes
  const std::uint64_t* signatures = nullptr;       ///< ⌈nodes / 16⌉ words, unused nibbles 0
  const std::uint32_t* directory = nullptr;        ///< one sample every S internal nodes
  const std::uint64_t* directory_base = nullptr;   ///< one base every samples_per_base samples

  /// Number of nodes of the whole tree.
  BALTORO_HOST_DEVICE constexpr std::uint64_t nodes() const { return level_begin[levels]; }
  /// Number of nodes of one level.
  BALTORO_HOST_DEVICE constexpr std::uint64_t nodes_at(unsigned level) const {
    return level_begin[level + 1] - level_begin[level];
  }
  /// Number of nodes above the leaves: those that have children, and that the directory covers.
  BALTORO_HOST_DEVICE constexpr std::uint64_t internal_nodes() const {
    return levels == 0 ? 0 : level_begin[levels - 1];
  }
  /// Number of 64-bit words of `signatures`.
  BALTORO_HOST_DEVICE constexpr std::uint64_t signature_words() const {
    return (nodes() + 15) / 16;
  }
  /// Number of samples of `directory`.
  BALTORO_HOST_DEVICE constexpr std::uint64_t samples() const {
    return (internal_nodes() + (1ULL << step_log2) - 1) >> step_log2;
  }
  /// Number of entries of `directory_base`.
  BALTORO_HOST_DEVICE constexpr std::uint64_t bases() const {
    return (samples() + samples_per_base - 1) / samples_per_base;
  }
  /// The side of the square a node of this level stands for. For level 0 of 32 levels that is 2³².
  BALTORO_HOST_DEVICE constexpr std::uint64_t side(unsigned level) const {
    return 1ULL << (levels - level);
  }

  /// The signature of a node. \pre node < nodes()
  BALTORO_HOST_DEVICE constexpr unsigned signature(std::uint64_t node) const {
    return static_cast<unsigned>(signatures[node >> 4U] >> (4U * (node & 15U))) & 15U;
  }

  /// The number of set bits in the signatures of nodes [from, to).
  BALTORO_HOST_DEVICE constexpr std::uint64_t count(std::uint64_t from, std::uint64_t to) const {
    const std::uint64_t before = from & 15U;
    return before == 0 ? count_aligned(from, to)
                       : count_aligned(from - before, to) - count_aligned(from - before, from);
  }

  /// The same for a \p from that is a multiple of 16.
  BALTORO_HOST_DEVICE constexpr std::uint64_t count_aligned(std::uint64_t from,
                                                            std::uint64_t to) const {
    std::uint64_t total = 0;
    std::uint64_t word = from >> 4U;
    for (; word < to >> 4U; ++word) total += popcount(signatures[word]);
    const auto rest = static_cast<unsigned>(4U * (to & 15U));
    if (rest != 0) total += popcount(signatures[word] & ((1ULL << rest) - 1));
    return total;
  }

  /// The first child of an internal node, by one directory sample and at most S / 16 popcounts.
  /// \pre node < internal_nodes()
  BALTORO_HOST_DEVICE constexpr std::uint64_t first_child(std::uint64_t node) const {
    const std::uint64_t sample = node >> step_log2;
    return 1 + directory_base[sample / samples_per_base] + directory[sample] +
           count_aligned(sample << step_log2, node);
  }
};

/// The levels a tree needs for a shape: the smallest ℓ ≥ 1 with 2^ℓ ≥ both dimensions.
BALTORO_HOST_DEVICE constexpr std::uint32_t levels_for(shape dims) {
  const index_t side = dims.rows > dims.cols ? dims.rows : dims.cols;
  std::uint32_t levels = 1;
  while (levels < level_order_view::max_levels && (1ULL << levels) < side) ++levels;
  return levels;
}

/// Whether cell (row, col) is set. One path from the root: at most `levels` calls of first_child.
/// \pre row < rows, col < cols
BALTORO_HOST_DEVICE constexpr bool contains(const level_order_view& tree, index_t row,
                                            index_t col) {
  if (tree.nodes() == 0) return false;
  std::uint64_t node = 0;
  for (unsigned level = 0;; ++level) {
    const unsigned shift = tree.levels - 1 - level;
    const unsigned quadrant = 2 * ((row >> shift) & 1U) + ((col >> shift) & 1U);
    const unsigned signature = tree.signature(node);
    if (((signature >> quadrant) & 1U) == 0) return false;
    if (shift == 0) return true;
    node = tree.first_child(node) + popcount(signature & ((1U << quadrant) - 1U));
  }
}

}  // namespace baltoro
