// All cells of a matrix on the GPU, whatever its layout, for algorithms that are no products.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/matrix.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/leaves.cuh"
#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/descent.cuh"

namespace baltoro::cuda {

inline constexpr unsigned visit_warps = 2;

// visit(row, col) for every cell, or visit(row, col, k) for every cell and vector of a batch. One warp a
// container, one lane a leaf.
template <class Visit>
__global__ void __launch_bounds__(visit_warps* warp::lanes)
    visit_containers(const __grid_constant__ device_view a, std::uint64_t batch,
                     const __grid_constant__ Visit visit) {
  __shared__ leaf_space spaces[visit_warps];
  const std::uint64_t container =
      std::uint64_t{blockIdx.x} * visit_warps + threadIdx.x / warp::lanes;
  if (container >= a.matrix.containers) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const unsigned leaves = load_leaves<direction::right>(a, container, space);
  const std::uint64_t first = a.matrix.first_leaf(container);
  const unsigned level = a.matrix.level(container);
  const std::uint64_t row = morton::row_of(first) >> level << level;
  const std::uint64_t col = morton::col_of(first) >> level << level;
  for (unsigned leaf = warp::lane(); leaf < leaves; leaf += warp::lanes) {
    const std::uint32_t position = space.positions[leaf];
    for (std::uint64_t left = space.patterns[leaf]; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(__ffsll(static_cast<long long>(left))) - 1;
      const std::uint64_t r = 8 * (row + (position >> 16U)) + bit / 8;
      const std::uint64_t c = 8 * (col + (position & 0xFFFFU)) + bit % 8;
      if constexpr (std::is_invocable_v<const Visit&, std::uint64_t, std::uint64_t>) {
        visit(r, c);
      } else {
        for (std::uint64_t k = 0; k < batch; ++k) visit(r, c, k);
      }
    }
  }
}

class cell_walk {
 public:
  // Plans on the host; allocates nothing.
  cell_walk(const matrix& a, index_t batch, const cuda_options& options) : a_(a), batch_(batch) {
    if (a.kind() == layout::level_order) descent_.emplace(a, batch, options);
  }

  // Bytes on the device: what is kept of the matrix, and the scratch.
  std::uint64_t matrix_bytes() const {
    return descent_ ? descent_->matrix_bytes() : device_containers::bytes(a_.adaptive());
  }
  std::uint64_t scratch_bytes() const { return descent_ ? descent_->scratch_bytes() : 0; }

  // Throws out_of_memory when this and `vector_bytes(batch)` do not fit.
  void require_fit(const cuda_options& options,
                   const std::function<std::uint64_t(index_t)>& vector_bytes) const {
    if (descent_) {
      cuda::require_fit(a_, *descent_, options, vector_bytes);
      return;
    }
    const std::uint64_t resident =
        device_containers::resident(a_) ? device_containers::bytes(a_.adaptive()) : 0;
    cuda::require_fit(batch_, resident, options,
                      [&](index_t batch) { return matrix_bytes() + vector_bytes(batch); });
  }

  // Allocates, uploads and waits.
  void prepare() {
    if (descent_) {
      descent_->prepare();
    } else if (containers_ == nullptr) {
      containers_ = device_containers::shared(a_);
    }
  }

  // Enqueues visit(row, col) for all cells; with a batch visit(row, col, k) for all k.
  template <class Visit>
  void run(const Visit& visit, cudaStream_t stream) const {
    if (descent_) {
      descent_->run(visit, stream);
      return;
    }
    const device_view view(containers_->view());
    if (view.matrix.containers == 0) return;
    const auto blocks =
        static_cast<unsigned>((view.matrix.containers + visit_warps - 1) / visit_warps);
    launch(visit_containers<Visit>, dim3(blocks), dim3(visit_warps * warp::lanes), 0, stream, view,
           std::uint64_t{batch_}, visit);
  }

 private:
  matrix a_;
  index_t batch_;
  std::optional<descent> descent_;
  std::shared_ptr<device_containers> containers_;
};

}  // namespace baltoro::cuda
