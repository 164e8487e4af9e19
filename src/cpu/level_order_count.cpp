#include "cpu/level_order_count.hpp"

#include <baltoro/threads.hpp>

#include <algorithm>
#include <functional>

#include "cpu/block_masks.hpp"
#include "cpu/strip_runner.hpp"

namespace baltoro::cpu {
namespace {

// A product with a vector of ones that is never stored. `Side` right counts rows.
template <direction Side>
std::vector<index_t> count(const level_order_view& tree) {
  const index_t outputs = Side == direction::right ? tree.dims.rows : tree.dims.cols;
  std::vector<index_t> counts(outputs);
  strip_runner<index_t> runner(tree, Side, outputs, 1, thread_limit::current());
  runner.run(
      0,
      [](index_t* sums, const top_node&) {
        return [sums](std::uint64_t code, unsigned mask) {
          const std::uint64_t line = Side == direction::right ? code >> 32U : code & 0xFFFF'FFFFU;
          // By input for the other side is by output for this one.
          constexpr direction other = Side == direction::right ? direction::left : direction::right;
          const unsigned by_output = mask_by_input<other>(mask);
          for (unsigned o = 0; o < 4; ++o) {
            sums[4 * line + o] += popcount((by_output >> (4 * o)) & 15U);
          }
        };
      },
      std::plus<index_t>(),
      [&](std::uint64_t first, std::uint64_t last, const index_t* sums) {
        if (sums != nullptr)
          std::copy_n(sums, last - first, counts.begin() + static_cast<std::ptrdiff_t>(first));
      });
  return counts;
}

}  // namespace

std::vector<index_t> count_by_row(const level_order_view& tree) {
  return count<direction::right>(tree);
}

std::vector<index_t> count_by_column(const level_order_view& tree) {
  return count<direction::left>(tree);
}

}  // namespace baltoro::cpu
