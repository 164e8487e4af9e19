// y ⊕= A⊗x for one vector: one team of warps a container.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/place.cuh"
#include "cuda/adaptive/strip_sums.cuh"

namespace baltoro::cuda {

// Containers take different times, so that a block of one team gives its place away soonest. With at most 64
// registers a thread, 32 warps of floats fit a multiprocessor; what is wider takes twice as many.
template <class T, class Team>
inline constexpr unsigned multiply_blocks = (sizeof(T) == 4 ? 32 : 16) / Team::warps;

// A leaf with the inputs of its strip.
template <class T>
struct loaded_leaf {
  std::uint32_t position;
  std::uint64_t pattern;
  T x[8];
};

// The leaves of one container in shared memory, worked off by a team: a thread takes a run of them.
template <template <class> class Ring, class T, direction Side, bool Inside, class Team>
__device__ __forceinline__ void add_leaves(const leaf_space& space, unsigned leaves,
                                           const container_place& place, const operands<T>& v) {
  // An odd number, so that lanes read from different banks.
  const unsigned run = (leaves + Team::threads - 1) / Team::threads | 1U;
  const unsigned begin = min(leaves, run * Team::thread());
  const unsigned end = min(leaves, begin + run);
  if (begin == end) return;
  const auto load = [&](unsigned at) {
    const unsigned leaf = space.sorted[at];
    loaded_leaf<T> result;
    result.position = space.positions[leaf];
    result.pattern = space.patterns[leaf];
    load_strip<Inside>(v.x, 8 * (place.input + input_strip<Side>(result.position)), v.inputs,
                       result.x);
    return result;
  };
  strip_sums<Ring, T, Side, Inside> sums(v, place.output);
  const auto add = [&](const loaded_leaf<T>& leaf) {
    sums.add(output_strip<Side>(leaf.position), leaf.pattern, leaf.x);
  };
  loaded_leaf<T> a = load(begin);
  sums.start(output_strip<Side>(a.position));
  unsigned at = begin;
  if constexpr (Inside) {
    // While one leaf is worked on, the next is on its way.
    while (true) {
      const loaded_leaf<T> b = load(min(at + 1, end - 1));
      add(a);
      if (++at == end) break;
      a = load(min(at + 1, end - 1));
      add(b);
      if (++at == end) break;
    }
  } else {  // few but for vectors that are not aligned: little code instead of little time
    while (true) {
      add(a);
      if (++at == end) break;
      a = load(at);
    }
  }
  sums.finish();
}

// Of containers list[0], list[1], …, or of all of them without a list.
template <template <class> class Ring, class T, direction Side, class Team>
__global__ void __launch_bounds__(Team::threads, multiply_blocks<T, Team>)
    multiply(const __grid_constant__ device_view a, const __grid_constant__ operands<T> v,
             const std::uint32_t* list) {
  __shared__ leaf_space space;
  const std::uint64_t container = list == nullptr ? blockIdx.x : list[blockIdx.x];
  const unsigned leaves = load_leaves<Side, Team>(a, container, space);
  const container_place place = place_of<Side>(a.matrix, container);
  if (v.hold(place)) {
    add_leaves<Ring, T, Side, true, Team>(space, leaves, place, v);
  } else {
    add_leaves<Ring, T, Side, false, Team>(space, leaves, place, v);
  }
}

}  // namespace baltoro::cuda
