// y ⊕= A⊗x for one vector: one warp a container.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/vectors.cuh"

namespace baltoro::cuda {

inline constexpr unsigned multiply_warps = 4;  // of a block

// A product's vectors.
template <class T>
struct operands {
  const T* x;
  T* y;
  std::uint64_t inputs;
  std::uint64_t outputs;
  T alpha;
  bool aligned;  // x and y to 16 bytes
};

// The sums of one leaf's rows, added to those of its strip.
template <template <class> class Ring, class T>
__device__ void add_leaf(std::uint64_t pattern, const T (&x)[8], T (&sums)[8]) {
  const auto low = static_cast<std::uint32_t>(pattern);
  const auto high = static_cast<std::uint32_t>(pattern >> 32U);
#pragma unroll
  for (unsigned row = 0; row < 8; ++row) {
    const std::uint32_t half = row < 4 ? low : high;
#pragma unroll
    for (unsigned col = 0; col < 8; ++col) {
      if ((half & (1U << (8 * (row % 4) + col))) != 0) sums[row] = Ring<T>::add(sums[row], x[col]);
    }
  }
}

template <template <class> class Ring, class T, direction Side>
__global__ void __launch_bounds__(multiply_warps* warp::lanes)
    multiply(const __grid_constant__ adaptive_view a, const __grid_constant__ operands<T> v) {
  __shared__ leaf_space spaces[multiply_warps];
  const std::uint64_t container =
      std::uint64_t{blockIdx.x} * multiply_warps + threadIdx.x / warp::lanes;
  if (container >= a.containers) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const unsigned leaves = load_leaves<Side>(a, container, space);
  const std::uint64_t first = a.first_leaf(container);
  const unsigned level = a.level(container);
  const std::uint64_t row = std::uint64_t{morton::row_of(first)} >> level << level;
  const std::uint64_t col = std::uint64_t{morton::col_of(first)} >> level << level;
  const std::uint64_t output = Side == direction::right ? row : col;
  const std::uint64_t input = Side == direction::right ? col : row;

  // A lane takes a run of leaves; an odd number, so that lanes read from different banks.
  const unsigned run = (leaves + warp::lanes - 1) / warp::lanes | 1U;
  const unsigned begin = min(leaves, run * warp::lane());
  const unsigned end = min(leaves, begin + run);
  if (begin == end) return;
  T sums[8];
  unsigned strip = output_strip<Side>(space.sorted[begin]);
  std::uint64_t touched = 0;
#pragma unroll
  for (T& sum : sums) sum = Ring<T>::zero();
  const auto finish = [&] {
    if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
#pragma unroll
      for (T& sum : sums) sum *= v.alpha;
    }
    add_strip<Ring>(v.y, 8 * (output + strip), v.outputs, v.aligned, touched, sums);
  };
  for (unsigned leaf = begin; leaf < end; ++leaf) {
    const std::uint32_t position = space.sorted[leaf];
    std::uint64_t pattern = space.patterns[leaf];
    if (Side == direction::left) pattern = format::transpose(pattern);
    T x[8];
    load_strip(v.x, 8 * (input + input_strip<Side>(position)), v.inputs, v.aligned, x);
    if (output_strip<Side>(position) != strip) {
      finish();
      strip = output_strip<Side>(position);
      touched = 0;
#pragma unroll
      for (T& sum : sums) sum = Ring<T>::zero();
    }
    touched |= pattern;
#pragma unroll
    for (T& value : x) value = Ring<T>::term(value);
    add_leaf<Ring>(pattern, x, sums);
  }
  finish();
}

}  // namespace baltoro::cuda
