#include <baltoro/product.hpp>

#include <algorithm>
#include <vector>

#include <cub/block/block_reduce.cuh>

#include "cuda/algorithms.hpp"
#include "cuda/check.cuh"
#include "cuda/descent.cuh"

namespace baltoro::cuda {
namespace {

constexpr unsigned reduce_blocks = 1024;

// Sums a value of every thread of a block into one partial sum a block, in a fixed order.
__device__ void write_partial(double value, double* partial) {
  using reduce = cub::BlockReduce<double, threads_per_block>;
  __shared__ typename reduce::TempStorage storage;
  const double sum = reduce(storage).Sum(value);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// The sum of the partial sums of all blocks. One block.
__global__ void add_partials(const double* partial, double* total) {
  double sum = 0;
  for (unsigned i = threadIdx.x; i < reduce_blocks; i += threads_per_block) sum += partial[i];
  write_partial(sum, total);
}

__global__ void fill(double* x, std::uint64_t n, double value) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    x[i] = value;
  }
}

__global__ void to_degrees(const double* counts, index_t* degrees, std::uint64_t n) {
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    degrees[i] = static_cast<index_t>(counts[i]);
  }
}

// What each vertex gives along its edges, and the sum of what dangling vertices hold.
__global__ void make_shares(const double* ranks, const index_t* degrees, double* shares,
                            std::uint64_t n, double* partial) {
  double lost = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const double rank = ranks[i];
    shares[i] = degrees[i] == 0 ? 0 : rank / degrees[i];
    if (degrees[i] == 0) lost += rank;
  }
  write_partial(lost, partial);
}

struct jump_rule {
  const double* jumps;  // null: all vertices alike
  double uniform;
  bool dangling_jumps;
  double damping;
  __device__ double jump(std::uint64_t i) const { return jumps == nullptr ? uniform : jumps[i]; }
};

// The new ranks, and the sum of their changes.
__global__ void make_ranks(const double* received, jump_rule rule, const double* lost,
                           double* ranks, std::uint64_t n, double* partial) {
  double change = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const double jump = rule.jump(i);
    const double refill = *lost * (rule.dangling_jumps ? jump : rule.uniform);
    const double rank = rule.damping * (received[i] + refill) + (1 - rule.damping) * jump;
    change += std::abs(rank - ranks[i]);
    ranks[i] = rank;
  }
  write_partial(change, partial);
}

}  // namespace

pagerank_result pagerank(const matrix& a, const pagerank_options& options,
                         std::span<const double> jumps) {
  pagerank_result result;
  result.where = device::cuda;
  const std::uint64_t n = a.rows();
  cuda_options how = options.cuda;
  if (how.scratch == nullptr) how.scratch = make_cuda_scratch();
  plan<double> product(a, {.side = direction::left, .where = device::cuda, .cuda = how});
  plan<double> count(a, {.side = direction::right, .where = device::cuda, .cuda = how});
  const std::uint64_t vector = aligned(sizeof(double) * n);
  const std::uint64_t degrees_at = 3 * vector + (jumps.empty() ? 0 : vector);
  const std::uint64_t sums_at = degrees_at + aligned(sizeof(index_t) * n);
  const std::uint64_t bytes = sums_at + aligned(sizeof(double) * (reduce_blocks + 2));
  result.needs = product.needs();
  result.needs.vector_bytes = bytes;
  product.prepare();
  count.prepare();
  const device_memory memory(bytes, "the vectors of PageRank");
  double* const ranks = memory.at<double>();
  double* const shares = memory.at<double>(vector);
  double* const received = memory.at<double>(2 * vector);
  index_t* const degrees = memory.at<index_t>(degrees_at);
  double* const partial = memory.at<double>(sums_at);
  double* const lost = partial + reduce_blocks;
  double* const change = lost + 1;
  const double uniform = 1.0 / static_cast<double>(n);
  const jump_rule rule{jumps.empty() ? nullptr : memory.at<double>(3 * vector), uniform,
                       options.dangling_to == dangling::personalization, options.damping};
  const stream work;
  const cudaStream_t s = work.get();
  const dim3 blocks(reduce_blocks);
  const dim3 threads(threads_per_block);

  launch(fill, blocks, threads, 0, s, shares, n, 1.0);
  count.run_on(s, shares, received);
  launch(to_degrees, blocks, threads, 0, s, received, degrees, n);
  if (jumps.empty()) {
    launch(fill, blocks, threads, 0, s, ranks, n, uniform);
  } else {
    copy_to_device(memory.at<double>(3 * vector), jumps.data(), jumps.size_bytes(), s);
    copy_to_device(ranks, jumps.data(), jumps.size_bytes(), s);
  }
  while (result.iterations < options.max_iterations && !result.converged) {
    launch(make_shares, blocks, threads, 0, s, ranks, degrees, shares, n, partial);
    launch(add_partials, dim3(1), threads, 0, s, partial, lost);
    product.run_on(s, shares, received);
    launch(make_ranks, blocks, threads, 0, s, received, rule, lost, ranks, n, partial);
    launch(add_partials, dim3(1), threads, 0, s, partial, change);
    copy_to_host(&result.change, change, sizeof(double), s);
    work.wait();
    ++result.iterations;
    result.converged = result.change < options.tolerance;
    if (options.on_iteration) options.on_iteration(result.iterations, result.change);
  }
  result.ranks.resize(n);
  copy_to_host(result.ranks.data(), ranks, sizeof(double) * n, s);
  work.wait();
  return result;
}

}  // namespace baltoro::cuda
