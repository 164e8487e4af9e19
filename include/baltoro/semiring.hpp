/// \file
/// \brief The three semirings of the paper (Table 1): what one non-zero contributes and how
/// contributions are added.
///
/// A matrix cell carries the edge weight w of its semiring, so y_i = ⊕_j w ⊗ x_j over the cells of
/// row i. Every struct has zero(), the identity of ⊕; term(x), which is w ⊗ x; add(a, b), a ⊕ b; and
/// value(y), what a number that a user holds means in the semiring.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>

namespace baltoro {

/// Names a semiring where the choice is made at run time.
enum class semiring : std::uint32_t {
  plus_times,  ///< real numbers, + and ×: PageRank, power iterations
  lor_land,    ///< {0, 1}, ∨ and ∧: reachability, breadth-first search
  min_plus,    ///< [0, ∞], min and +, edges of length 1: shortest paths by hops
};

/// The name of a semiring as users write it.
constexpr const char* name_of(semiring ring) {
  switch (ring) {
    case semiring::plus_times:
      return "plus_times";
    case semiring::lor_land:
      return "lor_land";
    case semiring::min_plus:
      return "min_plus";
  }
  return "unknown";
}

/// The ∞ of min_plus, the paper's 10⁹. An x of at least this value (IEEE infinity included) counts
/// as ∞, and so does NaN; a y never exceeds it. Floats count hops exactly up to 2²⁴, doubles to ∞.
inline constexpr double tropical_infinity = 1e9;

/// + and ×, every edge of weight 1.
template <class T>
struct plus_times {
  /// The identity of addition.
  BALTORO_HOST_DEVICE static constexpr T zero() { return T{0}; }
  /// What an edge makes of x.
  BALTORO_HOST_DEVICE static constexpr T term(T x) { return x; }
  /// a + b.
  BALTORO_HOST_DEVICE static constexpr T add(T a, T b) { return a + b; }
  /// Every number is itself.
  BALTORO_HOST_DEVICE static constexpr T value(T y) { return y; }
};

/// ∨ and ∧ on numbers: every x other than 0 is true (NaN too), every y is 0 or 1.
template <class T>
struct lor_land {
  /// False.
  BALTORO_HOST_DEVICE static constexpr T zero() { return T{0}; }
  /// What an edge makes of x.
  BALTORO_HOST_DEVICE static constexpr T term(T x) { return x != T{0} ? T{1} : T{0}; }
  /// a ∨ b, for values that are 0 or 1.
  BALTORO_HOST_DEVICE static constexpr T add(T a, T b) { return a > b ? a : b; }
  /// Any number but 0 is true.
  BALTORO_HOST_DEVICE static constexpr T value(T y) { return term(y); }
};

/// min and +, every edge of length 1.
template <class T>
struct min_plus {
  /// The identity of min.
  BALTORO_HOST_DEVICE static constexpr T zero() { return static_cast<T>(tropical_infinity); }
  /// What an edge makes of x: x + 1, at most ∞.
  BALTORO_HOST_DEVICE static constexpr T term(T x) {
    const T next = x + T{1};
    return next < zero() ? next : zero();
  }
  /// The smaller of a and b.
  BALTORO_HOST_DEVICE static constexpr T add(T a, T b) { return b < a ? b : a; }
  /// Everything from ∞ on is ∞, and so is NaN.
  BALTORO_HOST_DEVICE static constexpr T value(T y) { return y < zero() ? y : zero(); }
};

}  // namespace baltoro
