// y ⊕= A⊗x for one Boolean vector in bits: each thread reads a stretch of the leaves of a container.
//
// Of an output it reads what is there already: an atomic operation follows only where there is something new.
#pragma once

#include <cstdint>

#include "cuda/adaptive/leaf_streams.cuh"
#include "cuda/adaptive/place.cuh"
#include "format/adaptive/bit_vectors.hpp"

namespace baltoro::cuda {

// y[strip] |= reached, a byte.
__device__ __forceinline__ void add_byte(std::uint32_t* y, std::uint32_t strip,
                                         std::uint32_t reached) {
  if (reached == 0) return;
  const std::uint32_t seen = reinterpret_cast<const volatile std::uint8_t*>(y)[strip];
  if ((reached & ~seen) != 0) atomicOr(y + strip / 4, reached << (strip % 4 * 8));
}

// Of all containers that are streamed.
template <direction Side>
__global__ void __launch_bounds__(warp::lanes, 32)
    multiply_bits_streams(const __grid_constant__ device_view a, const std::uint32_t* x,
                          std::uint32_t* y) {
  __shared__ stream_space space;
  const std::uint64_t container = blockIdx.x;
  const container_place place = place_of<Side>(a.matrix, container);
  const std::uint8_t* const in = reinterpret_cast<const std::uint8_t*>(x) + place.input;
  constexpr bool right = Side == direction::right;
  const auto output_of = [](const leaf_place& at) { return right ? at.row : at.col; };
  const auto read_x = [&](const leaf_place& at) {
    return std::uint32_t{__ldg(in + (right ? at.col : at.row))};
  };
  const auto add_stream = [&](auto stream, unsigned count) {
    if (count == 0) return;
    struct leaf {
      unsigned output;
      std::uint32_t x;
      std::uint64_t pattern;
    };
    const auto load = [&](leaf& to) {
      const stream_leaf next = stream.next();
      to = {output_of(next.at), read_x(next.at), next.pattern};
    };
    unsigned output = 0;
    std::uint32_t reached = 0;  // of this output
    const auto add = [&](const leaf& from) {
      if (from.output != output) {
        add_byte(y, place.output + output, reached);
        reached = 0;
        output = from.output;
      }
      reached |= format::multiply_bits<Side>(from.pattern, from.x);
    };
    // While one leaf is worked on, the next is on its way.
    leaf even;
    leaf odd;
    load(even);
    while (true) {
      if (count != 1) load(odd);
      add(even);
      if (--count == 0) break;
      if (count != 1) load(even);
      add(odd);
      if (--count == 0) break;
    }
    add_byte(y, place.output + output, reached);
  };
  with_stream(a, container, space, add_stream, [&](const leaf_place& at, std::uint64_t pattern) {
    add_byte(y, place.output + output_of(at), format::multiply_bits<Side>(pattern, read_x(at)));
  });
}

}  // namespace baltoro::cuda
