// The pass over the vectors that makes one iteration of PageRank of a product.
#pragma once

#include <baltoro/types.hpp>

#include <cmath>
#include <cstdint>

namespace baltoro::cuda {

inline constexpr unsigned rank_threads = 256;
inline constexpr unsigned rank_blocks = 1056;
// Iterations whose changes are kept for the host.
inline constexpr unsigned most_ahead = 16;

// What the device knows of the iteration.
struct rank_control {
  std::uint32_t iterations;
  std::uint32_t done;      // whether to stop
  std::uint32_t finished;  // blocks of the pass that runs
  std::uint32_t unused;
  double changes[most_ahead];  // of iteration i in place i mod most_ahead
};

struct rank_rule {
  const double* jumps;   // null: none
  const index_t* seeds;  // null: none
  double uniform;
  bool dangling_jumps;
  double damping;
  double tolerance;
  std::uint32_t max_iterations;

  __device__ double jump(std::uint64_t v, std::uint64_t k) const {
    if (jumps != nullptr) return jumps[v];
    if (seeds != nullptr) return seeds[k] == v ? 1 : 0;
    return uniform;
  }
};

template <class T>
struct rank_vectors {
  // What vertices pass along each of their edges: rank / degree. A dangling vertex has its rank there, which
  // no edge takes along.
  T* shares;
  T* sums;  // what they receive
  const index_t* degrees;
  std::uint64_t vertices;
  std::uint64_t batch;
  bool clear;       // whether the sums are to be 0 afterwards
  double* lost;     // of each vector, the ranks of dangling vertices
  double* partial;  // of each block and vector: the change, then what is lost
  rank_control* control;
};

// The sum of a value over threadIdx.y, a power of two of them, for threadIdx.y = 0; in a fixed order.
__device__ inline double sum_of_rows(double value, double* space) {
  const unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
  __syncthreads();
  space[at] = value;
  for (unsigned half = blockDim.y / 2; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) space[at] += space[at + half * blockDim.x];
  }
  return space[at];
}

// Adds up what all blocks have written; by the last of them.
template <class T>
__device__ void end_iteration(const rank_vectors<T>& v, const rank_rule& rule, bool start,
                              double* space) {
  double largest = 0;
  for (std::uint64_t first = 0; first < v.batch; first += blockDim.x) {
    const std::uint64_t k = first + threadIdx.x;
    double change = 0;
    double lost = 0;
    for (unsigned block = threadIdx.y; k < v.batch && block < gridDim.x; block += blockDim.y) {
      // Written by other blocks.
      const volatile double* const from = v.partial + 2 * block * v.batch;
      change += from[k];
      lost += from[v.batch + k];
    }
    change = sum_of_rows(change, space);
    if (threadIdx.y == 0) largest = fmax(largest, change);
    lost = sum_of_rows(lost, space);
    if (threadIdx.y == 0 && k < v.batch) v.lost[k] = lost;
  }
  __syncthreads();
  if (threadIdx.y == 0) space[threadIdx.x] = largest;
  __syncthreads();
  if (threadIdx.x != 0 || threadIdx.y != 0) return;
  for (unsigned i = 1; i < blockDim.x; ++i) largest = fmax(largest, space[i]);
  rank_control& control = *v.control;
  control.finished = 0;
  const std::uint32_t iterations = start ? 0 : control.iterations + 1;
  control.iterations = iterations;
  if (!start) control.changes[(iterations - 1) % most_ahead] = largest;
  control.done = (!start && largest < rule.tolerance) || iterations >= rule.max_iterations ? 1 : 0;
}

// blockDim.x vectors, a power of two, of blockDim.y vertices at a time; blockIdx.y counts slices of vectors.
// Start: ranks are what jumps make them.
template <bool Start, class T>
__global__ void __launch_bounds__(rank_threads)
    make_ranks_pass(const __grid_constant__ rank_vectors<T> v,
                    const __grid_constant__ rank_rule rule) {
  __shared__ double space[rank_threads];
  __shared__ bool last;
  if (!Start && v.control->done != 0) return;
  const std::uint64_t k = std::uint64_t{blockIdx.y} * blockDim.x + threadIdx.x;
  double change = 0;
  double lost = 0;
  if (k < v.batch) {
    const double refilled = Start ? 0 : v.lost[k];
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.y;
#pragma unroll 4
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.y + threadIdx.y; i < v.vertices;
         i += step) {
      const std::uint64_t at = i * v.batch + k;
      const double jump = rule.jump(i, k);
      const index_t degree = v.degrees[i];
      const double edges = degree == 0 ? 1 : degree;
      double rank = jump;
      if (!Start) {
        const double refill = refilled * (rule.dangling_jumps ? jump : rule.uniform);
        rank =
            rule.damping * (static_cast<double>(v.sums[at]) + refill) + (1 - rule.damping) * jump;
      }
      const T share = static_cast<T>(rank / edges);
      if (!Start) {
        change += fabs(static_cast<double>(share) - static_cast<double>(v.shares[at])) * edges;
      }
      if (degree == 0) lost += static_cast<double>(share);
      v.shares[at] = share;
      if (v.clear) v.sums[at] = 0;
    }
  }
  change = sum_of_rows(change, space);
  double* const to = v.partial + 2 * blockIdx.x * v.batch;
  if (threadIdx.y == 0 && k < v.batch) to[k] = change;
  lost = sum_of_rows(lost, space);
  if (threadIdx.y == 0 && k < v.batch) to[v.batch + k] = lost;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    last = atomicAdd(&v.control->finished, 1U) == gridDim.x * gridDim.y - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  end_iteration(v, rule, Start, space);
}

// The ranks of `count` entries from `first` on.
template <class T>
__global__ void write_ranks(const __grid_constant__ rank_vectors<T> v, std::uint64_t first,
                            std::uint64_t count, double* to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const index_t degree = v.degrees[(first + i) / v.batch];
  to[i] = static_cast<double>(v.shares[first + i]) * (degree == 0 ? 1 : degree);
}

}  // namespace baltoro::cuda
