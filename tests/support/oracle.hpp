// The oracle of every product: a short loop over the cells, and matrices to try.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>
#include <baltoro/types.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace baltoro::test {

// y = A⊗x or yᵀ = xᵀ⊗A over a list of cells without duplicates, in double, one vector or a batch.
template <template <class> class Ring, class T>
std::vector<double> coo_product(std::span<const edge> cells, direction side, std::uint64_t outputs,
                                index_t batch, std::span<const T> x) {
  std::vector<double> y(outputs * batch, Ring<double>::zero());
  for (const edge& e : cells) {
    const std::uint64_t in = side == direction::right ? e.col : e.row;
    const std::uint64_t out = side == direction::right ? e.row : e.col;
    for (std::uint64_t k = 0; k < batch; ++k) {
      double& sum = y[out * batch + k];
      // The term is rounded as vectors of T round it; the sum of double terms is the reference.
      sum = Ring<double>::add(sum, static_cast<double>(Ring<T>::term(x[in * batch + k])));
    }
  }
  return y;
}

template <class T>
std::vector<double> coo_product(std::span<const edge> cells, semiring ring, direction side,
                                std::uint64_t outputs, index_t batch, std::span<const T> x) {
  switch (ring) {
    case semiring::plus_times:
      return coo_product<plus_times, T>(cells, side, outputs, batch, x);
    case semiring::lor_land:
      return coo_product<lor_land, T>(cells, side, outputs, batch, x);
    case semiring::min_plus:
      return coo_product<min_plus, T>(cells, side, outputs, batch, x);
  }
  return {};
}

// Values that suit every semiring: a third zeros, some ∞, the rest positive with fractions.
template <class T>
std::vector<T> values(std::uint64_t count, std::uint64_t seed, semiring ring) {
  std::mt19937_64 random(seed);
  std::vector<T> x(count);
  for (T& v : x) {
    const auto kind = random() % 6;
    v = kind < 2 ? T{0} : static_cast<T>(random() % 100'000) / T{1000};
    if (kind == 5 && ring == semiring::min_plus) v = static_cast<T>(tropical_infinity);
  }
  return x;
}

// Cells drawn at random, sorted by row, without duplicates; `clusters` > 0 draws them in 8×8
// patches.
inline std::vector<edge> random_cells(shape dims, std::size_t count, std::uint64_t seed,
                                      std::size_t clusters = 0) {
  std::mt19937_64 random(seed);
  std::vector<edge> cells;
  if (dims.rows == 0 || dims.cols == 0) return cells;
  for (std::size_t i = 0; i < count; ++i) {
    edge e{static_cast<index_t>(random() % dims.rows), static_cast<index_t>(random() % dims.cols)};
    cells.push_back(e);
    for (std::size_t k = 0; k < clusters; ++k) {
      cells.push_back({std::min(dims.rows - 1, e.row + static_cast<index_t>(random() % 8)),
                       std::min(dims.cols - 1, e.col + static_cast<index_t>(random() % 8))});
    }
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

// A square whose rows repeat: three that are alike, of cells at random, then three others.
inline std::vector<edge> repeated_rows(index_t side, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<edge> cells;
  std::vector<index_t> row;
  for (index_t r = 0; r < side; ++r) {
    if (r % 3 == 0) {
      row.clear();
      for (index_t c = 0; c < side; ++c) {
        if (random() % 2 == 0) row.push_back(c);
      }
    }
    for (const index_t c : row) cells.push_back({r, c});
  }
  return cells;
}

}  // namespace baltoro::test
