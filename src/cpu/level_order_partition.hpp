// How the CPU cuts a level-order tree into independent pieces of work.
//
// The top of the tree is expanded to one level with a few thousand nodes. Those that write to the
// same outputs (a strip of rows for a right product, of columns for a left one) form a strip, so
// strips never touch each other's outputs and need no atomics. A strip with much more than its
// share of the work (a full row, a popular column) is cut into pieces that add up privately. The
// cut depends on the tree alone, not on the number of threads: so do the results, to the last bit.
#pragma once

#include <baltoro/level_order.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::cpu {

// A node of the level where the pieces start.
struct top_node {
  std::uint64_t node;
  index_t out;  // its coordinate along the outputs, in units of its side
  index_t in;   // its coordinate along the inputs, in units of its side
};

struct strip {
  index_t out;  // coordinate of its nodes along the outputs
  std::uint32_t pieces_begin;
  std::uint32_t pieces_end;
};

struct piece {
  std::uint32_t nodes_begin;
  std::uint32_t nodes_end;
  std::uint32_t in_strip;
};

struct partition {
  partition(const level_order_view& tree, direction of_product);

  unsigned level = 0;           // of the top nodes
  std::uint64_t side = 1;       // of the top nodes, in cells; 2^32 at most
  std::vector<top_node> nodes;  // by strip, and along the inputs within a strip
  std::vector<strip> strips;    // ascending
  std::vector<piece> pieces;

  bool is_split(const strip& s) const { return s.pieces_end - s.pieces_begin > 1; }
  // Bytes held by the lists above.
  std::uint64_t bytes() const;
};

}  // namespace baltoro::cpu
