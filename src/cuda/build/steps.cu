#include <baltoro/morton.hpp>

#include <algorithm>

#include "cuda/build/compaction.cuh"
#include "cuda/build/steps.hpp"
#include "format/adaptive/pattern.hpp"
#include "format/level_order_nodes.hpp"

namespace baltoro::cuda {
namespace {

constexpr unsigned most_blocks = 4096;

template <bool AreKeys>
__global__ void encode(std::uint64_t* items, std::uint64_t count, index_t* greatest) {
  index_t row = 0;
  index_t col = 0;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = thread_number(); i < count; i += threads) {
    const std::uint64_t item = items[i];
    const auto r = AreKeys ? morton::row_of(item) : static_cast<index_t>(item);
    const auto c = AreKeys ? morton::col_of(item) : static_cast<index_t>(item >> 32U);
    if (!AreKeys) items[i] = morton::encode(r, c);
    row = max(row, r);
    col = max(col, c);
  }
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 16; distance != 0; distance /= 2) {
    row = max(row, __shfl_sync(~0U, row, lane ^ distance));
    col = max(col, __shfl_sync(~0U, col, lane ^ distance));
  }
  if (lane != 0) return;
  atomicMax(greatest, row);
  atomicMax(greatest + 1, col);
}

// Gives a parent its code and its signature.
struct write_parent {
  const std::uint64_t* children;
  std::uint64_t count;
  std::uint64_t* codes;
  unsigned* signatures;
  __device__ void operator()(std::uint64_t number, std::uint64_t first) const {
    const std::uint64_t code = children[first] >> 2U;
    const unsigned signature = format::signature_of(children, first, count);
    codes[number] = code;
    atomicOr(signatures + number / 8, signature << (4 * (number % 8)));
  }
};

struct write_leaf {
  const std::uint64_t* cells;
  std::uint64_t count;
  std::uint64_t* codes;
  std::uint64_t* patterns;
  __device__ void operator()(std::uint64_t number, std::uint64_t first) const {
    codes[number] = cells[first] >> 6U;
    patterns[number] = format::pattern_of(cells, first, count);
  }
};

}  // namespace

edge make_keys(workspace& space, std::uint64_t first, std::uint64_t count, bool are_keys,
               cudaStream_t stream) {
  auto* const greatest = reinterpret_cast<index_t*>(space.numbers());
  check(cudaMemsetAsync(greatest, 0, 2 * sizeof(index_t), stream), "cudaMemsetAsync");
  const dim3 blocks(std::min(blocks_for_threads(count).x, most_blocks));
  launch(are_keys ? encode<true> : encode<false>, blocks, dim3(compaction_threads), 0, stream,
         space.array(0) + first, count, greatest);
  const std::uint64_t both = read_value(space.numbers(), stream);
  return {static_cast<index_t>(both), static_cast<index_t>(both >> 32U)};
}

std::uint64_t drop_duplicates(workspace& space, std::uint64_t count, cudaStream_t stream) {
  const std::uint64_t* const keys = space.array(0);
  const std::uint64_t distinct =
      compact(first_of_equal{keys, 0}, keep_code{keys, 0, space.array(1)}, count,
              space.compaction(), stream);
  space.swap(0, 1);
  return distinct;
}

std::uint64_t make_parents(workspace& space, std::uint64_t children, cudaStream_t stream) {
  const std::uint64_t* const codes = space.array(0);
  const first_of_equal head{codes, 2};
  const std::uint64_t parents = count_heads_of(head, children, space.compaction(), stream);
  check(cudaMemsetAsync(space.array(2), 0, 8 * ((parents + 15) / 16), stream), "cudaMemsetAsync");
  take_heads_of(
      head,
      write_parent{codes, children, space.array(1), reinterpret_cast<unsigned*>(space.array(2))},
      children, space.compaction(), stream);
  space.swap(0, 1);
  return parents;
}

std::uint64_t make_leaves(workspace& space, std::uint64_t cells, cudaStream_t stream) {
  const std::uint64_t* const keys = space.array(0);
  return compact(first_of_equal{keys, 6}, write_leaf{keys, cells, space.array(1), space.array(2)},
                 cells, space.compaction(), stream);
}

}  // namespace baltoro::cuda
