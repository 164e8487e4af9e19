// Energy per product, from a counter read around a loop of products (paper, section 4).
#pragma once

#include <cstdint>
#include <functional>

#include "measure/place.hpp"

namespace baltoro::bench {

struct energy_use {
  double mj_per_product = 0;
  double watts = 0;
  double seconds = 0;  // from the first tick of the counter to the last
  std::uint64_t products = 0;
};

// Repeats a product for at least `least_seconds`. The counter moves some ten times a second, so it is
// looked at after every few milliseconds of products, and only what lies between two of its moves
// counts. Throws cuda_error where it does not move within `patience_seconds`.
energy_use measure_energy(place& where, product& what, std::uint64_t products_per_look,
                          const std::function<double()>& read_mj, double least_seconds = 1.5,
                          double patience_seconds = 20);

// The counter of the current GPU. Throws not_compiled where it cannot be read.
std::function<double()> gpu_energy_counter();

}  // namespace baltoro::bench
