// The entries of x: random, yet computed from their place, so that host and device agree on them and
// a vector of a batch can be had without the others.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>

namespace baltoro::bench {

// Entry i of vector k, one of 2²⁴ values in [0, 1). Vector k is the same in a batch of any width.
BALTORO_HOST_DEVICE constexpr float input_value(std::uint64_t i, std::uint64_t k) {
  // SplitMix64
  std::uint64_t z = (i << 16U) + k + 0x9E37'79B9'7F4A'7C15ULL;
  z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBULL;
  z ^= z >> 31U;
  return static_cast<float>(z >> 40U) * 0x1p-24F;
}

}  // namespace baltoro::bench
