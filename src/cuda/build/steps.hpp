// The steps of construction on the device: from edges to sorted keys, and from those to the nodes of the layout
// level_order or to leaves. A key is the Morton code of a cell. Each works on array 0 of a workspace.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>

#include "cuda/build/workspace.hpp"

namespace baltoro::cuda {

// Turns edges (the row in the low half of a word, the column in the high one) into keys, or looks at keys, and
// returns their greatest row and their greatest column. Works from a place of array 0 on. Waits.
edge make_keys(workspace& space, std::uint64_t first, std::uint64_t count, bool are_keys,
               cudaStream_t stream);

// Drops all but one of those that are equal in sorted keys; returns how many there are. count ≥ 1.
std::uint64_t drop_duplicates(workspace& space, std::uint64_t count, cudaStream_t stream);

// From the distinct ascending codes of the children on one level to those of their parents, whose signatures
// come in array 2, packed as in a level_order_view; returns how many they are.
std::uint64_t make_parents(workspace& space, std::uint64_t children, cudaStream_t stream);

// From distinct ascending keys to leaves: codes in array 1, patterns in array 2; returns how many.
std::uint64_t make_leaves(workspace& space, std::uint64_t cells, cudaStream_t stream);

}  // namespace baltoro::cuda
