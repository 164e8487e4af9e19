// Whether bytes that claim to be a level-order tree are one.
#pragma once

#include <baltoro/level_order.hpp>

#include <string>

namespace baltoro::format {

// Checks the counts that decide how much memory is read: dimensions, number of levels, an ascending
// level table. Cost: the number of levels. Returns what is wrong, or an empty string.
std::string check_level_table(const level_order_view& tree);

// Checks everything else: see matrix::validate. Cost: every node once. \pre check_level_table
// passed and the pointers are good for the sizes it vouches for.
std::string check_level_order(const level_order_view& tree);

}  // namespace baltoro::format
