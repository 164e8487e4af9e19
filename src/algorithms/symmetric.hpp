// The precondition of algorithms on undirected graphs.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/undirected.hpp>

#include <fmt/format.h>

#include "algorithms/square.hpp"

namespace baltoro {

inline void check_symmetric(const matrix& a, const char* algorithm) {
  check_square(a, algorithm);
  if (!is_symmetric(a)) {
    throw invalid_argument(
        fmt::format("{} needs an undirected graph, but the matrix is not symmetric; "
                    "symmetric_union() adds the missing edges",
                    algorithm));
  }
}

}  // namespace baltoro
