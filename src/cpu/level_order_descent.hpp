// The level-synchronous descent of the paper (section 3) on one core: from one node down to the
// blocks of 4×4 cells, in tiles of a fixed number of nodes, depth first, with one small buffer a
// level.
//
// The children of a contiguous range of nodes are contiguous, so one rank a level, at the start, is
// all that is needed; from then on a cursor a level moves on. The last internal level is visited in
// place. A frontier entry holds the row of a node in its upper half and the column in its lower
// half, both relative to the start: a child is one shift and one addition, and nothing has to be
// deinterleaved.
#pragma once

#include <baltoro/level_order.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace baltoro::cpu {

static_assert(std::endian::native == std::endian::little,
              "signatures are read as little-endian words");

// Buffers of a descent, one set a thread.
class descent_scratch {
 public:
  // Nodes of one tile. Their children fill the buffer of the next level, 8 KiB.
  static constexpr std::size_t tile = 256;

  explicit descent_scratch(unsigned levels) : codes_(4 * tile * levels) {}
  std::uint64_t* at(unsigned level) { return codes_.data() + 4 * tile * level; }
  static std::uint64_t bytes(unsigned levels) { return 8 * 4 * tile * levels; }

 private:
  std::vector<std::uint64_t> codes_;
};

namespace detail {

// For every signature the steps to its children, those of set quadrants first: b1 in the upper
// half, b0 in the lower.
struct child_steps {
  std::array<std::array<std::uint64_t, 4>, 16> of{};

  constexpr child_steps() {
    for (unsigned signature = 0; signature < 16; ++signature) {
      unsigned filled = 0;
      for (unsigned b = 0; b < 4; ++b) {
        if (((signature >> b) & 1U) != 0) {
          of[signature][filled++] = (std::uint64_t{b >> 1U} << 32U) | (b & 1U);
        }
      }
    }
  }
};

inline constexpr child_steps steps;

}  // namespace detail

// Calls block(code, mask) for every non-empty 4×4 block below a node, in Morton order. The upper
// half of `code` is the row of the block and the lower half its column, in blocks, relative to the
// node. Bit 4·q + b of the mask is the cell of quadrant b in the 2×2 leaf of quadrant q.
template <class Block>
class descent {
 public:
  descent(const level_order_view& tree, descent_scratch& scratch, Block block)
      : tree_(tree),
        scratch_(scratch),
        block_(block),
        signature_bytes_(reinterpret_cast<const unsigned char*>(tree.signatures)),
        last_load_(8 * tree.signature_words() - 4) {}

  void from(unsigned level, std::uint64_t node) {
    if (tree_.levels == 1) {  // the root is a leaf
      block_(0, tree_.signature(node));
      return;
    }
    std::uint64_t first = node;
    for (unsigned l = level; l + 1 < tree_.levels; ++l) {
      first = tree_.first_child(first);
      next_[l + 1] = first;
    }
    const std::uint64_t origin = 0;
    expand(level, node, &origin, 1);
  }

 private:
  void expand(unsigned level, std::uint64_t node, const std::uint64_t* codes, std::size_t count) {
    if (level + 2 == tree_.levels) {
      visit_blocks(node, codes, count);
      return;
    }
    std::uint64_t* const children = scratch_.at(level + 1);
    while (count > 0) {
      const std::size_t here = count < descent_scratch::tile ? count : descent_scratch::tile;
      std::size_t filled = 0;
      for (std::size_t i = 0; i < here; ++i) {
        const unsigned signature = tree_.signature(node + i);
        const std::uint64_t code = codes[i] << 1U;
        const auto& step = detail::steps.of[signature];
        // All four are written, whatever their number: a branch would cost more.
        for (unsigned j = 0; j < 4; ++j) children[filled + j] = code | step[j];
        filled += popcount(signature);
      }
      const std::uint64_t first_child = next_[level + 1];
      next_[level + 1] += filled;
      expand(level + 1, first_child, children, filled);
      node += here;
      codes += here;
      count -= here;
    }
  }

  void visit_blocks(std::uint64_t node, const std::uint64_t* codes, std::size_t count) {
    std::uint64_t leaf = next_[tree_.levels - 1];
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned signature = tree_.signature(node + i);
      unsigned leaves = load_leaves(leaf);
      unsigned mask = 0;
      for (unsigned quadrant = 0; quadrant < 4; ++quadrant) {
        const unsigned present = 0U - ((signature >> quadrant) & 1U);
        mask |= (leaves & 15U & present) << (4U * quadrant);
        leaves >>= present & 4U;
      }
      leaf += popcount(signature);
      block_(codes[i], mask);
    }
    next_[tree_.levels - 1] = leaf;
  }

  // The signatures of at least four nodes from `node` on, as far as there are so many.
  unsigned load_leaves(std::uint64_t node) const {
    const std::uint64_t wanted = node >> 1U;
    const std::uint64_t at = wanted < last_load_ ? wanted : last_load_;
    std::uint32_t four_bytes = 0;
    std::memcpy(&four_bytes, signature_bytes_ + at, 4);
    return four_bytes >> (4U * (node - 2 * at));
  }

  const level_order_view& tree_;
  descent_scratch& scratch_;
  Block block_;
  const unsigned char* signature_bytes_;
  std::uint64_t last_load_;
  std::array<std::uint64_t, level_order_view::max_levels + 1> next_{};
};

}  // namespace baltoro::cpu
