// The one place where a semiring and a side, chosen at run time, become template arguments.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

namespace baltoro {

// Calls work.operator()<Ring>() and returns what it returns.
template <class Work>
auto with_semiring(semiring ring, const Work& work) {
  switch (ring) {
    case semiring::plus_times:
      return work.template operator()<plus_times>();
    case semiring::lor_land:
      return work.template operator()<lor_land>();
    case semiring::min_plus:
      return work.template operator()<min_plus>();
  }
  throw invalid_argument("unknown semiring");
}

// Calls work.operator()<Side>() and returns what it returns.
template <class Work>
auto with_side(direction side, const Work& work) {
  return side == direction::right ? work.template operator()<direction::right>()
                                  : work.template operator()<direction::left>();
}

}  // namespace baltoro
