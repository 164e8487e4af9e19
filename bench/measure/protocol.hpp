// The protocol of every time: after a warm-up, runs of as many products as take a while, and their
// median and quartiles.
#pragma once

#include <baltoro/error.hpp>

#include <cstdint>

#include "measure/place.hpp"
#include "measure/statistics.hpp"

namespace baltoro::bench {

struct protocol {
  unsigned runs = 10;        // at least 1
  double run_ms = 20;        // what one run should take
  double slowest_ms = 2000;  // a product that takes longer is not measured
};

// Milliseconds of one product (of all vectors of a batch).
struct timing {
  quartiles ms;
  unsigned runs = 0;
  std::uint64_t products_per_run = 0;
};

// A product takes longer than the protocol allows.
class too_slow : public error {
 public:
  using error::error;
};

// How many products a run has, when one takes `product_ms`.
std::uint64_t products_for(const protocol& how, double product_ms);

// Measures a product that place::prepare() was called for.
timing measure(place& where, product& what, const protocol& how);

}  // namespace baltoro::bench
