// y ⊕= A⊗x for one vector, with the kernels that suit a matrix.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/multiply.cuh"
#include "cuda/adaptive/multiply_streams.cuh"
#include "cuda/check.cuh"

namespace baltoro::cuda {

// Enqueues the product. `with_blocks` is that of the backend.
template <template <class> class Ring, direction Side, class T, class WithBlocks>
void multiply_one(cudaStream_t stream, const device_containers& copy, const operands<T>& vectors,
                  const WithBlocks& with_blocks) {
  const device_view view(copy.view());
  const auto by_leaves = [&](std::uint64_t containers, const std::uint32_t* list) {
    with_blocks(containers, [&]<class Team>(dim3 blocks, Team) {
      launch(multiply<Ring, T, Side, Team>, blocks, dim3(Team::threads), 0, stream, view, vectors,
             list);
    });
  };
  if constexpr (Side == direction::right) {
    if (copy.streamed()) {
      with_blocks(view.matrix.containers, [&]<class Team>(dim3 blocks, Team) {
        launch(multiply_streams<Ring, T, Team>, blocks, dim3(Team::threads), 0, stream, view,
               vectors);
      });
    }
    by_leaves(copy.other_containers(), copy.others());
  } else {
    by_leaves(view.matrix.containers, nullptr);
  }
}

}  // namespace baltoro::cuda
