// Vectors in device memory: filled, and looked at.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace baltoro::bench {

// x = input_value(), `entries` × batch in row-major order.
void fill_inputs(float* x, std::uint64_t entries, std::uint64_t batch, cudaStream_t stream);
// Every value a NaN.
void poison(float* y, std::uint64_t count, cudaStream_t stream);
// Vector k of `entries` × batch values, to a place of `entries`.
void copy_vector(const float* y, std::uint64_t entries, std::uint64_t batch, std::uint64_t k,
                 float* to, cudaStream_t stream);
// Adds to *found how many values are no finite numbers.
void count_not_finite(const float* y, std::uint64_t count, unsigned long long* found,
                      cudaStream_t stream);

}  // namespace baltoro::bench
