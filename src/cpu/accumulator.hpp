// What a product adds up in, for each semiring and type of vector.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>
#include <type_traits>

#include "cpu/lanes.hpp"

namespace baltoro::cpu {

// plus_times on float adds up in double, so that a long row loses nothing; the others are exact
// anyway.
template <template <class> class Ring, class T>
using accumulator_t = std::conditional_t<std::is_same_v<Ring<T>, plus_times<T>>, double, T>;

// sums = Ring::add(sums, term), in those lanes that the mask selects.
template <template <class> class Ring, class A>
void add_where(lanes<A>& sums, const lanes<mask_of<A>>& mask, A term) {
  using vector = typename lanes<A>::vector;
  using bits = typename lanes<mask_of<A>>::vector;
  const vector terms = vector{} + term;
  for (int p = 0; p < lanes<A>::parts; ++p) {
    vector& sum = sums.part[p];
    const auto selected = reinterpret_cast<vector>(reinterpret_cast<bits>(terms) & mask.part[p]);
    if constexpr (std::is_same_v<Ring<A>, plus_times<A>>) {
      // Adding +0.0 where nothing is to be added leaves every sum as it is: sums start at +0.0 and
      // never become -0.0 in the default rounding mode.
      sum = sum + selected;
    } else if constexpr (std::is_same_v<Ring<A>, lor_land<A>>) {
      sum = sum > selected ? sum : selected;
    } else {
      static_assert(std::is_same_v<Ring<A>, min_plus<A>>);
      const vector infinity = vector{} + Ring<A>::zero();
      const auto rest = reinterpret_cast<vector>(reinterpret_cast<bits>(infinity) & ~mask.part[p]);
      const auto term_or_infinity =
          reinterpret_cast<vector>(reinterpret_cast<bits>(selected) | reinterpret_cast<bits>(rest));
      sum = term_or_infinity < sum ? term_or_infinity : sum;
    }
  }
}

// y = alpha · sums + beta · y in the terms of the semiring, for `count` entries; no sums mean zeros.
template <template <class> class Ring, class T>
void store_sums(T* y, std::uint64_t count, const accumulator_t<Ring, T>* sums, update<T> how) {
  using A = accumulator_t<Ring, T>;
  for (std::uint64_t i = 0; i < count; ++i) {
    const A sum = sums == nullptr ? Ring<A>::zero() : sums[i];
    if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
      const A scaled = static_cast<A>(how.alpha) * sum;
      y[i] = static_cast<T>(
          how.beta == T{0} ? scaled : scaled + static_cast<A>(how.beta) * static_cast<A>(y[i]));
    } else {
      y[i] = how.beta == T{0} ? sum : Ring<T>::add(sum, Ring<T>::value(y[i]));
    }
  }
}

}  // namespace baltoro::cpu
