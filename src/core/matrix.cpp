#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/pages.hpp"
#include "cpu/level_order_count.hpp"
#include "format/adaptive/validate.hpp"
#include "format/adaptive/walk.hpp"
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

// Calls visit(row, col) for the cells inside a rectangle in Morton order.
template <class View, class Visit>
void visit_cells_in(const View& either, const rectangle& where, const Visit& visit) {
  std::visit([&](const auto& view) { format::visit_rectangle(view, where, visit); }, either);
}

matrix_bytes bytes_of(const level_order_view& tree) {
  return {.tree = 8 * tree.signature_words(),
          .directory = 4 * tree.samples() + 8 * tree.bases(),
          .table = sizeof tree};
}

matrix_bytes bytes_of(const adaptive_view& a) {
  return {.containers = (sizeof *a.places + sizeof *a.starts) * a.containers +
                        sizeof *a.start_bases * a.bases(),
          .payload = sizeof *a.payload * a.payload_words,
          .dictionary = sizeof *a.dictionary * a.patterns,
          .table = sizeof a};
}

// What bits_per_edge() divides by the non-zeros.
double bits_of(const level_order_view& tree) { return 4.0 * static_cast<double>(tree.nodes()); }

double bits_of(const adaptive_view& a) {
  return 8.0 * static_cast<double>(bytes_of(a).total() - bytes_of(a).table);
}

void release(const level_order_view& tree) {
  base::release_pages(tree.signatures, 8 * tree.signature_words());
  base::release_pages(tree.directory, 4 * tree.samples());
  base::release_pages(tree.directory_base, 8 * tree.bases());
}

void release(const adaptive_view& a) {
  base::release_pages(a.places, sizeof *a.places * a.containers);
  base::release_pages(a.starts, sizeof *a.starts * a.containers);
  base::release_pages(a.start_bases, sizeof *a.start_bases * a.bases());
  base::release_pages(a.payload, sizeof *a.payload * a.payload_words);
  base::release_pages(a.dictionary, sizeof *a.dictionary * a.patterns);
}

std::string check(const level_order_view& tree) {
  std::string problem = format::check_level_table(tree);
  return problem.empty() ? format::check_level_order(tree) : problem;
}

std::string check(const adaptive_view& a) {
  std::string problem = format::check_adaptive_numbers(a);
  return problem.empty() ? format::check_adaptive(a) : problem;
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
    throw invalid_argument(
        fmt::format("the matrix is laid out {}, not level-order", name_of(kind())));
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
  return std::visit([](const auto& view) { return bytes_of(view); }, view_);
}

double matrix::bits_per_edge() const {
  if (nnz() == 0) return 0;
  return std::visit([](const auto& view) { return bits_of(view); }, view_) /
         static_cast<double>(nnz());
}

bool matrix::contains(index_t row, index_t col) const {
  using baltoro::contains;
  using format::contains;
  check_index("row", row, rows());
  check_index("column", col, cols());
  return std::visit([=](const auto& view) { return contains(view, row, col); }, view_);
}

std::vector<index_t> matrix::successors(index_t row) const {
  check_index("row", row, rows());
  std::vector<index_t> found;
  visit_cells_in(view_, {row, 0, row + 1, cols()},
                 [&](index_t, index_t col) { found.push_back(col); });
  return found;
}

std::vector<index_t> matrix::predecessors(index_t col) const {
  check_index("column", col, cols());
  std::vector<index_t> found;
  visit_cells_in(view_, {0, col, rows(), col + 1},
                 [&](index_t row, index_t) { found.push_back(row); });
  return found;
}

std::vector<edge> matrix::cells(const rectangle& where) const {
  std::vector<edge> found;
  visit_cells_in(view_, where, [&](index_t row, index_t col) { found.push_back({row, col}); });
  return found;
}

void matrix::for_each(const std::function<void(std::span<const edge>)>& visit) const {
  std::vector<edge> batch;
  batch.reserve(batch_edges);
  const auto take = [&](index_t row, index_t col) {
    batch.push_back({row, col});
    if (batch.size() < batch_edges) return;
    visit(batch);
    batch.clear();
  };
  std::visit([&](const auto& view) { format::visit_all_cells(view, take); }, view_);
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
    visit_cells_in(view_, {block, 0, block_end, cols()}, [&](index_t row, index_t) {
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
      visit_cells_in(view_, {first, 0, last, cols()}, [&](index_t row, index_t col) {
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

std::vector<index_t> matrix::out_degrees() const {
  using cpu::count_by_row;
  using format::count_by_row;
  return std::visit([](const auto& view) { return count_by_row(view); }, view_);
}

std::vector<index_t> matrix::in_degrees() const {
  using cpu::count_by_column;
  using format::count_by_column;
  return std::visit([](const auto& view) { return count_by_column(view); }, view_);
}

void matrix::release_pages() const {
  if (mapped_) std::visit([](const auto& view) { release(view); }, view_);
}

bool matrix::validate(std::string* reason) const {
  const std::string problem = std::visit([](const auto& view) { return check(view); }, view_);
  if (reason != nullptr) *reason = problem;
  return problem.empty();
}

}  // namespace baltoro
