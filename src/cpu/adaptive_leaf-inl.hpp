// A leaf times one vector or a batch, once for each instruction set. Included by adaptive_kernel.cpp alone.
#if defined(BALTORO_CPU_ADAPTIVE_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BALTORO_CPU_ADAPTIVE_LEAF_INL
#undef BALTORO_CPU_ADAPTIVE_LEAF_INL
#else
#define BALTORO_CPU_ADAPTIVE_LEAF_INL
#endif

#include <baltoro/semiring.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "cpu/accumulator.hpp"
#include "cpu/adaptive_masks.hpp"

HWY_BEFORE_NAMESPACE();
namespace baltoro::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operations of a semiring on vectors. D is a tag of numbers of the accumulator's type.
template <template <class> class Ring, class D>
struct ring_vectors {
  using A = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr bool is_sum = std::is_same_v<Ring<A>, plus_times<A>>;
  static constexpr bool is_or = std::is_same_v<Ring<A>, lor_land<A>>;

  static HWY_INLINE V zero(D d) { return hn::Set(d, Ring<A>::zero()); }

  // Ring::term of each.
  static HWY_INLINE V term(D d, V x) {
    if constexpr (is_sum) {
      return x;
    } else if constexpr (is_or) {
      return hn::IfThenZeroElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, A{1}));
    } else {
      const V next = hn::Add(x, hn::Set(d, A{1}));
      return hn::IfThenElse(hn::Lt(next, zero(d)), next, zero(d));
    }
  }

  // Ring::add of each, for terms and sums of terms.
  static HWY_INLINE V add(V a, V b) {
    if constexpr (is_sum) {
      return hn::Add(a, b);
    } else if constexpr (is_or) {
      return hn::Or(a, b);  // of 0 and 1
    } else {
      return hn::Min(a, b);  // no term is NaN
    }
  }

  // term where bit i of bits is set for lane i of part `part` of eight lanes, else zero.
  static HWY_INLINE V select(D d, const std::uint8_t* bits, [[maybe_unused]] std::size_t part,
                             V term) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    const auto mask = hn::LoadMaskBits(d, bits);
    if constexpr (is_sum || is_or) return hn::IfThenElseZero(mask, term);
    return hn::IfThenElse(mask, term, zero(d));
#else
    constexpr unsigned lanes = hn::MaxLanes(D());
    const unsigned index = (*bits >> (part * lanes)) & ((1U << lanes) - 1);
    const hn::RebindToSigned<D> di;
    const auto mask = hn::BitCast(d, hn::Load(di, bit_masks_of<A, lanes>.of[index].data()));
    if constexpr (is_sum || is_or) return hn::And(mask, term);
    return hn::Or(hn::And(mask, term), hn::AndNot(mask, zero(d)));
#endif
  }

  // sum ⊕ term in the lanes that select() takes, sum in the others.
  static HWY_INLINE V add_where(D d, V sum, const std::uint8_t* bits, std::size_t part, V term) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    return hn::IfThenElse(hn::LoadMaskBits(d, bits), add(sum, term), sum);
#else
    // Sums start at +0.0 and never become -0.0, so that +0.0 changes none.
    return add(sum, select(d, bits, part, term));
#endif
  }
};

// Vectors of T as vectors of accumulators.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_as(D d, const T* from) {
  if constexpr (std::is_same_v<hn::TFromD<D>, T>) {
    return hn::LoadU(d, from);
  } else {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<T, D>(), from));
  }
}

// Hides from the compiler what an array holds, so that it is read from memory.
template <class A>
HWY_INLINE void keep_in_memory([[maybe_unused]] A (&values)[8]) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+m"(values));
#endif
}

