/// \file
/// \brief The compressed Boolean matrix and what can be asked of it.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/level_order.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace baltoro {

/// What a matrix keeps in memory, by part. The parts add up to total().
struct matrix_bytes {
  std::uint64_t tree = 0;        ///< level_order: signatures of all nodes
  std::uint64_t directory = 0;   ///< level_order: rank samples
  std::uint64_t containers = 0;  ///< adaptive: where containers are and where their payloads begin
  std::uint64_t payload = 0;     ///< adaptive: what the containers hold
  std::uint64_t dictionary = 0;  ///< adaptive: patterns of leaves
  std::uint64_t table = 0;       ///< shape, counts, first node of each level or widths of classes

  /// All parts together.
  constexpr std::uint64_t total() const {
    return tree + directory + containers + payload + dictionary + table;
  }
};

/// An immutable Boolean matrix in compressed form.
///
/// Copying one copies a handle, not the data. Any number of threads may use it at once. Queries
/// walk the compressed form; none of them unpacks more than one container of it. Costs are given in
/// nodes visited.
class matrix {
 public:
  /// The 0×0 matrix.
  matrix();

  /// A matrix over a tree that \p owner keeps alive. The tree must be valid (see validate).
  /// \param mapped whether the tree lies in a mapped file (see release_pages)
  matrix(const level_order_view& tree, std::shared_ptr<const void> owner, bool mapped = false);
  /// The same over containers.
  matrix(const adaptive_view& containers, std::shared_ptr<const void> owner, bool mapped = false);

  /// Number of rows.
  index_t rows() const { return dims_.rows; }
  /// Number of columns.
  index_t cols() const { return dims_.cols; }
  /// Rows and columns.
  shape dims() const { return dims_; }
  /// Number of non-zero cells.
  std::uint64_t nnz() const { return nnz_; }
  /// How the matrix is laid out.
  layout kind() const { return static_cast<layout>(view_.index() + 1); }
  /// What it keeps in memory (or mapped from its file).
  matrix_bytes bytes() const;
  /// Bits a non-zero; 0 for an empty matrix. For level_order those of the signatures alone, 4·nodes /
  /// nnz, the paper's figure and the literature's; for adaptive those of everything that is kept:
  /// containers, payload and dictionary.
  double bits_per_edge() const;

  /// Whether cell (row, col) is set. At most `levels` nodes; for adaptive a binary search among the
  /// containers and one leaf.
  /// \throws invalid_argument when the cell is outside the matrix
  bool contains(index_t row, index_t col) const;

  /// The columns of the non-zeros of a row, ascending: the successors of a vertex.
  /// \throws invalid_argument when the row is outside the matrix
  std::vector<index_t> successors(index_t row) const;

  /// The rows of the non-zeros of a column, ascending: the predecessors of a vertex.
  /// \throws invalid_argument when the column is outside the matrix
  std::vector<index_t> predecessors(index_t col) const;

  /// The cells inside a rectangle, in Morton order. What exceeds the matrix is ignored.
  std::vector<edge> cells(const rectangle& where) const;

  /// Calls \p visit with all cells in Morton order, in batches of at most a few thousand.
  void for_each(const std::function<void(std::span<const edge>)>& visit) const;

  /// Calls \p visit with all cells in row-major order, in batches. Rows are gathered strip by strip:
  /// the extra memory is that of one strip, about 70 MiB, or one row where that is longer.
  void for_each_by_row(const std::function<void(std::span<const edge>)>& visit) const;

  /// The number of non-zeros of every row: `rows()` numbers, the out-degrees of the vertices.
  std::vector<index_t> out_degrees() const;

  /// The number of non-zeros of every column: `cols()` numbers, the in-degrees of the vertices.
  std::vector<index_t> in_degrees() const;

  /// Checks everything that a hostile file could have got wrong: that the levels or the containers fit
  /// together, that no cell lies outside the shape, that the directory or the dictionary is right.
  /// Visits every node once, or decodes every container once.
  /// \param reason receives what is wrong, where it is not null
  /// \returns whether the matrix is sound; queries and products are only safe on one that is
  bool validate(std::string* reason = nullptr) const;

  /// Gives the memory of a matrix that lies in a mapped file back to the system, which reads it
  /// again when it is used. No effect on a matrix in memory. Does not change the matrix.
  void release_pages() const;

  /// The tree, for kernels and curious readers. Valid while this matrix or a copy of it lives.
  /// \throws invalid_argument when the layout is another one than level_order
  const level_order_view& tree() const;
  /// The containers, likewise.
  /// \throws invalid_argument when the layout is another one than adaptive
  const adaptive_view& adaptive() const;

 private:
  shape dims_;
  std::uint64_t nnz_ = 0;
  std::variant<level_order_view, adaptive_view> view_;  // in the order of the numbers of `layout`
  std::shared_ptr<const void> owner_;
  bool mapped_ = false;
};

}  // namespace baltoro
