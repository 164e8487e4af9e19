#include "format/adaptive/bitmap_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/quadtree.hpp"

namespace baltoro::format {
namespace {

std::uint32_t words(unsigned, std::uint32_t nodes) {
  return bitmap_words + words_for(4ULL * nodes);
}

std::optional<encoded_size> measure(const leaf_positions& positions, unsigned level) {
  const std::span<const std::uint32_t> offsets = positions.offsets;
  const unsigned below = levels_below_bitmap(level);
  std::uint32_t nodes = below;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    const auto differ = static_cast<unsigned>(std::bit_width(offsets[i - 1] ^ offsets[i]) - 1) / 2;
    nodes += std::min(differ, below);
  }
  if (nodes > max_quadtree_nodes) return std::nullopt;
  return encoded_size{words(0, nodes), nodes};
}

void encode(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t nodes,
            std::uint32_t* to) {
  const unsigned below = levels_below_bitmap(level);
  for (const std::uint32_t offset : offsets) {
    const std::uint32_t square = offset >> (2 * below);
    to[square / 32] |= 1U << (square % 32);
  }
  encode_nodes(offsets, below, nodes, to + bitmap_words);
}

void decode(const std::uint32_t* from, unsigned, std::uint32_t nodes,
            std::span<std::uint32_t> offsets) {
  std::array<std::uint32_t, max_quadtree_nodes> codes;
  std::uint32_t next = 0;
  const auto put = [&](std::uint32_t code) {
    if (next < nodes) {
      codes[next] = code;
    } else {
      offsets[next - nodes] = code;
    }
    ++next;
  };
  for (std::uint64_t left = from[0] | std::uint64_t{from[1]} << 32U; left != 0; left &= left - 1) {
    put(static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t left = read_nibble(from + bitmap_words, node); left != 0; left &= left - 1) {
      put(codes[node] << 2U | static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
}

bool valid(const std::uint32_t* from, unsigned level, std::uint32_t nodes, unsigned leaves) {
  const unsigned below = levels_below_bitmap(level);
  if (nodes > max_quadtree_nodes || (below == 0) != (nodes == 0)) return false;
  const std::uint64_t bitmap = from[0] | std::uint64_t{from[1]} << 32U;
  if (level < bitmap_levels && bitmap >> (1U << (2 * level)) != 0) return false;
  std::uint32_t begin = 0;
  auto end = static_cast<std::uint32_t>(std::popcount(bitmap));  // of the current level
  for (unsigned above = below; above >= 1; --above) {
    std::uint32_t children = 0;
    if (end > nodes) return false;
    for (std::uint32_t node = begin; node < end; ++node) {
      const std::uint32_t nibble = read_nibble(from + bitmap_words, node);
      if (nibble == 0) return false;
      children += static_cast<std::uint32_t>(std::popcount(nibble));
    }
    begin = end;
    end += children;
  }
  const std::uint32_t last = (nodes & 7U) == 0 ? 0 : from[bitmap_words + (nodes >> 3U)];
  return end == nodes + leaves && last >> (4U * (nodes & 7U)) == 0;
}

unsigned find(const std::uint32_t* from, unsigned level, std::uint32_t nodes, unsigned leaves,
              std::uint32_t offset) {
  const unsigned below = levels_below_bitmap(level);
  const std::uint64_t bitmap = from[0] | std::uint64_t{from[1]} << 32U;
  const std::uint32_t square = offset >> (2 * below);
  if (((bitmap >> square) & 1U) == 0) return leaves;
  auto node = static_cast<std::uint32_t>(std::popcount(bitmap & ((1ULL << square) - 1)));
  const std::uint32_t* const nibbles = from + bitmap_words;
  auto rank = static_cast<std::uint32_t>(std::popcount(bitmap));  // and set bits of `counted` words
  std::uint32_t counted = 0;
  for (unsigned above = below; above >= 1; --above) {
    const unsigned quarter = (offset >> (2 * (above - 1))) & 3U;
    const std::uint32_t nibble = read_nibble(nibbles, node);
    if (((nibble >> quarter) & 1U) == 0) return leaves;
    for (; counted < node >> 3U; ++counted) {
      rank += static_cast<std::uint32_t>(std::popcount(nibbles[counted]));
    }
    const std::uint32_t before = nibbles[node >> 3U] & ((1U << (4U * (node & 7U))) - 1);
    node = rank + static_cast<std::uint32_t>(std::popcount(before) +
                                             std::popcount(nibble & ((1U << quarter) - 1)));
  }
  return node - nodes;
}

}  // namespace

const kind_functions bitmap_tree_kind = {"bitmap_tree", measure, encode, words,
                                         decode,        valid,   find};

}  // namespace baltoro::format
