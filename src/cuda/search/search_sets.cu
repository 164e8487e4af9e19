#include "cuda/check.cuh"
#include "cuda/search/search_sets.cuh"

namespace baltoro::cuda {
namespace {

__global__ void open_all(const __grid_constant__ vertex_set open, std::uint32_t groups,
                         std::uint64_t vertices) {
  const std::uint64_t word = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (word >= std::uint64_t{groups} * warp::lanes) return;
  const std::uint64_t rest = vertices - min(vertices, 32 * word);
  open.words[word] = rest >= 32 ? 0xFFFF'FFFFU : (1U << rest) - 1;
  if (word % warp::lanes == 0) open.groups[word / warp::lanes] = 1;
}

}  // namespace

void begin_sets(const search_sets& sets, std::uint64_t vertices, cudaStream_t stream) {
  constexpr unsigned threads = 256;
  check(cudaMemsetAsync(sets.active.words, 0, search_sets_memory::bytes(vertices), stream),
        "cudaMemsetAsync");
  const std::uint64_t words = std::uint64_t{sets.groups} * warp::lanes;
  launch(open_all, dim3(static_cast<unsigned>((words + threads - 1) / threads)), dim3(threads), 0,
         stream, sets.open, sets.groups, vertices);
}

}  // namespace baltoro::cuda
