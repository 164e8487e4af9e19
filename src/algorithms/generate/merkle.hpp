// Version histories: see generator::merkle().
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/generate/model.hpp"

namespace baltoro::generators {

// Ratios are those of power_law.
struct merkle_habits {
  double commits = 1.0 / 16;     // share of the vertices of a repository
  double trees = 0.4;            // and of versions of trees; the rest is files
  double versions_ratio = 0.27;  // of the number of versions of a tree
  double versions = 256;         // the most
  double entries_ratio =
      0.7;  // of the weight of a tree, to which its number of entries is proportional
  double changes =
      0.5;              // that a version replaces one more entry: runs of 1 / (1 - changes) entries
  double jumps = 0.63;  // that an entry does not follow the one before, but lies elsewhere
  double shared = 0.3;  // and there in another repository
};

std::shared_ptr<const generator::model> merkle_rows(index_t vertices, std::uint64_t edges,
                                                    std::uint64_t seed,
                                                    const merkle_habits& habits);

}  // namespace baltoro::generators
