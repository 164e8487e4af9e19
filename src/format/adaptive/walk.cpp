#include "format/adaptive/walk.hpp"

#include <atomic>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace baltoro::format {
namespace {

// Calls visit(code, pattern) for every leaf, from many threads.
template <class VisitLeaf>
void visit_leaves_in_parallel(const adaptive_view& a, const VisitLeaf& visit) {
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, a.containers, 16), [&](const auto& range) {
    visit_leaves_of(a, range.begin(), range.end(), visit);
  });
}

// Containers that are decoded at the same time may share rows, columns and squares.
template <class Count>
void add(Count& count, unsigned more) {
  std::atomic_ref<Count>(count).fetch_add(more, std::memory_order_relaxed);
}

// Adds the cells of each row of a pattern to the counts from `first` on.
void count_rows(std::vector<index_t>& counts, std::uint64_t first, std::uint64_t pattern) {
  for (; pattern != 0; pattern >>= 8U, ++first) {
    const unsigned row = popcount(pattern & 0xFFU);
    if (row != 0) add(counts[first], row);
  }
}

}  // namespace

bool contains(const adaptive_view& a, index_t row, index_t col) {
  const std::uint64_t code = morton::encode(row, col);
  const std::uint64_t leaf = code >> 6U;
  const std::uint64_t* const after =
      std::upper_bound(a.places, a.places + a.containers, leaf << 4U | 15U);
  if (after == a.places) return false;
  const auto container = static_cast<std::uint64_t>(after - a.places) - 1;
  const unsigned level = a.level(container);
  if ((a.first_leaf(container) ^ leaf) >> (2 * level) != 0) return false;
  const auto offset = static_cast<std::uint32_t>(leaf & ((1ULL << (2 * level)) - 1));
  const std::uint32_t* const words = a.payload_of(container);
  const container_header header{*words};
  const kind_functions& kind = kind_of(header.kind());
  const unsigned number = kind.find(words + 1, level, header.detail(), header.leaves(), offset);
  if (number == header.leaves()) return false;
  contents_reader contents(a, words + 1 + kind.words(header.leaves(), header.detail()),
                           header.leaves());
  return (contents.pattern(number) & cell_bit(code)) != 0;
}

std::vector<index_t> count_by_row(const adaptive_view& a) {
  std::vector<index_t> counts(a.dims.rows);
  visit_leaves_in_parallel(a, [&](std::uint64_t leaf, std::uint64_t pattern) {
    count_rows(counts, 8ULL * morton::row_of(leaf), pattern);
  });
  return counts;
}

std::vector<index_t> count_by_column(const adaptive_view& a) {
  std::vector<index_t> counts(a.dims.cols);
  visit_leaves_in_parallel(a, [&](std::uint64_t leaf, std::uint64_t pattern) {
    count_rows(counts, 8ULL * morton::col_of(leaf), transpose(pattern));
  });
  return counts;
}

void count_by_square(const adaptive_view& a, unsigned level, std::uint64_t cols,
                     std::span<std::uint64_t> counts) {
  visit_leaves_in_parallel(a, [&](std::uint64_t leaf, std::uint64_t pattern) {
    const std::uint64_t square = leaf >> (2 * level);
    add(counts[morton::row_of(square) * cols + morton::col_of(square)], popcount(pattern));
  });
}

}  // namespace baltoro::format
