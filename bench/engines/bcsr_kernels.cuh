// y = Ax over a CSR without values.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>

namespace baltoro::bench {

// So many threads a row, a power of two up to 32.
template <unsigned Threads, class Offset, class T>
__global__ void multiply_right(const Offset* __restrict__ row_begin,
                               const index_t* __restrict__ columns, std::uint64_t rows,
                               const T* __restrict__ x, T* __restrict__ y) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t row = thread / Threads;
  T sum = 0;
  if (row < rows) {
    const Offset end = row_begin[row + 1];
    for (Offset at = row_begin[row] + thread % Threads; at < end; at += Threads) {
      sum += x[columns[at]];
    }
  }
  for (unsigned apart = Threads / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(0xFFFF'FFFFU, sum, apart, Threads);
  }
  if (row < rows && thread % Threads == 0) y[row] = sum;
}

}  // namespace baltoro::bench
