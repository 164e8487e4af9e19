// The preconditions that algorithms on graphs share.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <span>

#include <fmt/format.h>

namespace baltoro {

inline void check_square(const matrix& a, const char* algorithm) {
  if (a.rows() != a.cols()) {
    throw invalid_argument(
        fmt::format("{} needs a square matrix, this one is {}x{}", algorithm, a.rows(), a.cols()));
  }
}

inline void check_sources(const matrix& a, std::span<const index_t> sources) {
  for (const index_t s : sources) {
    if (s >= a.rows()) {
      throw invalid_argument(
          fmt::format("source {} is outside the graph of {} vertices", s, a.rows()));
    }
  }
}

}  // namespace baltoro
