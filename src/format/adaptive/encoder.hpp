// From ascending Morton codes of cells to an adaptive matrix.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace baltoro::format {

// The arrays behind a view.
struct adaptive_arrays {
  std::vector<std::uint64_t> places;
  std::vector<std::uint16_t> starts;
  std::vector<std::uint64_t> start_bases;
  std::vector<std::uint32_t> payload;
  std::vector<std::uint64_t> dictionary;
  adaptive_view view;  // of these arrays
};

struct encode_options {
  std::uint32_t most_leaves = adaptive_view::max_leaves;  // of a container
};

// Encodes cells whose codes ascend and may repeat. Parallel; holds 16 bytes a leaf beside the result,
// for a while 24.
std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, std::span<const std::uint64_t> codes,
                                                 const encode_options& options = {});

}  // namespace baltoro::format
