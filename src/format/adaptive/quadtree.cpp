#include "format/adaptive/quadtree.hpp"

#include <array>
#include <bit>

#include "format/adaptive/bits.hpp"
#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

// Each level from its last child to the first, so that its nodes end where those of the level below begin, and
// their codes can take the place of the children's.
void encode_nodes(std::span<const std::uint32_t> offsets, unsigned levels, std::uint32_t nodes,
                  std::uint32_t* words) {
  constexpr std::uint32_t capacity = 1024;
  std::array<std::uint32_t, capacity> codes;
  std::array<std::uint8_t, max_quadtree_nodes> nibbles;
  std::span<const std::uint32_t> children = offsets;
  std::uint32_t at = nodes;
  for (unsigned level = 0; level < levels; ++level) {
    std::uint32_t parents = capacity;
    std::uint32_t node = children.back() >> 2U;
    std::uint32_t nibble = 0;
    for (std::size_t i = children.size(); i-- > 0;) {
      const std::uint32_t child = children[i];
      const bool other = child >> 2U != node;
      nibbles[at - 1] = static_cast<std::uint8_t>(nibble);
      codes[parents - 1] = node;
      at -= other ? 1 : 0;
      parents -= other ? 1 : 0;
      nibble = (other ? 0 : nibble) | 1U << (child & 3U);
      node = child >> 2U;
    }
    nibbles[--at] = static_cast<std::uint8_t>(nibble);
    codes[--parents] = node;
    children = std::span<const std::uint32_t>(codes).subspan(parents);
  }
  for (std::uint32_t i = 0; i < nodes; ++i) {
    words[i / 8] |= static_cast<std::uint32_t>(nibbles[i]) << (4 * (i % 8));
  }
}

namespace {

std::uint32_t words(unsigned, std::uint32_t nodes) { return words_for(4ULL * nodes); }

// Two neighbours share their ancestors above the highest level where they differ.
std::optional<encoded_size> measure(const leaf_positions& positions, unsigned level) {
  const std::span<const std::uint32_t> offsets = positions.offsets;
  std::uint32_t nodes = level;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    nodes += (std::bit_width(offsets[i - 1] ^ offsets[i]) - 1) / 2;
  }
  if (nodes > max_quadtree_nodes) return std::nullopt;
  return encoded_size{words(0, nodes), nodes};
}

void encode(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t nodes,
            std::uint32_t* to) {
  encode_nodes(offsets, level, nodes, to);
}

// A level's codes are made of those of the level above, in place in a buffer for all nodes.
void decode(const std::uint32_t* from, unsigned level, std::uint32_t nodes,
            std::span<std::uint32_t> offsets) {
  std::array<std::uint32_t, max_quadtree_nodes + 1> codes;
  if (level == 0) {
    offsets[0] = 0;
    return;
  }
  codes[0] = 0;
  std::uint32_t next = 1;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t left = read_nibble(from, node); left != 0; left &= left - 1) {
      const std::uint32_t code =
          codes[node] << 2U | static_cast<std::uint32_t>(std::countr_zero(left));
      if (next < nodes) {
        codes[next] = code;
      } else {
        offsets[next - nodes] = code;
      }
      ++next;
    }
  }
}

bool valid(const std::uint32_t* from, unsigned level, std::uint32_t nodes, unsigned leaves) {
  if (nodes > max_quadtree_nodes || (level == 0) != (nodes == 0)) return false;
  if (level == 0) return leaves == 1;
  std::uint32_t begin = 0;
  std::uint32_t end = 1;  // of the current level
  for (unsigned above = level; above >= 1; --above) {
    std::uint32_t children = 0;
    if (end > nodes) return false;
    for (std::uint32_t node = begin; node < end; ++node) {
      const std::uint32_t nibble = read_nibble(from, node);
      if (nibble == 0) return false;
      children += static_cast<std::uint32_t>(std::popcount(nibble));
    }
    begin = end;
    end += children;
  }
  const std::uint32_t rest = (nodes & 7U) == 0 ? 0 : from[nodes >> 3U] >> (4U * (nodes & 7U));
  return begin == nodes && end == nodes + leaves && rest == 0;
}

unsigned find(const std::uint32_t* from, unsigned level, std::uint32_t nodes, unsigned leaves,
              std::uint32_t offset) {
  std::uint32_t node = 0;
  std::uint32_t rank = 0;  // set bits before `node`, whose first `counted` words are in it
  std::uint32_t counted = 0;
  for (unsigned above = level; above >= 1; --above) {
    const unsigned quarter = (offset >> (2 * (above - 1))) & 3U;
    const std::uint32_t nibble = read_nibble(from, node);
    if (((nibble >> quarter) & 1U) == 0) return leaves;
    for (; counted < node >> 3U; ++counted) {
      rank += static_cast<std::uint32_t>(std::popcount(from[counted]));
    }
    const std::uint32_t before = from[node >> 3U] & ((1U << (4U * (node & 7U))) - 1);
    node = 1 + rank +
           static_cast<std::uint32_t>(std::popcount(before) +
                                      std::popcount(nibble & ((1U << quarter) - 1)));
  }
  return node - nodes;
}

}  // namespace

const kind_functions quadtree_kind = {"quadtree", measure, encode, words, decode, valid, find};

}  // namespace baltoro::format
