#include <utility>

#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/search/settle_bits.cuh"
#include "cuda/search/single_search.hpp"

namespace baltoro::cuda {
namespace {

constexpr unsigned threads = 256;

// Lets level 0 reach the sources.
__global__ void place_sources(const index_t* sources, std::uint64_t count,
                              const __grid_constant__ search_sets sets, index_t* parents) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  sets.change(sources[k] / 8, 1U << (sources[k] % 8));
  if (parents != nullptr) parents[sources[k]] = sources[k];
}

}  // namespace

single_search::single_search(std::unique_ptr<search_graph> graph, bool parents,
                             const cuda_options& options)
    : graph_(std::move(graph)), n_(graph_->vertices()), parents_(parents), layout_(plan()) {
  require_fit(1, graph_->resident_bytes(), options, [&](index_t) { return needs().total(); });
}

single_search::layout single_search::plan() const {
  layout l{};
  l.parents = aligned(sizeof(std::int32_t) * n_);
  l.sets = l.parents + (parents_ ? aligned(sizeof(index_t) * n_) : 0);
  l.counts = l.sets + search_sets_memory::bytes(n_);
  l.bytes = l.counts + aligned(level_counts::bytes(1));
  return l;
}

working_set single_search::needs() const {
  return {
      .matrix_bytes = graph_->matrix_bytes(),
      .vector_bytes = layout_.sets,
      .scratch_bytes = graph_->scratch_bytes() + layout_.bytes - layout_.sets + sources_.bytes()};
}

void single_search::prepare() {
  if (memory_.bytes() != 0) return;
  graph_->prepare();
  memory_ = device_memory(layout_.bytes, "the distances of the search");
  counts_ = level_counts(memory_.at<std::uint32_t>(layout_.counts), 1);
}

void single_search::begin(std::span<const index_t> sources) {
  const cudaStream_t s = work_.get();
  const search_sets sets = search_sets_memory::at(memory_.at<unsigned char>(layout_.sets), n_);
  // No distances and no parents: all bits are set.
  check(cudaMemsetAsync(memory_.data(), 0xFF, layout_.sets, s), "cudaMemsetAsync");
  begin_sets(sets, n_, s);
  if (sources.empty()) return;
  if (sources_.bytes() < sources.size_bytes()) {
    sources_ = device_memory(sources.size_bytes(), "the sources of the search");
  }
  copy_to_device(sources_.data(), sources.data(), sources.size_bytes(), s);
  launch(place_sources, dim3(static_cast<unsigned>((sources.size() + threads - 1) / threads)),
         dim3(threads), 0, s, sources_.at<index_t>(), sources.size(), sets, parents());
}

void single_search::run(std::span<const index_t> sources, const level_callback& on_level) {
  prepare();
  begin(sources);
  const search_sets sets = search_sets_memory::at(memory_.at<unsigned char>(layout_.sets), n_);
  counts_.run(
      work_, std::numeric_limits<std::uint32_t>::max(),
      [&](std::uint32_t distance, std::uint32_t* count) {
        if (distance != 0) graph_->spread(work_.get(), sets, parents());
        launch(settle_bits, settle_blocks(sets), dim3(settle_threads), 0, work_.get(), sets,
               static_cast<std::int32_t>(distance), memory_.at<std::int32_t>(), count);
      },
      on_level);
}

void single_search::copy_distances(std::int32_t* to) const {
  copy_to_host(to, memory_.data(), sizeof(std::int32_t) * n_, work_.get());
  work_.wait();
}

void single_search::copy_parents(index_t* to) const {
  copy_to_host(to, parents(), sizeof(index_t) * n_, work_.get());
  work_.wait();
}

}  // namespace baltoro::cuda
