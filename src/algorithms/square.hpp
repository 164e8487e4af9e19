// Square matrices, and the preconditions that algorithms on graphs share.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <algorithm>
#include <memory>
#include <span>

#include <fmt/format.h>

namespace baltoro {

// The matrix as that of a graph, whose vertices are rows and columns alike: where it is not square,
// with empty rows or columns after the last. What is compressed stays as it is, so this
// costs nothing.
inline matrix as_square(const matrix& a) {
  if (a.rows() == a.cols()) return a;
  const index_t side = std::max(a.rows(), a.cols());
  const auto squared = [&](auto view) {
    view.dims = {side, side};
    return matrix(view, std::make_shared<matrix>(a));
  };
  return a.kind() == layout::adaptive ? squared(a.adaptive()) : squared(a.tree());
}

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
