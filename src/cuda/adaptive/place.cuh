// Where a container lies, as a product sees it.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

namespace baltoro::cuda {

// The corner of its square in strips of outputs and inputs, and log2 of its side.
struct container_place {
  std::uint32_t output;
  std::uint32_t input;
  unsigned level;

  // The first output and input, and how many there are at most.
  __device__ index_t first_output() const { return 8 * output; }
  __device__ index_t first_input() const { return 8 * input; }
  __device__ std::uint64_t side() const { return std::uint64_t{8} << level; }
};
template <direction Side>
__device__ __forceinline__ container_place place_of(const adaptive_view& a,
                                                    std::uint64_t container) {
  const std::uint64_t first = a.first_leaf(container);
  const unsigned level = a.level(container);
  const std::uint32_t row = morton::row_of(first) >> level << level;
  const std::uint32_t col = morton::col_of(first) >> level << level;
  return {Side == direction::right ? row : col, Side == direction::right ? col : row, level};
}

}  // namespace baltoro::cuda
