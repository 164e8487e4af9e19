// y ⊕= A⊗x for a batch of vectors: containers are expanded into lists of leaves, a tile of them at a time,
// and then every leaf meets all vectors.
//
// Reading a row of x or adding one to y moves B values, so what counts is how often that happens: once a
// leaf and column that it has cells in, once a strip and row.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/vectors.cuh"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// A leaf on its own. For a left product its pattern is transposed: bit 8·i + j adds input j to output i.
struct alignas(16) batch_leaf {
  std::uint32_t output;  // number of its strip of outputs
  std::uint32_t input;
  std::uint64_t pattern;
};

// Containers expanded at once, and what that takes.
inline constexpr std::uint64_t batch_tile = 2048;
inline constexpr std::uint64_t batch_bytes_per_container =
    sizeof(batch_leaf) * adaptive_view::max_leaves + sizeof(std::uint32_t);

inline constexpr unsigned expand_warps = 2;
inline constexpr unsigned batch_threads = 256;

// The leaves of containers first, first + 1, … in the order of their strips of outputs, max_leaves places
// for each container, and their numbers.
template <direction Side>
__global__ void __launch_bounds__(expand_warps* warp::lanes)
    expand_containers(const __grid_constant__ device_view a, std::uint64_t first, unsigned count,
                      batch_leaf* leaves, std::uint32_t* counts) {
  __shared__ leaf_space spaces[expand_warps];
  const unsigned slot = blockIdx.x * expand_warps + threadIdx.x / warp::lanes;
  if (slot >= count) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const std::uint64_t container = first + slot;
  const unsigned number = load_leaves<Side>(a, container, space);
  const unsigned level = a.matrix.level(container);
  const std::uint32_t row = morton::row_of(a.matrix.first_leaf(container)) >> level << level;
  const std::uint32_t col = morton::col_of(a.matrix.first_leaf(container)) >> level << level;
  const std::uint32_t output = Side == direction::right ? row : col;
  const std::uint32_t input = Side == direction::right ? col : row;
  batch_leaf* const to = leaves + std::uint64_t{slot} * adaptive_view::max_leaves;
  for (unsigned at = warp::lane(); at < number; at += warp::lanes) {
    const unsigned leaf = space.sorted[at];
    const std::uint32_t position = space.positions[leaf];
    const std::uint64_t pattern = space.patterns[leaf];
    to[at] = {output + output_strip<Side>(position), input + input_strip<Side>(position),
              Side == direction::right ? pattern : format::transpose(pattern)};
  }
  if (warp::lane() == 0) counts[slot] = number;
}

// `Wide` neighbouring values of a row of x or y.
template <class T, unsigned Wide>
struct row_part {
  T value[Wide];
};

template <class T, unsigned Wide>
__device__ __forceinline__ row_part<T, Wide> load_part(const T* from) {
  row_part<T, Wide> result;
  if constexpr (Wide == 1) {
    result.value[0] = __ldg(from);
  } else {
    static_assert(sizeof result == sizeof(uint4));
    const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(from));
    memcpy(&result, &loaded, sizeof result);
  }
  return result;
}

template <template <class> class Ring, class T, unsigned Wide>
__device__ __forceinline__ void add_part(T* to, const row_part<T, Wide>& sum) {
  if constexpr (Wide == 4 && std::is_same_v<Ring<T>, plus_times<float>>) {
    add_four(to, sum.value[0], sum.value[1], sum.value[2], sum.value[3]);
  } else {
#pragma unroll
    for (unsigned k = 0; k < Wide; ++k) accumulate<Ring>(to + k, sum.value[k]);
  }
}

