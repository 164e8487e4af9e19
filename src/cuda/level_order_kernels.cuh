// The kernels of the descent (paper, Algorithm 1), one thread a node, or B threads for a batch.
#pragma once

#include <baltoro/level_order.hpp>
#include <baltoro/types.hpp>

#include <cstdint>

#include "format/level_order_nodes.hpp"
#include "format/level_order_tiles.hpp"

namespace baltoro::cuda {

inline constexpr unsigned threads_per_block = 256;

// A step without what only the host needs, as kernels get it.
struct step_view {
  std::uint64_t first_node;
  std::uint64_t nodes;
  std::uint64_t first_child;
  const std::uint64_t* codes;    // of first_node and those that follow
  const std::uint32_t* offsets;  // of their first children after first_child; null: by directory
};

// The first child of node t of a step, numbered through the whole tree.
__device__ inline std::uint64_t first_child_of(const level_order_view& tree, const step_view& step,
                                               std::uint64_t t) {
  return step.offsets != nullptr ? step.first_child + step.offsets[t]
                                 : tree.first_child(step.first_node + t);
}

// Writes the codes of the children of a step's nodes.
static __global__ void expand_nodes(level_order_view tree, step_view step, std::uint64_t* out) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t >= step.nodes) return;
  format::write_children(step.codes[t], tree.signature(step.first_node + t),
                         out + (first_child_of(tree, step, t) - step.first_child));
}

// Visits the cells below one node of a step. AtLeaves: the nodes are leaves themselves.
template <bool AtLeaves, class Visit>
__device__ void visit_node(const level_order_view& tree, const step_view& step, std::uint64_t t,
                           const Visit& visit) {
  const unsigned signature = tree.signature(step.first_node + t);
  if constexpr (AtLeaves) {
    format::visit_leaf(step.codes[t], signature, visit);
  } else {
    format::visit_leaves(tree, step.codes[t], signature, first_child_of(tree, step, t), visit);
  }
}

// Calls visit(row, col) for every cell below a step's nodes.
template <bool AtLeaves, class Visit>
__global__ void visit_nodes(level_order_view tree, step_view step, Visit visit) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t < step.nodes) visit_node<AtLeaves>(tree, step, t, visit);
}

// Calls visit(row, col, k) for every cell and each k below `batch`. Threads of one node lie side by
// side in x, nodes in y; wide batches take several blocks.
template <bool AtLeaves, class Visit>
__global__ void visit_nodes_batched(level_order_view tree, step_view step, index_t batch,
                                    Visit visit) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (t >= step.nodes) return;
  for (std::uint64_t k = std::uint64_t{blockIdx.y} * blockDim.x + threadIdx.x; k < batch;
       k += std::uint64_t{gridDim.y} * blockDim.x) {
    visit_node<AtLeaves>(tree, step, t,
                         [&](std::uint64_t row, std::uint64_t col) { visit(row, col, k); });
  }
}

}  // namespace baltoro::cuda