// Eight sums += a leaf times eight inputs. Byte i of the pattern says which sums input i is added to.
template <template <class> class Ring, class T>
HWY_INLINE void multiply_leaf(const std::uint8_t* pattern, const T* x,
                              accumulator_t<Ring, T>* sums) {
  using A = accumulator_t<Ring, T>;
  const hn::CappedTag<A, 8> d;
  using ops = ring_vectors<Ring, hn::CappedTag<A, 8>>;
  HWY_ALIGN A terms[8];
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    hn::Store(ops::term(d, load_as(d, x + i)), d, terms + i);
  }
  // Broadcasting from memory costs nothing; compilers would shuffle registers instead.
  keep_in_memory(terms);
  for (std::size_t part = 0; part < 8 / hn::Lanes(d); ++part) {
    // Two chains of additions, so that one need not wait for the other.
    auto even = ops::select(d, pattern, part, hn::Set(d, terms[0]));
    auto odd = ops::select(d, pattern + 1, part, hn::Set(d, terms[1]));
    for (unsigned i = 2; i < 8; i += 2) {
      even = ops::add_where(d, even, pattern + i, part, hn::Set(d, terms[i]));
      odd = ops::add_where(d, odd, pattern + i + 1, part, hn::Set(d, terms[i + 1]));
    }
    A* const to = sums + part * hn::Lanes(d);
    hn::StoreU(ops::add(hn::LoadU(d, to), ops::add(even, odd)), d, to);
  }
}

// One cell: sums += x where the bit is 8 · input + output.
template <template <class> class Ring, class T>
HWY_INLINE void multiply_cell(unsigned bit, const T* x, accumulator_t<Ring, T>* sums) {
  using A = accumulator_t<Ring, T>;
  A& sum = sums[bit % 8];
  sum = Ring<A>::add(sum, static_cast<A>(Ring<T>::term(x[bit / 8])));
}

// Eight rows of `batch` sums += a leaf times eight rows of inputs. Byte i of the pattern says which
// inputs are added to row i.
template <template <class> class Ring, class T>
HWY_INLINE void multiply_leaf_batch(std::uint64_t pattern, const T* x, std::uint64_t batch,
                                    accumulator_t<Ring, T>* sums) {
  using A = accumulator_t<Ring, T>;
  const hn::ScalableTag<A> d;
  using ops = ring_vectors<Ring, hn::ScalableTag<A>>;
  const std::size_t lanes = hn::Lanes(d);
  for (; pattern != 0; pattern >>= 8U, sums += batch) {
    const auto inputs = static_cast<unsigned>(pattern & 255U);
    if (inputs == 0) continue;
    std::size_t k = 0;
    for (; k + 4 * lanes <= batch; k += 4 * lanes) {
      A* const to = sums + k;
      auto sum0 = hn::LoadU(d, to);
      auto sum1 = hn::LoadU(d, to + lanes);
      auto sum2 = hn::LoadU(d, to + 2 * lanes);
      auto sum3 = hn::LoadU(d, to + 3 * lanes);
      for (unsigned left = inputs; left != 0; left &= left - 1) {
        const T* const from = x + static_cast<unsigned>(std::countr_zero(left)) * batch + k;
        sum0 = ops::add(sum0, ops::term(d, load_as(d, from)));
        sum1 = ops::add(sum1, ops::term(d, load_as(d, from + lanes)));
        sum2 = ops::add(sum2, ops::term(d, load_as(d, from + 2 * lanes)));
        sum3 = ops::add(sum3, ops::term(d, load_as(d, from + 3 * lanes)));
      }
      hn::StoreU(sum0, d, to);
      hn::StoreU(sum1, d, to + lanes);
      hn::StoreU(sum2, d, to + 2 * lanes);
      hn::StoreU(sum3, d, to + 3 * lanes);
    }
    for (; k + lanes <= batch; k += lanes) {
      auto sum = hn::LoadU(d, sums + k);
      for (unsigned left = inputs; left != 0; left &= left - 1) {
        const T* const from = x + static_cast<unsigned>(std::countr_zero(left)) * batch + k;
        sum = ops::add(sum, ops::term(d, load_as(d, from)));
      }
      hn::StoreU(sum, d, sums + k);
    }
    for (; k < batch; ++k) {
      A sum = sums[k];
      for (unsigned left = inputs; left != 0; left &= left - 1) {
        const T* const from = x + static_cast<unsigned>(std::countr_zero(left)) * batch + k;
        sum = Ring<A>::add(sum, static_cast<A>(Ring<T>::term(*from)));
      }
      sums[k] = sum;
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace baltoro::cpu
HWY_AFTER_NAMESPACE();

#endif
