// In which order names are numbered.
#pragma once

#include <baltoro/reader.hpp>

#include <vector>

#include "io/name_dictionary.hpp"

namespace baltoro::io {

// Bytes a name that ordered() holds at most, its result included.
inline constexpr std::uint64_t ordering_bytes_per_name = 20;

// The numbers of all names of the dictionary, in the order asked for: result[i] is what the
// dictionary calls the name that becomes the i-th. `automatic` is by_number where that is possible,
// and by_bytes elsewhere. Parallel.
// Throws invalid_argument where by_number is asked for and impossible, with a name that is in the
// way.
std::vector<index_t> ordered(const name_dictionary& names, vertex_order order);

}  // namespace baltoro::io
