#include <string>

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda/descent.cuh"

namespace baltoro::cuda {
namespace {

constexpr std::uint64_t whole_levels = 1ULL << 62U;
constexpr std::uint64_t scan_limit = 1ULL << 31U;    // offsets within a tile have 32 bits
constexpr std::uint64_t loading_tile = 1ULL << 16U;  // of the frontier that is cached once

// The number of children of a node.
struct fan_out {
  level_order_view tree;
  __host__ __device__ std::uint32_t operator()(std::uint64_t node) const {
    return popcount(tree.signature(node));
  }
};

// Scans the fan-outs of nodes [first, first + count), which are read from the tree.
cudaError_t scan(void* storage, std::size_t& storage_bytes, const level_order_view& tree,
                 std::uint64_t first, std::uint64_t count, std::uint32_t* offsets,
                 cudaStream_t stream) {
  const auto fan_outs = thrust::make_transform_iterator(
      thrust::counting_iterator<std::uint64_t>(first), fan_out{tree});
  return cub::DeviceScan::ExclusiveSum(storage, storage_bytes, fan_outs, offsets, count, stream);
}

std::uint64_t tile_of(const cuda_options& options, bool scans) {
  if (options.tile_nodes != 0 && options.tile_nodes < 4) {
    throw invalid_argument("tiles of " + std::to_string(options.tile_nodes) +
                           " nodes: a node has up to 4 children, so a tile holds at least 4");
  }
  const std::uint64_t tile = options.tile_nodes == 0 ? whole_levels : options.tile_nodes;
  return std::min(tile, scans ? scan_limit : whole_levels);
}

}  // namespace

descent::descent(const matrix& a, index_t batch, const cuda_options& options)
    : a_(a),
      batch_(batch),
      empty_(a.nnz() == 0),
      options_(options),
      scans_(options.offsets == child_offsets::scan ||
             (options.offsets == child_offsets::automatic && batch > 1)),
      scratch_(options.scratch) {
  const std::uint64_t tile = tile_of(options, scans_);
  if (options.top_nodes == 0) throw invalid_argument("top_nodes 0: a level has at least one node");
  if (scratch_ == nullptr) scratch_ = std::make_shared<cuda_scratch>();
  if (empty_) return;
  const level_order_view& tree = a.tree();
  const bool in_place = options.leaves_in_place && tree.levels > 1;
  const unsigned last = in_place ? tree.levels - 2 : tree.levels - 1;
  const bool cached = options.configuration == cuda_configuration::cached_frontier;
  const unsigned first =
      cached ? last : format::deepest_level_within(tree, last, options.top_nodes);
  schedule_ = format::cut_into_tiles(tree, first, last, tile);
  matrix_bytes_ = tree_bytes(tree) + codes_bytes(tree, first);

  std::uint64_t codes = 0;
  for (unsigned level = 0; level < tree.levels; ++level) {
    buffer_begin_[level] = codes;
    codes += schedule_.buffer_codes[level];
  }
  scratch_bytes_ = aligned(8 * codes);
  std::uint64_t scanned = 0;
  for (const format::tile_step& step : schedule_.steps) {
    if (scans_ && step.level + 1 < tree.levels) scanned = std::max(scanned, step.nodes);
  }
  if (scanned > 0) {
    std::size_t bytes = 0;
    check(scan(nullptr, bytes, tree, 0, scanned, nullptr, nullptr), "cub::DeviceScan");
    offsets_begin_ = scratch_bytes_;
    scan_begin_ = offsets_begin_ + aligned(4 * scanned);
    scan_bytes_ = bytes;
    scratch_bytes_ = scan_begin_ + aligned(bytes);
  }
  if (cached && tree.nodes_at(last) > loading_tile) {
    const unsigned top = format::deepest_level_within(tree, last - 1, loading_tile);
    loading_ = format::cut_into_tiles(tree, top, last - 1, loading_tile);
    scratch_bytes_ = std::max(scratch_bytes_, 8 * (tree.nodes_at(top) + loading_.codes()));
  }
  scratch_->reserve(scratch_bytes_);
}

std::uint64_t descent::resident_bytes() const {
  if (empty_) return 0;
  return device_tree::resident_bytes(a_, schedule_.first_level) +
         std::min(scratch_->bytes(), scratch_bytes_);
}

void descent::prepare() {
  if (prepared()) return;
  if (tree_ == nullptr) tree_ = device_tree::shared(a_);
  if (loading_.steps.empty()) {
    codes_ = tree_->codes(schedule_.first_level);
  } else {
    codes_ = tree_->held_codes(schedule_.first_level);
    if (codes_ == nullptr) cache_frontier();
  }
  scratch_->get();
}

// Expands the tree once, level by level and in tiles, the last step of each straight into the cache.
void descent::cache_frontier() {
  const level_order_view& tree = tree_->view();
  auto cached = std::make_shared<cached_codes>(
      cached_codes{device_memory(codes_bytes(tree, schedule_.first_level), "the cached frontier")});
  const std::vector<std::uint64_t> top = format::codes_of_level(a_.tree(), loading_.first_level);
  std::array<std::uint64_t*, level_order_view::max_levels> codes{};
  std::uint64_t* at = scratch_->get().at<std::uint64_t>();
  codes[loading_.first_level] = at;
  at += top.size();
  for (unsigned level = loading_.first_level + 1; level <= loading_.last_level; ++level) {
    codes[level] = at;
    at += loading_.buffer_codes[level];
  }
  const stream load;
  copy_to_device(codes[loading_.first_level], top.data(), 8 * top.size(), load.get());
  const std::uint64_t cached_begin = tree.level_begin[schedule_.first_level];
  for (const format::tile_step& step : loading_.steps) {
    const step_view view{step.first_node, step.nodes, step.first_child,
                         codes[step.level] + step.input, nullptr};
    std::uint64_t* const out =
        step.level == loading_.last_level
            ? cached->memory.at<std::uint64_t>() + (step.first_child - cached_begin)
            : codes[step.level + 1];
    launch(expand_nodes, blocks_for(step.nodes), dim3(threads_per_block), 0, load.get(), tree, view,
           out);
  }
  load.wait();
  tree_->hold_codes(schedule_.first_level, cached);
  codes_ = std::move(cached);
}

step_view descent::begin(const format::tile_step& step, cudaStream_t stream) const {
  const level_order_view& tree = tree_->view();
  const std::uint64_t* const codes =
      step.level == schedule_.first_level ? codes_->data() : buffer(step.level);
  step_view view{step.first_node, step.nodes, step.first_child, codes + step.input, nullptr};
  if (scans_ && step.level + 1 < tree.levels) {
    const device_memory& memory = scratch_->get();
    auto* const offsets = memory.at<std::uint32_t>(offsets_begin_);
    std::size_t bytes = scan_bytes_;
    check(scan(memory.at<unsigned char>(scan_begin_), bytes, tree, step.first_node, step.nodes,
               offsets, stream),
          "cub::DeviceScan");
    view.offsets = offsets;
  }
  return view;
}

}  // namespace baltoro::cuda
