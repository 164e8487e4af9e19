// Cells drawn one by one: R-MAT and uniform.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/generate/model.hpp"

namespace baltoro::generators {

// Probabilities of the quadrants in order; the last one is what is left.
struct quadrants {
  double a;
  double b;
  double c;
};

std::shared_ptr<const generator::model> rmat_cells(unsigned scale, std::uint64_t edges,
                                                   const quadrants& of, std::uint64_t seed);

std::shared_ptr<const generator::model> uniform_cells(shape dims, std::uint64_t edges,
                                                      std::uint64_t seed);

}  // namespace baltoro::generators
