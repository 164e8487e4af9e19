#include "graph/subject.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "measure/input_values.hpp"

namespace baltoro::bench {
namespace {

std::vector<double> multiply(const csr& a, direction side, index_t k) {
  const bool right = side == direction::right;
  std::vector<double> y(right ? a.dims.rows : a.dims.cols);
  const auto row = [&](std::uint64_t r) {
    if (right) {
      double sum = 0;
      for (auto at = a.row_begin[r]; at < a.row_begin[r + 1]; ++at) {
        sum += input_value(a.columns[at], k);
      }
      y[r] = sum;
    } else {
      const double x = input_value(r, k);
      for (auto at = a.row_begin[r]; at < a.row_begin[r + 1]; ++at) y[a.columns[at]] += x;
    }
  };
  if (right) {
    tbb::parallel_for(std::uint64_t{0}, std::uint64_t{a.dims.rows}, row);
  } else {
    for (std::uint64_t r = 0; r < a.dims.rows; ++r) row(r);
  }
  return y;
}

// What the rounding of d float additions in any order can add up to, but for rare luck. Inputs are
// 1/2 on average, so d is about twice the sum.
double tolerance(double sum) {
  constexpr double unit = 0x1p-24;
  return unit * sum * (16 + 8 * std::sqrt(1 + 2 * sum));
}

}  // namespace

const csr& subject::uncompressed() {
  if (!uncompressed_) uncompressed_ = to_csr(compressed_);
  return *uncompressed_;
}

const std::vector<double>& subject::reference(direction side, index_t k) {
  const auto [found, is_new] = references_.try_emplace({side, k});
  if (is_new) found->second = multiply(uncompressed(), side, k);
  return found->second;
}

void subject::require_right_bits(const std::vector<float>& y, direction side) {
  const auto word_of = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  const auto given = [&](std::uint64_t v) {
    return (word_of(input_value(v / 32, 0)) >> (v % 32) & 1U) != 0;
  };
  const csr& a = uncompressed();
  std::vector<std::uint32_t> right(y.size());
  for (std::uint64_t r = 0; r < a.dims.rows; ++r) {
    for (auto at = a.row_begin[r]; at < a.row_begin[r + 1]; ++at) {
      const std::uint64_t c = a.columns[at];
      const std::uint64_t to = side == direction::right ? r : c;
      if (given(side == direction::right ? c : r)) right[to / 32] |= 1U << (to % 32);
    }
  }
  for (std::uint64_t i = 0; i < y.size(); ++i) {
    if (word_of(y[i]) != right[i]) {
      throw wrong_result(
          fmt::format("wrong result: word {} is {:08x}, not {:08x}", i, word_of(y[i]), right[i]));
    }
  }
}

void subject::require_right(place& where, const task& what) {
  if (what.boolean) {
    require_right_bits(where.outputs(0), what.side);
    return;
  }
  if (const std::uint64_t count = where.not_finite(); count != 0) {
    throw wrong_result(
        fmt::format("wrong result: {} entries of y were not written or are not finite", count));
  }
  for (const index_t k : std::set{index_t{0}, what.batch / 2, what.batch - 1}) {
    const std::vector<float> y = where.outputs(k);
    const std::vector<double>& right = reference(what.side, k);
    if (y.size() != right.size()) {
      throw wrong_result(
          fmt::format("wrong result: {} entries instead of {}", y.size(), right.size()));
    }
    for (std::uint64_t i = 0; i < y.size(); ++i) {
      if (!(std::abs(y[i] - right[i]) <= tolerance(right[i]))) {
        throw wrong_result(
            fmt::format("wrong result: entry {} of vector {} is {}, not {}", i, k, y[i], right[i]));
      }
    }
  }
}

matrix copies_on_diagonal(const matrix& a, std::uint64_t copies) {
  if (copies == 1) return a;
  // Copies begin at multiples of 64, so that all of them are cut into squares in the same way.
  constexpr std::uint64_t unit = 64;
  const std::uint64_t step =
      (std::max<std::uint64_t>({a.rows(), a.cols(), std::uint64_t{1}}) + unit - 1) / unit * unit;
  const std::uint64_t most = max_dimension / step;
  if (copies == 0 || copies > most) {
    throw invalid_argument(fmt::format("{} copies of a {} x {} matrix; from 1 to {} are possible",
                                       copies, a.rows(), a.cols(), most));
  }
  const shape dims = {static_cast<index_t>(step * copies), static_cast<index_t>(step * copies)};
  builder all({.dims = dims});
  std::vector<edge> cells;
  cells.reserve(a.nnz());
  a.for_each(
      [&](std::span<const edge> batch) { cells.insert(cells.end(), batch.begin(), batch.end()); });
  for (std::uint64_t copy = 0; copy < copies; ++copy) {
    all.add(cells);
    for (edge& e : cells) {
      e.row += static_cast<index_t>(step);
      e.col += static_cast<index_t>(step);
    }
  }
  return all.finish();
}

}  // namespace baltoro::bench
