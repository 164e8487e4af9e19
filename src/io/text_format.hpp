// Cells as the text of graph formats. writer.cpp puts matrices in, tests put in what they like.
#pragma once

#include <baltoro/progress.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <functional>
#include <span>

#include "io/output.hpp"

namespace baltoro::io {

// Calls its argument with batches of cells, in the order they are to be written in.
using cell_batches = std::function<void(const std::function<void(std::span<const edge>)>&)>;

// A Matrix Market file, 1-based. `nnz` is the number of cells that `cells` gives.
void format_matrix_market(shape dims, std::uint64_t nnz, const cell_batches& cells, output& to,
                          const progress_callback& progress);

// "row TAB column" a line, 0-based.
void format_edge_list(std::uint64_t nnz, const cell_batches& cells, output& to,
                      const progress_callback& progress);

}  // namespace baltoro::io
