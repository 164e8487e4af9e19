// How large the workspace of a construction is.
#pragma once

#include <baltoro/builder.hpp>

#include <cstdint>

namespace baltoro::cuda {

// The keys of one leaf: ranges of the key space end with a leaf.
inline constexpr std::uint64_t keys_a_leaf = 64;

// Whether a workspace for so many keys can merge runs of it: a range has a leaf of every run at least.
constexpr bool can_merge(std::uint64_t keys, std::uint64_t runs) {
  return runs <= keys / keys_a_leaf;
}

// The smallest device memory that does for so many edges.
std::uint64_t smallest_budget(std::uint64_t edges);

// Keys of the workspace for so many edges, as many as the options and the device's free memory let in. Throws
// out_of_memory where they are too few.
std::uint64_t workspace_keys(const build_options& options, std::uint64_t edges);

// Throws out_of_memory: so many bytes are not enough for so many edges.
[[noreturn]] void refuse_budget(const build_options& options, std::uint64_t edges,
                                std::uint64_t bytes);

}  // namespace baltoro::cuda
