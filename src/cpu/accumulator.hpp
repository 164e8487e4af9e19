// What a product adds up in, for each semiring and type of vector.
#pragma once

#include <baltoro/semiring.hpp>

#include <type_traits>

#include "cpu/lanes.hpp"

namespace baltoro::cpu {

// plus_times on float adds up in double, so that a long row loses nothing; the others are exact
// anyway.
template <template <class> class Ring, class T>
using accumulator_t = std::conditional_t<std::is_same_v<Ring<T>, plus_times<T>>, double, T>;

// Ring::add, lane by lane, of `a` and those lanes of the scalar term that the mask selects.
template <template <class> class Ring, class A>
lanes<A> add_where(lanes<A> a, mask_lanes<A> mask, A term) {
  const lanes<A> terms = broadcast(term);
  if constexpr (std::is_same_v<Ring<A>, plus_times<A>>) {
    // Adding +0.0 where nothing is to be added leaves every sum as it is: sums start at +0.0 and
    // never become -0.0 in the default rounding mode.
    return a + reinterpret_cast<lanes<A>>(reinterpret_cast<mask_lanes<A>>(terms) & mask);
  } else if constexpr (std::is_same_v<Ring<A>, lor_land<A>>) {
    const auto selected = reinterpret_cast<lanes<A>>(reinterpret_cast<mask_lanes<A>>(terms) & mask);
    return a > selected ? a : selected;
  } else {
    const lanes<A> selected = mask ? terms : broadcast(Ring<A>::zero());
    return selected < a ? selected : a;
  }
}

}  // namespace baltoro::cpu
