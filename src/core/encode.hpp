// From cells in Morton order to a matrix of the layout that the options ask for.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/matrix.hpp>

#include <cstdint>

#include "base/stored_array.hpp"
#include "core/morton_sort.hpp"
#include "format/adaptive/leaves.hpp"

namespace baltoro::core {

// Throws invalid_argument when an option is outside its range.
void check(const build_options& options);

// Throws invalid_argument that says which cell lies outside which shape.
[[noreturn]] void refuse_cell(edge outside, shape limit);

// Where leaves of so many cells are kept: on disk where they might exceed the memory limit.
base::array_place place_of_leaves(const build_options& options, std::uint64_t cells);

// Encodes codes that ascend and may repeat. Parallel.
matrix encode_sorted(code_array sorted, shape dims, const build_options& options);

// Encodes leaves as an adaptive matrix, which is kept in `place` too. Parallel.
matrix encode_leaves(format::leaf_list leaves, shape dims, const base::array_place& place,
                     const build_options& options);

}  // namespace baltoro::core
