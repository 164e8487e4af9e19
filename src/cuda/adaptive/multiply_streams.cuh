// y ⊕= A⊗x for one vector, where outputs come in the order of the leaves: each thread reads a stretch of them.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/leaf_streams.cuh"
#include "cuda/adaptive/place.cuh"
#include "cuda/adaptive/strip_sums.cuh"

namespace baltoro::cuda {

template <template <class> class Ring, class T, bool Inside, class Stream>
__device__ __forceinline__ void add_stream(Stream stream, unsigned count,
                                           const container_place& place, const operands<T>& v) {
  if (count == 0) return;
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

// Of all containers that are streamed.
template <template <class> class Ring, class T, class Team>
__global__ void __launch_bounds__(Team::threads, (sizeof(T) == 4 ? 32 : 16) / Team::warps)
    multiply_streams(const __grid_constant__ device_view a, const __grid_constant__ operands<T> v) {
  __shared__ stream_space space;
  const std::uint64_t container = blockIdx.x;
  const container_place place = place_of<direction::right>(a.matrix, container);
  if (v.hold(place)) {
    with_stream<Team>(a, container, space, [&](const auto& stream, unsigned count) {
      add_stream<Ring, T, true>(stream, count, place, v);
    });
  } else {
    with_stream<Team>(a, container, space, [&](const auto& stream, unsigned count) {
      add_stream<Ring, T, false>(stream, count, place, v);
    });
  }
}

}  // namespace baltoro::cuda
