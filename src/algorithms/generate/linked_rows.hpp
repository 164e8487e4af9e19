// Rows that are linked to columns by a handful of habits: the models web, social, citation and relation are
// settings of this one.
//
// Rows come in groups of neighbours that resemble each other. A row of a group keeps most links of the row
// before; all others are new. New links come in runs of neighbouring columns, and a run begins near the row
// (with web: in its host), at the head of its host, or at a popular column anywhere.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/generate/model.hpp"
#include "algorithms/generate/random.hpp"

namespace baltoro::generators {

// The settings. Probabilities are from 0 to 1, ratios those of power_law.
struct link_habits {
  bool hosts = false;             // links to near columns stay in the host of the row
  bool older_only = false;        // they go to columns before the row's place
  bool least_one = false;         // every row has a link, where there are as many
  bool scattered_hubs = false;    // popular columns lie anywhere, not at the front
  double group = 0.5;             // that a row belongs to the group of the row before
  double kept = 0.9;              // that such a row keeps a link
  double run = 0.3;               // that a run goes on with the next column
  double near = 0.8;              // share of runs that begin near the row
  double head = 0;                // and at the head of its host; the rest begins at popular columns
  double distance_ratio = 0.5;    // of the distance from the row
  double popularity_ratio = 1.0;  // of the rank of popular columns
  double degree_ratio = 0.5;      // of the weight of a group's rows
  double degree_spread = 1024;    // the largest weight
};

std::shared_ptr<const generator::model> linked_rows(shape dims, std::uint64_t edges,
                                                    std::uint64_t seed, const link_habits& habits);

}  // namespace baltoro::generators