// A block takes the leaves of one container; `lanes` threads side by side work on one leaf, each on `Wide`
// of the vectors. blockIdx.y counts slices of lanes · Wide vectors from `first_vector` on.
template <template <class> class Ring, class T, unsigned Wide>
__global__ void __launch_bounds__(batch_threads)
    multiply_batch(const batch_leaf* __restrict__ leaves, const std::uint32_t* counts,
                   const T* __restrict__ x, T* __restrict__ y, index_t batch,
                   std::uint64_t first_vector, unsigned lanes, T alpha) {
  constexpr unsigned run = 16;  // leaves that one group takes at once
  const unsigned count = counts[blockIdx.x];
  const std::uint64_t vector =
      first_vector + (std::uint64_t{blockIdx.y} * lanes + threadIdx.x % lanes) * Wide;
  if (vector >= batch) return;
  const batch_leaf* const list = leaves + std::uint64_t{blockIdx.x} * adaptive_view::max_leaves;
  const unsigned groups = batch_threads / lanes;
  for (unsigned begin = threadIdx.x / lanes * run; begin < count; begin += groups * run) {
    const unsigned end = min(count, begin + run);
    row_part<T, Wide> sums[8];
    std::uint64_t touched = 0;
    std::uint32_t strip = list[begin].output;
    const auto clear = [&] {
      touched = 0;
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) sums[i].value[k] = Ring<T>::zero();
      }
    };
    const auto finish = [&] {
      T* const to = y + std::uint64_t{strip} * 8 * batch + vector;
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        if ((touched >> (8 * i) & 0xFFU) == 0) continue;
        if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
#pragma unroll
          for (unsigned k = 0; k < Wide; ++k) sums[i].value[k] *= alpha;
        }
        add_part<Ring>(to + std::uint64_t{i} * batch, sums[i]);
      }
    };
    clear();
    batch_leaf next = list[begin];
    for (unsigned at = begin; at < end; ++at) {
      const batch_leaf leaf = next;
      next = list[min(at + 1, end - 1)];
      if (leaf.output != strip) {
        finish();
        clear();
        strip = leaf.output;
      }
      touched |= leaf.pattern;
      auto columns = static_cast<std::uint32_t>(leaf.pattern | leaf.pattern >> 32U);
      columns |= columns >> 16U;
      columns |= columns >> 8U;
      const T* const from = x + std::uint64_t{leaf.input} * 8 * batch + vector;
      row_part<T, Wide> terms[8];
#pragma unroll
      for (unsigned j = 0; j < 8; ++j) {
        if ((columns & (1U << j)) != 0) {
          terms[j] = load_part<T, Wide>(from + std::uint64_t{j} * batch);
        } else {
          terms[j] = {};
        }
      }
#pragma unroll
      for (unsigned j = 0; j < 8; ++j) {
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) terms[j].value[k] = Ring<T>::term(terms[j].value[k]);
      }
#pragma unroll
      for (unsigned i = 0; i < 8; ++i) {
        const auto bits = static_cast<std::uint32_t>(leaf.pattern >> (8 * i)) & 0xFFU;
        if (bits == 0) continue;
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) {
          if ((bits & (1U << j)) != 0) {
#pragma unroll
            for (unsigned k = 0; k < Wide; ++k) {
              sums[i].value[k] = Ring<T>::add(sums[i].value[k], terms[j].value[k]);
            }
          }
        }
      }
    }
    finish();
  }
}

// What a batch needs beside its vectors.
inline std::uint64_t batch_scratch_bytes(const adaptive_view& a) {
  return std::min(batch_tile, a.containers) * batch_bytes_per_container;
}

// Enqueues y ⊕= alpha · A⊗x for `batch` vectors. `scratch` has batch_scratch_bytes().
template <template <class> class Ring, class T, direction Side>
void run_batch(cudaStream_t stream, const device_view& view, const device_memory& scratch,
               const T* x, T* y, index_t batch, T alpha) {
  constexpr unsigned quad = 16 / sizeof(T);
  constexpr std::uint64_t most_slices = 65535;
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool wide = batch % quad == 0 && aligned(x) && aligned(y);
  const unsigned each = wide ? quad : 1;
  // As many threads a leaf as there are parts of a row, at most a warp.
  const unsigned lanes = std::min<unsigned>(warp::lanes, std::bit_ceil((batch + each - 1) / each));
  const std::uint64_t slices = (std::uint64_t{batch} + each * lanes - 1) / (each * lanes);
  const std::uint64_t tile = std::min(batch_tile, view.matrix.containers);
  batch_leaf* const leaves = scratch.at<batch_leaf>();
  auto* const counts =
      scratch.at<std::uint32_t>(tile * sizeof(batch_leaf) * adaptive_view::max_leaves);
  for (std::uint64_t first = 0; first < view.matrix.containers; first += tile) {
    const auto count = static_cast<unsigned>(std::min(tile, view.matrix.containers - first));
    launch(expand_containers<Side>, dim3((count + expand_warps - 1) / expand_warps),
           dim3(expand_warps * warp::lanes), 0, stream, view, first, count, leaves, counts);
    for (std::uint64_t slice = 0; slice < slices; slice += most_slices) {
      const dim3 blocks(count, static_cast<unsigned>(std::min(most_slices, slices - slice)));
      launch(wide ? multiply_batch<Ring, T, quad> : multiply_batch<Ring, T, 1>, blocks,
             dim3(batch_threads), 0, stream, leaves, counts, x, y, batch, slice * each * lanes,
             lanes, alpha);
    }
  }
}

}  // namespace baltoro::cuda
