// How the CPU cuts an adaptive matrix into independent pieces of work.
//
// The outputs (rows of a right product, columns of a left one) are cut into *bands* as wide as the
// widest container, so that every container adds to one band only and a band's sums fit a cache. A
// band is worked off in *phases*: first the containers of the largest level, then the next smaller
// ones, last all those that are no wider than a strip. In one phase the containers with the same
// outputs form a *group*; groups of one phase never touch each other's outputs, so no sum is shared
// between threads and none is made twice. A group with much more than its share of the work is cut
// into pieces, of which all but the first add up privately.
//
// The cut depends on the matrix alone, not on the number of threads: so do the results, to the last
// bit.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::cpu {

struct adaptive_partition {
  // The level of the last phase: strips of 2^9 leaves, 4096 outputs.
  static constexpr unsigned strip_level = 9;

  // Containers `order[begin]` to `order[end − 1]` of one group. What the first piece of a group adds
  // up goes to the band's sums, another's to the private ones from output `private_begin` on.
  struct piece {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t first_out;  // of the group, in leaves
    std::uint64_t private_begin;
    bool is_private;
  };
  struct group {
    std::uint64_t pieces_begin;
    std::uint64_t pieces_end;
    std::uint64_t first_out;  // in leaves
  };
  struct phase {
    unsigned level;  // log2 of the width of its groups in leaves
    std::uint64_t groups_begin;
    std::uint64_t groups_end;
    std::uint64_t pieces_begin;
    std::uint64_t pieces_end;
  };

  adaptive_partition(const adaptive_view& a, direction side);

  unsigned band_level = strip_level;       // log2 of the width of a band in leaves
  std::uint64_t bands = 0;                 // bands that cover all outputs
  std::vector<std::uint64_t> order;        // containers by band, phase and group
  std::vector<piece> pieces;               // by group
  std::vector<group> groups;               // by phase
  std::vector<phase> phases;               // by band
  std::vector<std::uint64_t> first_phase;  // of each band, and the end
  std::uint64_t private_outputs = 0;       // of all private pieces together

  // Outputs of a band.
  std::uint64_t band_side() const {
    return std::uint64_t{1} << (band_level + adaptive_view::leaf_log2);
  }
  // Bytes held by the lists above.
  std::uint64_t bytes() const;
};

}  // namespace baltoro::cpu
