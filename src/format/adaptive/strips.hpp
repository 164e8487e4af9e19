// The leaves of an adaptive matrix by strips of eight rows or columns, a tile of them at a time: what the
// host plans once so that a batch can be multiplied strip by strip.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::format {

// Consecutive strips whose leaves are expanded together.
struct strip_tile {
  std::uint32_t first_strip = 0;
  std::uint32_t strips = 0;
  std::uint64_t leaves = 0;
  std::uint64_t first_container = 0;  // in strip_plan::containers
  std::uint64_t containers = 0;
};

struct strip_plan {
  // Of each strip of outputs the number of leaves in the strips before it in its tile.
  std::vector<std::uint32_t> begin;
  std::vector<strip_tile> tiles;
  // Of each tile the containers that may have leaves in it.
  std::vector<std::uint32_t> containers;

  std::uint64_t most_strips() const;  // of a tile
  std::uint64_t most_leaves() const;
};

// Cuts the strips of outputs of a product into tiles of at most `tile_leaves` leaves, or of one strip where
// that has more. Decodes the positions of all leaves once. Parallel. Throws out_of_memory where there are 2^32
// containers or more, or as many leaves in one strip.
strip_plan plan_strips(const adaptive_view& a, direction side, std::uint64_t tile_leaves);

}  // namespace baltoro::format
