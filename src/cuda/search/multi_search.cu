#include <algorithm>
#include <utility>

#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/search/multi_search.hpp"
#include "cuda/search/settle_tables.cuh"

namespace baltoro::cuda {
namespace {

constexpr unsigned threads = 256;

// Lets level 0 reach the sources.
__global__ void place_sources(const index_t* sources, const __grid_constant__ search_sets sets,
                              const __grid_constant__ search_tables tables) {
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= tables.sources) return;
  const std::uint64_t at = std::uint64_t{sources[k]} * tables.words + k / 32;
  atomicOr(tables.next + at, 1U << (k % 32));
  sets.change(sources[k] / 8, 1U << (sources[k] % 8));
}

// The distances of `vertices` vertices from `first` on, row by row.
__global__ void write_distances(const __grid_constant__ search_tables tables,
                                const __grid_constant__ distance_planes planes, std::uint64_t first,
                                std::uint64_t vertices, std::int32_t* to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= vertices * tables.sources) return;
  const std::uint64_t k = i % tables.sources;
  const std::uint64_t at = (first + i / tables.sources) * tables.words + k / 32;
  const unsigned bit = k % 32;
  std::uint32_t distance = 0;
  for (unsigned p = 0; p < planes.count; ++p) {
    distance |= (planes.plane[p][at] >> bit & 1U) << p;
  }
  to[i] = (tables.seen[at] >> bit & 1U) != 0 ? static_cast<std::int32_t>(distance) : -1;
}

static_assert(multi_search::most_sources == most_sources);

constexpr unsigned planes_to_plan_for = 8;

search_tables tables_in(const device_memory& memory, std::uint64_t table, unsigned words,
                        unsigned sources) {
  return {memory.at<std::uint32_t>(), memory.at<std::uint32_t>(table), words, sources};
}

distance_planes planes_in(const std::vector<device_memory>& memory) {
  distance_planes planes{};
  planes.count = static_cast<unsigned>(memory.size());
  for (unsigned p = 0; p < planes.count; ++p) planes.plane[p] = memory[p].at<std::uint32_t>();
  return planes;
}

unsigned blocks_for(std::uint64_t count) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace

multi_search::multi_search(std::unique_ptr<search_graph> graph, index_t sources, bool distances,
                           const cuda_options& options)
    : graph_(std::move(graph)),
      n_(graph_->vertices()),
      sources_(sources),
      words_(2 * ((sources + 63) / 64)),
      distances_(distances),
      layout_(plan()) {
  // A smaller batch is the caller's choice, and it is asked about one by one.
  require_fit(1, graph_->resident_bytes(), options, [&](index_t) { return needs().total(); });
}

multi_search::layout multi_search::plan() const {
  layout l{};
  l.table = aligned(std::uint64_t{4} * n_ * words_);
  l.sets = 2 * l.table;
  l.counts = l.sets + search_sets_memory::bytes(n_);
  l.sources = l.counts + aligned(level_counts::bytes(sources_));
  l.bytes = l.sources + aligned(sizeof(index_t) * sources_);
  return l;
}

// Distances go to the host in pieces of so many bytes.
std::uint64_t multi_search::staging_bytes() const {
  constexpr std::uint64_t most = 64ULL << 20U;
  return distances_ ? std::min(most, sizeof(std::int32_t) * n_ * sources_) : 0;
}

working_set multi_search::needs() const {
  const std::uint64_t planes = memory_.bytes() != 0 ? planes_.size() : planes_to_plan_for;
  const std::uint64_t tables = layout_.sets + (distances_ ? planes * layout_.table : 0);
  return {
      .matrix_bytes = graph_->matrix_bytes(),
      .vector_bytes = tables,
      .scratch_bytes = graph_->scratch_bytes() + layout_.bytes - layout_.sets + staging_bytes()};
}

void multi_search::prepare() {
  if (memory_.bytes() != 0) return;
  graph_->prepare();
  memory_ = device_memory(layout_.bytes, "the tables of the search");
  counts_ = level_counts(memory_.at<std::uint32_t>(layout_.counts), sources_);
}

void multi_search::begin(std::span<const index_t> sources) {
  const search_sets sets = search_sets_memory::at(memory_.at<unsigned char>(layout_.sets), n_);
  check(cudaMemsetAsync(memory_.data(), 0, layout_.sets, work_.get()), "cudaMemsetAsync");
  for (const device_memory& plane : planes_) {
    check(cudaMemsetAsync(plane.data(), 0, layout_.table, work_.get()), "cudaMemsetAsync");
  }
  begin_sets(sets, n_, work_.get());
  auto* const on_device = memory_.at<index_t>(layout_.sources);
  copy_to_device(on_device, sources.data(), sources.size_bytes(), work_.get());
  launch(place_sources, dim3(blocks_for(sources_)), dim3(threads), 0, work_.get(), on_device, sets,
         tables_in(memory_, layout_.table, words_, sources_));
}

void multi_search::run(std::span<const index_t> sources, std::uint32_t max_levels,
                       const level_callback& on_level) {
  prepare();
  begin(sources);
  const search_sets sets = search_sets_memory::at(memory_.at<unsigned char>(layout_.sets), n_);
  const search_tables tables = tables_in(memory_, layout_.table, words_, sources_);
  counts_.run(
      work_, max_levels,
      [&](std::uint32_t distance, std::uint32_t* counts) {
        keep_distances_to(distance);
        if (distance != 0) graph_->spread(work_.get(), sets, tables);
        launch(settle_tables, settle_blocks(sets), dim3(settle_threads), 0, work_.get(), sets,
               tables, planes_in(planes_), distance, counts);
      },
      on_level);
}

void multi_search::keep_distances_to(std::uint32_t distance) {
  while (distances_ && distance >> planes_.size() != 0) {
    planes_.emplace_back(layout_.table, "the distances of the search");
    check(cudaMemsetAsync(planes_.back().data(), 0, layout_.table, work_.get()), "cudaMemsetAsync");
  }
}

void multi_search::copy_reached(std::uint64_t* to) const {
  copy_to_host(to, memory_.data(), std::uint64_t{4} * n_ * words_, work_.get());
  work_.wait();
}

void multi_search::copy_distances(std::int32_t* to, std::uint64_t stride) const {
  const device_memory staging(staging_bytes(), "a piece of the distances");
  const std::uint64_t most = std::max<std::uint64_t>(1, staging.bytes() / (4 * sources_));
  std::vector<std::int32_t> piece(stride == sources_ ? 0 : most * sources_);
  for (std::uint64_t first = 0; first < n_; first += most) {
    const std::uint64_t vertices = std::min(most, n_ - first);
    launch(write_distances, dim3(blocks_for(vertices * sources_)), dim3(threads), 0, work_.get(),
           tables_in(memory_, layout_.table, words_, sources_), planes_in(planes_), first, vertices,
           staging.at<std::int32_t>());
    std::int32_t* const target = piece.empty() ? to + first * stride : piece.data();
    copy_to_host(target, staging.data(), 4 * vertices * sources_, work_.get());
    work_.wait();
    for (std::uint64_t v = 0; v < (piece.empty() ? 0 : vertices); ++v) {
      std::copy_n(piece.data() + v * sources_, sources_, to + (first + v) * stride);
    }
  }
}

}  // namespace baltoro::cuda
