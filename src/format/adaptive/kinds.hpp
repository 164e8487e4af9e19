// The kinds of containers: ways to say where the leaves of a container are. A kind is one file and one
// row of the table in kinds.cpp.
//
// Positions are offsets: the Morton code of a leaf less that of the corner of the container's square, below
// 4^level, all distinct. They are measured ascending; they are written and returned in the order in which the kind
// numbers the leaves, which is that of their contents too.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace baltoro::format {

// Numbers as they are stored.
enum class container_kind : std::uint32_t {
  quadtree = 0,     // nibbles of a k²-tree above the leaves, level by level
  elias_fano = 1,   // Elias–Fano code of the offsets
  bitmap_tree = 2,  // a quadtree whose three levels at the top are a bitmap
  lines = 3,        // row by row or column by column
  runs = 4,         // row by row, neighbours together
};
inline constexpr unsigned container_kinds = 5;

// Whether leaves of a kind are numbered row by row and can be read on from any of them in a few registers.
BALTORO_HOST_DEVICE constexpr bool is_streamed(container_kind kind) {
  return kind == container_kind::runs || kind == container_kind::elias_fano;
}

struct encoded_size {
  std::uint32_t words = 0;   // that the positions take
  std::uint32_t detail = 0;  // for the header
};

// The leaves of a container that is to be encoded.
struct leaf_positions {
  std::span<const std::uint32_t> offsets;     // ascending
  std::span<const std::uint32_t> by_rows;     // line_key() of each, ascending
  std::span<const std::uint32_t> by_columns;  // the same of the other axis
};

// One row of the table.
struct kind_functions {
  const char* name;
  // What the positions would take, or nothing where the kind cannot hold them.
  std::optional<encoded_size> (*measure)(const leaf_positions& positions, unsigned level);
  // Writes them, in the order of their numbers, into words that are zero.
  void (*encode)(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t detail,
                 std::uint32_t* words);
  // Words that the positions of so many leaves take.
  std::uint32_t (*words)(unsigned leaves, std::uint32_t detail);
  // Reads the offsets back, in the order of their numbers.
  void (*decode)(const std::uint32_t* words, unsigned level, std::uint32_t detail,
                 std::span<std::uint32_t> offsets);
  // Whether `words` words that nobody has checked hold distinct offsets below 4^level in the
  // kind's order. Reads no others.
  bool (*valid)(const std::uint32_t* words, unsigned level, std::uint32_t detail, unsigned leaves);
  // The number of the leaf at an offset below 4^level, or `leaves` where there is none. Decodes no
  // other leaf.
  unsigned (*find)(const std::uint32_t* words, unsigned level, std::uint32_t detail,
                   unsigned leaves, std::uint32_t offset);
  // Where leaves are not numbered by ascending offset: numbers[i] = k where offsets[k] is leaf i.
  void (*order)(std::span<const std::uint32_t> offsets, unsigned level, std::uint32_t detail,
                std::span<std::uint16_t> numbers) = nullptr;
};

// The row of a kind. \pre number < container_kinds
const kind_functions& kind_of(std::uint32_t number);

extern const kind_functions quadtree_kind;
extern const kind_functions elias_fano_kind;
extern const kind_functions bitmap_tree_kind;
extern const kind_functions lines_kind;
extern const kind_functions runs_kind;

}  // namespace baltoro::format
