// The leaves of an adaptive matrix by strips of eight rows or columns, a tile of them at a time: what the
// host plans once so that a batch can be multiplied strip by strip.
//
// What is counted is inputs of leaves: an input of a leaf is a column, or for a left product a row, in which the
// leaf has cells. So many rows of x are read for it.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::format {

// Of a tile.
inline constexpr std::uint32_t most_tile_strips = 1U << 24U;

// Consecutive strips whose leaves are expanded together.
struct strip_tile {
  std::uint32_t first_strip = 0;
  std::uint32_t strips = 0;
  std::uint64_t inputs = 0;           // of all leaves
  std::uint64_t first_container = 0;  // in strip_plan::containers
  std::uint64_t containers = 0;
};

struct strip_plan {
  // Of each strip of outputs the number of inputs in the strips before it in its tile.
  std::vector<std::uint32_t> begin;
  std::vector<strip_tile> tiles;
  // Of each tile the containers that may have leaves in it.
  std::vector<std::uint32_t> containers;

  std::uint64_t most_strips() const;  // of a tile
  std::uint64_t most_inputs() const;
};

// Cuts the strips of outputs of a product into tiles of at most `tile_inputs` inputs, or of one strip where
// that has more. Decodes all leaves once. Parallel. Throws out_of_memory where there are 2^32
// containers or more.
strip_plan plan_strips(const adaptive_view& a, direction side, std::uint64_t tile_inputs);

}  // namespace baltoro::format
