// The precondition that all algorithms on graphs share.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <fmt/format.h>

namespace baltoro {

inline void check_square(const matrix& a, const char* algorithm) {
  if (a.rows() != a.cols()) {
    throw invalid_argument(
        fmt::format("{} needs a square matrix, this one is {}x{}", algorithm, a.rows(), a.cols()));
  }
}

}  // namespace baltoro
