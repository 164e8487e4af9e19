// The outputs of one strip, added up in registers.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>
#include <type_traits>

#include "cuda/adaptive/place.cuh"
#include "cuda/adaptive/vectors.cuh"

namespace baltoro::cuda {

// A product's vectors.
template <class T>
struct operands {
  const T* x;
  T* y;
  index_t inputs;
  index_t outputs;
  T alpha;
  bool aligned;  // x and y to 16 bytes
  output_marks<T> marks{};

  // Whether no strip of a container reaches beyond the vectors, which are aligned.
  __device__ bool hold(const container_place& place) const {
    return aligned && place.first_output() + place.side() <= outputs &&
           place.first_input() + place.side() <= inputs;
  }
};

// Adds the terms of one leaf to the sums of its strip. Bit 8·r + c of the pattern adds x[c] to sums[r], or
// for the left product x[r] to sums[c].
template <template <class> class Ring, class T, direction Side>
__device__ __forceinline__ void add_leaf(std::uint64_t pattern, const T (&x)[8], T (&sums)[8]) {
#pragma unroll
  for (unsigned half = 0; half < 2; ++half) {
    auto rows = static_cast<std::uint32_t>(pattern >> (32 * half));
#pragma unroll
    for (unsigned r = 0; r < 4; ++r) {
      // Keeps the rows apart: ptxas then moves the bits of a row into predicates at once.
      asm volatile("" : "+r"(rows));
      const unsigned row = 4 * half + r;
#pragma unroll
      for (unsigned col = 0; col < 8; ++col) {
        T& sum = sums[Side == direction::right ? row : col];
        const T& term = x[Side == direction::right ? col : row];
        if ((rows & (1U << (8 * r + col))) != 0) sum = Ring<T>::add(sum, term);
      }
    }
  }
}

// Marks the outputs of a leaf that have a term which is no finite number. `first` is the first output of the strip.
template <direction Side>
__device__ __forceinline__ void mark_leaf(const output_marks<fixed_t>& marks, std::uint64_t first,
                                          std::uint64_t pattern, const fixed_t (&x)[8]) {
  constexpr bool right = Side == direction::right;
#pragma unroll
  for (unsigned j = 0; j < 8; ++j) {
    const unsigned mark = mark_of(x[j]);
    if (mark == 0) continue;
#pragma unroll 1
    for (unsigned i = 0; i < 8; ++i) {
      if ((pattern >> (right ? 8 * i + j : 8 * j + i) & 1U) != 0) marks.add(first + i, mark);
    }
  }
}

// Adds leaves up that come strip by strip, and touches the outputs once for each strip. `Inside`: no strip
// reaches beyond the vectors, which are aligned.
template <template <class> class Ring, class T, direction Side, bool Inside>
class strip_sums {
 public:
  // Of outputs from strip `first` on.
  __device__ strip_sums(const operands<T>& v, std::uint32_t first) : v_(v), first_(first) {
    if constexpr (is_fixed<T>) marks_ = *v.marks.any != 0;
  }

  // To be called before the first leaf.
  __device__ __forceinline__ void start(unsigned strip) {
    strip_ = strip;
    touched_ = 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) sums_[i] = Ring<T>::zero();
  }

  __device__ __forceinline__ void add(unsigned strip, std::uint64_t pattern, const T (&x)[8]) {
    if (strip != strip_) {
      finish();
      start(strip);
    }
    touched_ |= pattern;
    if constexpr (is_fixed<T>) {
      if (marks_) {
        mark_leaf<Side>(v_.marks, std::uint64_t{8} * (first_ + strip_), pattern, x);
      }
    }
    T terms[8];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) terms[i] = Ring<T>::term(x[i]);
    add_leaf<Ring, T, Side>(pattern, terms, sums_);
  }

  // To be called after the last one.
  __device__ __forceinline__ void finish() {
    if constexpr (std::is_same_v<Ring<T>, plus_times<T>> && !is_fixed<T>) {
      if (v_.alpha != T{1}) {
#pragma unroll
        for (unsigned i = 0; i < 8; ++i) sums_[i] *= v_.alpha;
      }
    }
    add_strip<Ring, Side, Inside>(v_.y, 8 * (first_ + strip_), touched_, sums_);
  }

 private:
  const operands<T>& v_;
  std::uint32_t first_;
  unsigned strip_;
  std::uint64_t touched_;  // cells of all leaves of the strip
  T sums_[8];
  bool marks_ = false;  // whether there is anything to mark
};

}  // namespace baltoro::cuda
