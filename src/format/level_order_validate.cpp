#include "format/level_order_validate.hpp"

#include <baltoro/morton.hpp>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "format/level_order_walk.hpp"

namespace baltoro::format {
namespace {

std::string check_signatures(const level_order_view& tree) {
  // No node is empty: the nibble-wise OR of a full word must be all ones.
  constexpr std::uint64_t ones = 0x1111'1111'1111'1111ULL;
  for (std::uint64_t word = 0; word < tree.signature_words(); ++word) {
    const std::uint64_t s = tree.signatures[word];
    const std::uint64_t used = tree.nodes() - 16 * word;
    const std::uint64_t wanted = used >= 16 ? ones : ones & ((1ULL << (4 * used)) - 1);
    const std::uint64_t filled = (s | (s >> 1U) | (s >> 2U) | (s >> 3U)) & ones;
    if (filled == wanted) continue;
    const auto node = 16 * word + static_cast<std::uint64_t>(std::countr_zero(filled ^ wanted)) / 4;
    return used < 16 && node >= tree.nodes()
               ? fmt::format("bits are set after the last node {}", tree.nodes() - 1)
               : fmt::format("node {} has an empty signature", node);
  }
  for (unsigned level = 0; level < tree.levels; ++level) {
    const std::uint64_t children = tree.count(tree.level_begin[level], tree.level_begin[level + 1]);
    const bool leaves = level + 1 == tree.levels;
    const std::uint64_t wanted = leaves ? tree.nnz : tree.nodes_at(level + 1);
    if (children != wanted) {
      return fmt::format("level {} has {} set bits, but {} {} follow", level, children, wanted,
                         leaves ? "non-zeros" : "nodes");
    }
  }
  return {};
}

std::string check_directory(const level_order_view& tree) {
  std::uint64_t rank = 0;
  for (std::uint64_t sample = 0; sample < tree.samples(); ++sample) {
    const std::uint64_t from = sample << tree.step_log2;
    const std::uint64_t stored =
        tree.directory_base[sample / level_order_view::samples_per_base] + tree.directory[sample];
    if (stored != rank) {
      return fmt::format("directory sample {} is {}, but the rank there is {}", sample, stored,
                         rank);
    }
    rank += tree.count(
        from, std::min<std::uint64_t>(tree.internal_nodes(), from + (1ULL << tree.step_log2)));
  }
  return {};
}

std::string check_cells(const level_order_view& tree) {
  std::string problem;
  visit_all_leaves(tree, [&](std::uint64_t code, unsigned signature) {
    const std::uint64_t row = 2 * std::uint64_t{morton::row_of(code)};
    const std::uint64_t col = 2 * std::uint64_t{morton::col_of(code)};
    const std::uint64_t last_row = row + ((signature & 0b1100U) != 0 ? 1 : 0);
    const std::uint64_t last_col = col + ((signature & 0b1010U) != 0 ? 1 : 0);
    if (problem.empty() && (last_row >= tree.dims.rows || last_col >= tree.dims.cols)) {
      problem = fmt::format("a cell at row {}, column {} lies outside the {}x{} matrix", last_row,
                            last_col, tree.dims.rows, tree.dims.cols);
    }
  });
  return problem;
}

}  // namespace

std::string check_level_table(const level_order_view& tree) {
  if (tree.levels != levels_for(tree.dims)) {
    return fmt::format("{} levels for a {}x{} matrix, which needs {}", tree.levels, tree.dims.rows,
                       tree.dims.cols, levels_for(tree.dims));
  }
  if (tree.step_log2 < 4 || tree.step_log2 > 14) {
    return fmt::format("directory step 2^{} is outside 2^4 to 2^14", tree.step_log2);
  }
  if (tree.level_begin[0] != 0) return "the level table does not start at 0";
  const bool empty = tree.nodes() == 0;
  for (unsigned level = 0; level < tree.levels; ++level) {
    const std::uint64_t begin = tree.level_begin[level];
    const std::uint64_t end = tree.level_begin[level + 1];
    const std::uint64_t above = level == 0 ? 0 : begin - tree.level_begin[level - 1];
    // A node has one to four children, so levels never shrink and grow fourfold at most.
    const bool fits = empty        ? end == 0
                      : level == 0 ? end == 1
                                   : end >= begin && end - begin >= above &&
                                         (end - begin + 3) / 4 <= above && end < (1ULL << 62U);
    if (!fits) return fmt::format("level {} cannot hold nodes {} to {}", level, begin, end);
  }
  if (empty != (tree.nnz == 0))
    return fmt::format("{} nodes for {} non-zeros", tree.nodes(), tree.nnz);
  return {};
}

std::string check_level_order(const level_order_view& tree) {
  if (std::string problem = check_signatures(tree); !problem.empty()) return problem;
  if (std::string problem = check_directory(tree); !problem.empty()) return problem;
  return check_cells(tree);
}

}  // namespace baltoro::format
