#include <algorithm>

#include "cuda/check.cuh"
#include "measure/gpu_vectors.hpp"
#include "measure/input_values.hpp"

namespace baltoro::bench {
namespace {

constexpr unsigned threads = 256;

// Loops over [0, count) by all threads of a grid.
#define BALTORO_BENCH_EACH(at, count)                                                         \
  for (std::uint64_t at = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; at < (count); \
       at += std::uint64_t{gridDim.x} * blockDim.x)

__global__ void fill_kernel(float* x, std::uint64_t count, std::uint64_t batch) {
  BALTORO_BENCH_EACH(at, count) x[at] = input_value(at / batch, at % batch);
}

__global__ void poison_kernel(float* y, std::uint64_t count) {
  BALTORO_BENCH_EACH(at, count) y[at] = __int_as_float(0x7FC0'0000);
}

__global__ void copy_kernel(const float* y, std::uint64_t entries, std::uint64_t batch,
                            std::uint64_t k, float* to) {
  BALTORO_BENCH_EACH(at, entries) to[at] = y[at * batch + k];
}

__global__ void count_kernel(const float* y, std::uint64_t count, unsigned long long* found) {
  unsigned long long mine = 0;
  BALTORO_BENCH_EACH(at, count) mine += isfinite(y[at]) ? 0 : 1;
  if (mine != 0) atomicAdd(found, mine);
}

#undef BALTORO_BENCH_EACH

dim3 blocks_for(std::uint64_t count) {
  constexpr std::uint64_t most = 16384;
  return dim3(
      static_cast<unsigned>(std::clamp<std::uint64_t>((count + threads - 1) / threads, 1, most)));
}

}  // namespace

void fill_inputs(float* x, std::uint64_t entries, std::uint64_t batch, cudaStream_t stream) {
  cuda::launch(fill_kernel, blocks_for(entries * batch), dim3(threads), 0, stream, x,
               entries * batch, batch);
}

void poison(float* y, std::uint64_t count, cudaStream_t stream) {
  cuda::launch(poison_kernel, blocks_for(count), dim3(threads), 0, stream, y, count);
}

void copy_vector(const float* y, std::uint64_t entries, std::uint64_t batch, std::uint64_t k,
                 float* to, cudaStream_t stream) {
  cuda::launch(copy_kernel, blocks_for(entries), dim3(threads), 0, stream, y, entries, batch, k,
               to);
}

void count_not_finite(const float* y, std::uint64_t count, unsigned long long* found,
                      cudaStream_t stream) {
  cuda::launch(count_kernel, blocks_for(count), dim3(threads), 0, stream, y, count, found);
}

}  // namespace baltoro::bench
