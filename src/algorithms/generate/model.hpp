// What a generator is made of: a shape, and parts that are made one by one.
#pragma once

#include <baltoro/generate.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace baltoro {

class generator::model {
 public:
  virtual ~model() = default;
  model(shape with_dims, std::uint64_t with_edges) : dims(with_dims), edges(with_edges) {}
  model(const model&) = delete;
  model& operator=(const model&) = delete;

  virtual std::uint64_t parts() const = 0;
  // Appends the edges of a part. Called from several threads at once.
  virtual void make(std::uint64_t part, std::vector<edge>& into) const = 0;

  const shape dims;
  const std::uint64_t edges;
};

namespace generators {

// What the sequences of random numbers are for.
enum purpose : std::uint32_t {
  of_groups = 1,   // of rows, by part
  of_links = 2,    // by row
  of_hosts = 3,    // by part
  of_trees = 4,    // by part
  of_changes = 5,  // by row
  of_cells = 6,    // by edge
};

// A model whose parts are ranges of rows, each with its share of the edges: as many rows as may be, fewer
// where those would have more than 2^22 edges, so that the memory for a part is bounded.
class row_model : public generator::model {
 public:
  static constexpr std::uint64_t most_rows_a_part = 8192;
  static constexpr std::uint64_t most_edges_a_part = std::uint64_t{1} << 22U;

  row_model(shape with_dims, std::uint64_t with_edges)
      : generator::model(with_dims, with_edges), rows_a_part(rows_of_part(with_dims, with_edges)) {}
  std::uint64_t parts() const final { return (dims.rows + rows_a_part - 1) / rows_a_part; }
  void make(std::uint64_t part, std::vector<edge>& into) const final {
    const std::uint64_t first = part * rows_a_part;
    const std::uint64_t last = std::min<std::uint64_t>(first + rows_a_part, dims.rows);
    make_rows(static_cast<index_t>(first), static_cast<index_t>(last),
              edges_before(last) - edges_before(first), into);
  }

 protected:
  const std::uint64_t rows_a_part;

  // Appends exactly `count` edges of the rows [first, last).
  virtual void make_rows(index_t first, index_t last, std::uint64_t count,
                         std::vector<edge>& into) const = 0;

  // edges · row / rows, rounded down.
  std::uint64_t edges_before(std::uint64_t row) const {
    return edges / dims.rows * row + edges % dims.rows * row / dims.rows;
  }

 private:
  static std::uint64_t rows_of_part(shape dims, std::uint64_t edges) {
    const std::uint64_t of_row = edges / std::max<index_t>(1, dims.rows);
    std::uint64_t rows = most_rows_a_part;
    while (rows > 1 && rows * of_row > most_edges_a_part) rows /= 2;
    return rows;
  }
};

// Adds `count` edges to those that rows have, in proportion to weights below 2^17, up to `limit` a row. Rows of
// weight 0 get some only where the others are full. \pre the rows have room for as many
void share(std::uint64_t count, std::vector<std::uint64_t> weights, index_t limit,
           std::span<index_t> rows);

// Sorts columns and takes duplicates out; where that leaves less than `count`, adds the next free ones from
// `near` on. \pre count <= cols
void complete(std::vector<index_t>& columns, index_t count, index_t near, index_t cols);

}  // namespace generators
}  // namespace baltoro
