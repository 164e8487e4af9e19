// What becomes of y before the terms of a product are added to it.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cuda/check.cuh"

namespace baltoro::cuda {

// y = zero or beta · y.
template <template <class> class Ring, class T>
__global__ void scale_outputs(T* y, std::uint64_t count, T beta) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    if (beta == T{0}) {
      y[i] = Ring<T>::zero();
    } else if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
      y[i] *= beta;
    } else {
      y[i] = Ring<T>::value(y[i]);
    }
  }
}

template <template <class> class Ring, class T>
void begin_outputs(cudaStream_t stream, T* y, std::uint64_t count, T beta) {
  constexpr bool adds = std::is_same_v<Ring<T>, plus_times<T>>;
  if (count == 0 || (adds && beta == T{1})) return;
  if (beta == T{0} && (adds || std::is_same_v<Ring<T>, lor_land<T>>)) {
    check(cudaMemsetAsync(y, 0, sizeof(T) * count, stream), "cudaMemsetAsync");
    return;
  }
  constexpr std::uint64_t threads = 256;
  constexpr std::uint64_t most_blocks = 1U << 22U;
  const auto blocks = static_cast<unsigned>(std::min((count + threads - 1) / threads, most_blocks));
  launch(scale_outputs<Ring, T>, dim3(blocks), dim3(threads), 0, stream, y, count, beta);
}

}  // namespace baltoro::cuda
