#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/pages.hpp"
#include "cpu/level_order_count.hpp"
#include "format/level_order_validate.hpp"
#include "format/level_order_walk.hpp"

namespace baltoro {
namespace {

constexpr std::size_t batch_edges = 4096;

void check_index(const char* what, index_t index, index_t size) {
  if (index >= size) {
    throw invalid_argument(fmt::format("{} {} is outside 0..{} (the matrix has {})", what, index,
                                       static_cast<std::int64_t>(size) - 1, size));
  }
}

}  // namespace

matrix::matrix() {
  level_order_view empty;
  empty.levels = levels_for({});
  view_ = empty;
}

matrix::matrix(const level_order_view& tree, std::shared_ptr<const void> owner, bool mapped)
    : dims_(tree.dims), nnz_(tree.nnz), view_(tree), owner_(std::move(owner)), mapped_(mapped) {}

matrix::matrix(const adaptive_view& containers, std::shared_ptr<const void> owner, bool mapped)
    : dims_(containers.dims),
      nnz_(containers.nnz),
      view_(containers),
      owner_(std::move(owner)),
      mapped_(mapped) {}

const level_order_view& matrix::tree() const {
  const auto* const tree = std::get_if<level_order_view>(&view_);
  if (tree == nullptr) {
    throw invalid_argument(fmt::format("the matrix is laid out {}, not level-order", name_of(kind())));
  }
  return *tree;
}

const adaptive_view& matrix::adaptive() const {
  const auto* const containers = std::get_if<adaptive_view>(&view_);
  if (containers == nullptr) {
    throw invalid_argument(fmt::format("the matrix is laid out {}, not adaptive", name_of(kind())));
  }
  return *containers;
}

matrix_bytes matrix::bytes() const {
  return {.tree = 8 * tree().signature_words(),
          .directory = 4 * tree().samples() + 8 * tree().bases(),
          .table = sizeof(level_order_view)};
}

double matrix::bits_per_edge() const {
  return nnz() == 0 ? 0.0 : 4.0 * static_cast<double>(tree().nodes()) / static_cast<double>(nnz());
}

bool matrix::contains(index_t row, index_t col) const {
  check_index("row", row, rows());
  check_index("column", col, cols());
  return baltoro::contains(tree(), row, col);
}

std::vector<index_t> matrix::successors(index_t row) const {
  check_index("row", row, rows());
  std::vector<index_t> found;
  format::visit_rectangle(tree(), {row, 0, row + 1, cols()},
                          [&](index_t, index_t col) { found.push_back(col); });
  return found;
}

std::vector<index_t> matrix::predecessors(index_t col) const {
  check_index("column", col, cols());
  std::vector<index_t> found;
  format::visit_rectangle(tree(), {0, col, rows(), col + 1},
                          [&](index_t row, index_t) { found.push_back(row); });
  return found;
}

std::vector<edge> matrix::cells(const rectangle& where) const {
  std::vector<edge> found;
  format::visit_rectangle(tree(), where, [&](index_t row, index_t col) {
    found.push_back({row, col});
  });
  return found;
}

void matrix::for_each(const std::function<void(std::span<const edge>)>& visit) const {
  std::vector<edge> batch;
  batch.reserve(batch_edges);
  format::visit_all_leaves(tree(), [&](std::uint64_t code, unsigned signature) {
    const index_t row = 2 * morton::row_of(code);
    const index_t col = 2 * morton::col_of(code);
    for (unsigned b = 0; b < 4; ++b) {
      if (((signature >> b) & 1U) != 0) batch.push_back({row + (b >> 1U), col + (b & 1U)});
    }
    if (batch.size() + 4 > batch_edges) {
      visit(batch);
      batch.clear();
    }
  });
  if (!batch.empty()) visit(batch);
}

void matrix::for_each_by_row(const std::function<void(std::span<const edge>)>& visit) const {
  constexpr index_t block_rows = 1U << 20U;
  constexpr std::uint64_t strip_edges = 7ULL << 20U;
  std::vector<index_t> degrees;  // of the rows of one block
  std::vector<edge> strip;
  std::vector<std::uint64_t> next;  // where the next cell of each row of the strip goes
  for (index_t block = 0; block < rows();) {
    const index_t block_end = block + std::min(block_rows, rows() - block);
    degrees.clear();
    format::visit_rectangle(tree(), {block, 0, block_end, cols()}, [&](index_t row, index_t) {
      if (degrees.empty()) degrees.resize(block_end - block);
      ++degrees[row - block];
    });
    // A strip is as many rows of the block as fit the buffer, or one that does not.
    for (index_t first = degrees.empty() ? block_end : block; first < block_end;) {
      next.clear();
      std::uint64_t count = 0;
      index_t last = first;
      while (last < block_end && (last == first || count + degrees[last - block] <= strip_edges)) {
        next.push_back(count);
        count += degrees[last++ - block];
      }
      strip.resize(count);
      // The walk is in Morton order, which meets the columns of one row in ascending order.
      format::visit_rectangle(tree(), {first, 0, last, cols()}, [&](index_t row, index_t col) {
        strip[next[row - first]++] = {row, col};
      });
      for (std::size_t at = 0; at < strip.size(); at += batch_edges) {
        visit(std::span<const edge>(strip).subspan(at, std::min(batch_edges, strip.size() - at)));
      }
      first = last;
    }
    block = block_end;
  }
}

std::vector<index_t> matrix::out_degrees() const { return cpu::count_by_row(tree()); }

std::vector<index_t> matrix::in_degrees() const { return cpu::count_by_column(tree()); }

void matrix::release_pages() const {
  if (!mapped_) return;
  base::release_pages(tree().signatures, 8 * tree().signature_words());
  base::release_pages(tree().directory, 4 * tree().samples());
  base::release_pages(tree().directory_base, 8 * tree().bases());
}

bool matrix::validate(std::string* reason) const {
  std::string problem = format::check_level_table(tree());
  if (problem.empty()) problem = format::check_level_order(tree());
  if (reason != nullptr) *reason = problem;
  return problem.empty();
}

}  // namespace baltoro
