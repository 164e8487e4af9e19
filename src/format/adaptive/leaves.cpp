#include "format/adaptive/leaves.hpp"

#include <baltoro/level_order.hpp>

#include <utility>
#include <vector>

#include <tbb/parallel_for.h>

#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

constexpr std::size_t cells_a_piece = std::size_t{1} << 16U;

// Calls visit(code, pattern) for the leaves of some cells; every leaf is whole.
template <class Visit>
void visit_leaves(std::span<const std::uint64_t> cells, const Visit& visit) {
  for (std::size_t i = 0; i < cells.size();) {
    const std::uint64_t code = cells[i] >> 6U;
    std::uint64_t in_order = 0;  // of Morton codes
    for (; i < cells.size() && cells[i] >> 6U == code; ++i) in_order |= 1ULL << (cells[i] & 63U);
    visit(code, from_morton_order(in_order));
  }
}

// Leaves of some cells.
std::uint64_t count_leaves(std::span<const std::uint64_t> cells) {
  std::uint64_t leaves = cells.empty() ? 0 : 1;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    leaves += cells[i] >> 6U != cells[i - 1] >> 6U ? 1 : 0;
  }
  return leaves;
}

// Writes the leaves of some cells and returns how many cells they have, duplicates counted once. No branch
// depends on the cells: where a leaf ends is as good as random.
std::uint64_t write_leaves(std::span<const std::uint64_t> cells, std::uint64_t* codes,
                           std::uint64_t* patterns) {
  if (cells.empty()) return 0;
  std::uint64_t* pattern = patterns;
  std::uint64_t code = cells[0] >> 6U;
  std::uint64_t in_order = 0;
  for (const std::uint64_t cell : cells) {
    const bool other = cell >> 6U != code;
    codes += other ? 1 : 0;
    pattern += other ? 1 : 0;
    code = cell >> 6U;
    in_order = (other ? 0 : in_order) | 1ULL << (cell & 63U);
    *codes = code;
    *pattern = in_order;
  }
  std::uint64_t count = 0;
  for (++pattern; patterns != pattern; ++patterns) {
    count += popcount(*patterns);
    *patterns = from_morton_order(*patterns);
  }
  return count;
}

}  // namespace

leaf_list gather_leaves(std::span<const std::uint64_t> cells) {
  const std::size_t pieces = (cells.size() + cells_a_piece - 1) / cells_a_piece;
  // A leaf belongs to the piece where its first cell is.
  const auto begin_of = [&](std::size_t piece) {
    std::size_t at = piece == pieces ? cells.size() : piece * cells_a_piece;
    while (at != 0 && at < cells.size() && cells[at] >> 6U == cells[at - 1] >> 6U) ++at;
    return at;
  };
  const auto cells_of = [&](std::size_t piece) {
    const std::size_t begin = begin_of(piece);
    const std::size_t end = begin_of(piece + 1);
    return cells.subspan(begin, end - begin);
  };
  std::vector<std::uint64_t> first_leaf(pieces + 1);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    first_leaf[piece + 1] = count_leaves(cells_of(piece));
  });
  for (std::size_t piece = 0; piece < pieces; ++piece) first_leaf[piece + 1] += first_leaf[piece];

  leaf_list leaves;
  leaves.codes.resize(first_leaf[pieces]);
  leaves.patterns.resize(first_leaf[pieces]);
  std::vector<std::uint64_t> cells_in(pieces);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::uint64_t first = first_leaf[piece];
    cells_in[piece] =
        write_leaves(cells_of(piece), leaves.codes.data() + first, leaves.patterns.data() + first);
  });
  for (const std::uint64_t count : cells_in) leaves.cells += count;
  return leaves;
}

leaf_collector::leaf_collector(const base::array_place& place)
    : leaves_{base::stored_array<std::uint64_t>(place), base::stored_array<std::uint64_t>(place),
              0} {}

void leaf_collector::close() {
  if (pattern_ == 0) return;
  leaves_.codes.push_back(code_);
  leaves_.patterns.push_back(pattern_);
  leaves_.cells += popcount(pattern_);
  pattern_ = 0;
}

void leaf_collector::add(std::span<const std::uint64_t> cells) {
  visit_leaves(cells, [&](std::uint64_t code, std::uint64_t pattern) {
    if (code != code_) close();
    code_ = code;
    pattern_ |= pattern;
  });
}

leaf_list leaf_collector::finish() {
  close();
  leaves_.codes.finish();
  leaves_.patterns.finish();
  return std::move(leaves_);
}

}  // namespace baltoro::format
