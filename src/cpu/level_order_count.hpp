// Non-zeros of every row and of every column.
#pragma once

#include <baltoro/level_order.hpp>

#include <vector>

namespace baltoro::cpu {

std::vector<index_t> count_by_row(const level_order_view& tree);
std::vector<index_t> count_by_column(const level_order_view& tree);

}  // namespace baltoro::cpu
