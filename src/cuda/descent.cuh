// A descent of a level-order tree on the GPU: what it needs is known when it is planned, what it
// needs is allocated when it is prepared, and it runs any number of times with any visit.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "cuda/check.cuh"
#include "cuda/device_tree.hpp"
#include "cuda/level_order_kernels.cuh"
#include "cuda/scratch.hpp"
#include "format/level_order_tiles.hpp"

namespace baltoro::cuda {

// Blocks of so many threads for one thread a node.
inline dim3 blocks_for(std::uint64_t threads) {
  return dim3(static_cast<unsigned>((threads + threads_per_block - 1) / threads_per_block));
}

class descent {
 public:
  // Plans on the host; allocates nothing. Throws invalid_argument where an option is out of range.
  descent(const matrix& a, index_t batch, const cuda_options& options);

  // Bytes on the device: the tree and the codes that are kept, and the scratch.
  std::uint64_t matrix_bytes() const { return matrix_bytes_; }
  std::uint64_t scratch_bytes() const { return scratch_bytes_; }
  // Those of matrix_bytes() and scratch_bytes() that another plan holds already.
  std::uint64_t resident_bytes() const;
  index_t batch() const { return batch_; }
  bool prepared() const { return empty_ || codes_ != nullptr; }

  // Allocates, uploads and waits; does nothing when it was done.
  void prepare();
  // Where the scratch is now: a recorded graph is good as long as this does not change.
  const void* scratch_address() const { return scratch_->get().data(); }

  // Enqueues visit(row, col) for all cells; with a batch visit(row, col, k) for all k.
  template <class Visit>
  void run(const Visit& visit, cudaStream_t stream) const {
    if (empty_) return;
    for (const format::tile_step& step : schedule_.steps) {
      const step_view view = begin(step, stream);
      if (step.level < schedule_.last_level) {
        launch(expand_nodes, blocks_for(step.nodes), dim3(threads_per_block), 0, stream,
               tree_->view(), view, buffer(step.level + 1));
      } else if (step.level + 1 == tree_->view().levels) {
        launch_visit<true>(view, visit, stream);
      } else {
        launch_visit<false>(view, visit, stream);
      }
    }
  }

 private:
  // What a kernel needs of a step, its children's offsets scanned where they are not looked up.
  step_view begin(const format::tile_step& step, cudaStream_t stream) const;
  void cache_frontier();
  std::uint64_t* buffer(unsigned level) const {
    return scratch_->get().at<std::uint64_t>(8 * buffer_begin_[level]);
  }

  template <bool AtLeaves, class Visit>
  void launch_visit(const step_view& view, const Visit& visit, cudaStream_t stream) const {
    if constexpr (std::is_invocable_v<const Visit&, std::uint64_t, std::uint64_t>) {
      launch(visit_nodes<AtLeaves, Visit>, blocks_for(view.nodes), dim3(threads_per_block), 0,
             stream, tree_->view(), view, visit);
    } else {
      const unsigned across = std::min<unsigned>(batch_, threads_per_block);
      const unsigned nodes = threads_per_block / across;
      const dim3 blocks(static_cast<unsigned>((view.nodes + nodes - 1) / nodes),
                        std::min((batch_ + across - 1) / across, 65535U));
      launch(visit_nodes_batched<AtLeaves, Visit>, blocks, dim3(across, nodes), 0, stream,
             tree_->view(), view, batch_, visit);
    }
  }

  matrix a_;
  index_t batch_;
  bool empty_;  // no cells: there is nothing to visit
  cuda_options options_;
  bool scans_ = false;
  format::tile_schedule schedule_;
  format::tile_schedule loading_;  // of the cached frontier
  std::array<std::uint64_t, level_order_view::max_levels> buffer_begin_{};
  std::uint64_t offsets_begin_ = 0;  // in bytes, of the scratch
  std::uint64_t scan_begin_ = 0;     // CUB's own storage
  std::uint64_t scan_bytes_ = 0;
  std::uint64_t matrix_bytes_ = 0;
  std::uint64_t scratch_bytes_ = 0;
  std::shared_ptr<cuda_scratch> scratch_;
  std::shared_ptr<device_tree> tree_;
  std::shared_ptr<cached_codes> codes_;  // of schedule_.first_level
};

}  // namespace baltoro::cuda
