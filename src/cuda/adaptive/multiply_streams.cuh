// y ⊕= A⊗x for one vector, where outputs come in the order of the leaves: each thread reads a stretch of them.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/leaf_streams.cuh"
#include "cuda/adaptive/place.cuh"
#include "cuda/adaptive/strip_sums.cuh"

namespace baltoro::cuda {

template <template <class> class Ring, class T, bool Inside>
__device__ __forceinline__ void add_one(const leaf_place& at, std::uint64_t pattern,
                                        const container_place& place, const operands<T>& v) {
  T x[8];
  load_strip<Inside>(v.x, 8 * (place.input + at.col), v.inputs, x);
  strip_sums<Ring, T, direction::right, Inside> sums(v, place.output);
  sums.start(at.row);
  sums.add(at.row, pattern, x);
  sums.finish();
}

template <template <class> class Ring, class T, bool Inside, class Stream>
__device__ __forceinline__ void add_stream(Stream stream, unsigned count,
                                           const container_place& place, const operands<T>& v) {
  if (count == 0) return;
  if constexpr (
      !Inside) {  // few but for vectors that are not aligned: little code instead of little time
    for (; count != 0; --count) {
      const stream_leaf next = stream.next();
      add_one<Ring, T, Inside>(next.at, next.pattern, place, v);
    }
    return;
  }
  struct leaf {
    unsigned strip;
    std::uint64_t pattern;
    T x[8];
  };
  const auto load = [&](leaf& to) {
    const stream_leaf next = stream.next();
    to.strip = next.at.row;
    to.pattern = next.pattern;
    load_strip<Inside>(v.x, 8 * (place.input + next.at.col), v.inputs, to.x);
  };
  strip_sums<Ring, T, direction::right, Inside> sums(v, place.output);
  // While one leaf is worked on, the next is on its way.
  leaf a;
  leaf b;
  load(a);
  sums.start(a.strip);
  while (true) {
    if (count != 1) load(b);
    sums.add(a.strip, a.pattern, a.x);
    if (--count == 0) break;
    if (count != 1) load(a);
    sums.add(b.strip, b.pattern, b.x);
    if (--count == 0) break;
  }
  sums.finish();
}

template <template <class> class Ring, class T, bool Inside>
__device__ __forceinline__ void multiply_stream(const device_view& a, std::uint64_t container,
                                                const container_place& place, stream_space& space,
                                                const operands<T>& v) {
  with_stream(
      a, container, space,
      [&](const auto& stream, unsigned count) {
        add_stream<Ring, T, Inside>(stream, count, place, v);
      },
      [&](const leaf_place& at, std::uint64_t pattern) {
        add_one<Ring, T, Inside>(at, pattern, place, v);
      });
}

// Of all containers that are streamed.
template <template <class> class Ring, class T>
__global__ void __launch_bounds__(warp::lanes, sizeof(T) == 4 ? 32 : 16)
    multiply_streams(const __grid_constant__ device_view a, const __grid_constant__ operands<T> v) {
  __shared__ stream_space space;
  const std::uint64_t container = blockIdx.x;
  const container_place place = place_of<direction::right>(a.matrix, container);
  if (v.hold(place)) {
    multiply_stream<Ring, T, true>(a, container, place, space, v);
  } else {
    multiply_stream<Ring, T, false>(a, container, place, space, v);
  }
}

}  // namespace baltoro::cuda
