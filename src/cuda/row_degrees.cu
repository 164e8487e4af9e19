#include <memory>

#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/leaves.cuh"
#include "cuda/check.cuh"
#include "cuda/descent.cuh"
#include "cuda/row_degrees.hpp"

namespace baltoro::cuda {
namespace {

constexpr unsigned warps = 2;

struct count_visit {
  index_t* degrees;
  __device__ void operator()(std::uint64_t row, std::uint64_t) const {
    atomicAdd(degrees + row, 1U);
  }
};

// Set bits of each byte, in that byte.
__device__ std::uint64_t bits_of_bytes(std::uint64_t x) {
  x -= x >> 1U & 0x5555'5555'5555'5555ULL;
  x = (x & 0x3333'3333'3333'3333ULL) + (x >> 2U & 0x3333'3333'3333'3333ULL);
  return (x + (x >> 4U)) & 0x0F0F'0F0F'0F0F'0F0FULL;
}

// One warp a container. A lane takes a run of leaves and adds up those of one strip, a byte a row.
__global__ void __launch_bounds__(warps* warp::lanes)
    count_rows(const __grid_constant__ device_view a, index_t* degrees) {
  static_assert((adaptive_view::max_leaves / warp::lanes + 1) * 8 < 256);
  __shared__ leaf_space spaces[warps];
  const std::uint64_t container = std::uint64_t{blockIdx.x} * warps + threadIdx.x / warp::lanes;
  if (container >= a.matrix.containers) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const unsigned leaves = load_leaves<direction::right>(a, container, space);
  const unsigned level = a.matrix.level(container);
  const std::uint64_t first = morton::row_of(a.matrix.first_leaf(container)) >> level << level;
  const unsigned run = (leaves + warp::lanes - 1) / warp::lanes | 1U;
  const unsigned begin = min(leaves, run * warp::lane());
  const unsigned end = min(leaves, begin + run);
  std::uint64_t sums = 0;
  for (unsigned at = begin; at < end; ++at) {
    const unsigned strip = space.positions[space.sorted[at]] >> 16U;
    sums += bits_of_bytes(space.patterns[space.sorted[at]]);
    if (at + 1 < end && space.positions[space.sorted[at + 1]] >> 16U == strip) continue;
    for (unsigned row = 0; row < 8; ++row) {
      const auto count = static_cast<unsigned>(sums >> (8 * row)) & 0xFFU;
      if (count != 0) atomicAdd(degrees + 8 * (first + strip) + row, count);
    }
    sums = 0;
  }
}

}  // namespace

void count_row_degrees(const matrix& a, const cuda_options& options, cudaStream_t stream,
                       index_t* degrees) {
  check(cudaMemsetAsync(degrees, 0, sizeof(index_t) * std::uint64_t{a.rows()}, stream),
        "cudaMemsetAsync");
  if (a.nnz() == 0) return;
  if (a.kind() == layout::level_order) {
    descent cells(a, 1, options);
    cells.prepare();
    cells.run(count_visit{degrees}, stream);
    return;
  }
  const std::shared_ptr<device_containers> copy = device_containers::shared(a);
  const device_view view(copy->view());
  const auto blocks = static_cast<unsigned>((view.matrix.containers + warps - 1) / warps);
  launch(count_rows, dim3(blocks), dim3(warps * warp::lanes), 0, stream, view, degrees);
}

}  // namespace baltoro::cuda
