// y ⊕= A⊗x for one vector: one warp a container.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/vectors.cuh"

namespace baltoro::cuda {

// Containers take different times, so that a block of one warp gives its place away soonest. With at most 64
// registers a thread, 32 warps of floats fit a multiprocessor; what is wider takes twice as many.
inline constexpr unsigned multiply_warps = 1;
template <class T>
inline constexpr unsigned multiply_blocks = sizeof(T) == 4 ? 32 : 16;

// A product's vectors.
template <class T>
struct operands {
  const T* x;
  T* y;
  index_t inputs;
  index_t outputs;
  T alpha;
  bool aligned;  // x and y to 16 bytes
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

// A leaf with the inputs of its strip.
template <class T>
struct loaded_leaf {
  std::uint32_t position;
  std::uint64_t pattern;
  T x[8];
};

// The leaves of one container in shared memory, worked off by one warp. A lane takes a run of leaves, adds
// those of one strip of outputs up in registers, and touches the outputs once a strip. `Inside`: no strip
// reaches beyond the vectors, which are aligned.
template <template <class> class Ring, class T, direction Side, bool Inside>
class leaf_adder {
 public:
  __device__ leaf_adder(const leaf_space& space, unsigned leaves, index_t output, index_t input,
                        const operands<T>& v)
      : space_(space), output_(output), input_(input), v_(v) {
    // An odd number, so that lanes read from different banks.
    const unsigned run = (leaves + warp::lanes - 1) / warp::lanes | 1U;
    const unsigned begin = min(leaves, run * warp::lane());
    const unsigned end = min(leaves, begin + run);
    if (begin == end) return;
    clear();
    // While one leaf is worked on, the next is on its way.
    loaded_leaf<T> a = load(begin);
    strip_ = output_strip<Side>(a.position);
    unsigned at = begin;
    while (true) {
      const loaded_leaf<T> b = load(min(at + 1, end - 1));
      add(a);
      if (++at == end) break;
      a = load(min(at + 1, end - 1));
      add(b);
      if (++at == end) break;
    }
    finish();
  }

 private:
  __device__ __forceinline__ loaded_leaf<T> load(unsigned at) const {
    const unsigned leaf = space_.sorted[at];
    loaded_leaf<T> result;
    result.position = space_.positions[leaf];
    result.pattern = space_.patterns[leaf];
    load_strip<Inside>(v_.x, input_ + 8 * input_strip<Side>(result.position), v_.inputs, result.x);
    return result;
  }

  __device__ __forceinline__ void add(const loaded_leaf<T>& leaf) {
    const unsigned strip = output_strip<Side>(leaf.position);
    if (strip != strip_) {
      finish();
      strip_ = strip;
      clear();
    }
    touched_ |= leaf.pattern;
    T terms[8];
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) terms[i] = Ring<T>::term(leaf.x[i]);
    add_leaf<Ring, T, Side>(leaf.pattern, terms, sums_);
  }

  __device__ __forceinline__ void clear() {
    touched_ = 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) sums_[i] = Ring<T>::zero();
  }

  __device__ __forceinline__ void finish() {
    if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
      if (v_.alpha != T{1}) {
#pragma unroll
        for (unsigned i = 0; i < 8; ++i) sums_[i] *= v_.alpha;
      }
    }
    add_strip<Ring, Side, Inside>(v_.y, output_ + 8 * strip_, touched_, sums_);
  }

  const leaf_space& space_;
  index_t output_;
  index_t input_;
  const operands<T>& v_;
  unsigned strip_ = 0;
  std::uint64_t touched_ = 0;  // cells of all leaves of the strip
  T sums_[8];
};

template <template <class> class Ring, class T, direction Side>
__global__ void __launch_bounds__(multiply_warps* warp::lanes, multiply_blocks<T>)
    multiply(const __grid_constant__ device_view a, const __grid_constant__ operands<T> v) {
  __shared__ leaf_space spaces[multiply_warps];
  const std::uint64_t container =
      std::uint64_t{blockIdx.x} * multiply_warps + threadIdx.x / warp::lanes;
  if (container >= a.matrix.containers) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const unsigned leaves = load_leaves<Side>(a, container, space);
  const std::uint64_t first = a.matrix.first_leaf(container);
  const unsigned level = a.matrix.level(container);
  const index_t row = 8 * (morton::row_of(first) >> level << level);
  const index_t col = 8 * (morton::col_of(first) >> level << level);
  const index_t output = Side == direction::right ? row : col;
  const index_t input = Side == direction::right ? col : row;
  const std::uint64_t side = std::uint64_t{8} << level;
  if (v.aligned && output + side <= v.outputs && input + side <= v.inputs) {
    leaf_adder<Ring, T, Side, true>(space, leaves, output, input, v);
  } else {
    leaf_adder<Ring, T, Side, false>(space, leaves, output, input, v);
  }
}

}  // namespace baltoro::cuda
