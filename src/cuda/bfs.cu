// Breadth-first search of a level-order matrix by passes over all of it (paper, 5.8). A vertex is in the frontier when
// its distance is that of the last level, so the table of distances is all that is kept.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "cuda/algorithms.hpp"
#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/descent.cuh"
#include "cuda/search/search.hpp"

namespace baltoro::cuda {
namespace {

constexpr index_t no_parent = std::numeric_limits<index_t>::max();

// Gives a new distance to what an edge reaches from the frontier. Many threads may do so at once;
// all of them write the same.
template <bool Reverse>
struct reach_visit {
  volatile std::int32_t* distances;
  std::int32_t next;
  volatile std::int32_t* found;
  std::uint64_t batch = 1;

  __device__ void reach(std::uint64_t from, std::uint64_t to) const {
    if (distances[from] != next - 1 || distances[to] >= 0) return;
    distances[to] = next;
    if (*found == 0) *found = 1;
  }
};

template <bool Reverse>
struct single_reach : reach_visit<Reverse> {
  __device__ void operator()(std::uint64_t row, std::uint64_t col) const {
    this->reach(Reverse ? col : row, Reverse ? row : col);
  }
};

template <bool Reverse>
struct batch_reach : reach_visit<Reverse> {
  __device__ void operator()(std::uint64_t row, std::uint64_t col, std::uint64_t k) const {
    this->reach((Reverse ? col : row) * this->batch + k, (Reverse ? row : col) * this->batch + k);
  }
};

// Keeps the smallest vertex that lies one level above.
template <bool Reverse>
struct parent_visit {
  const std::int32_t* distances;
  index_t* parents;
  __device__ void operator()(std::uint64_t row, std::uint64_t col) const {
    const std::uint64_t from = Reverse ? col : row;
    const std::uint64_t to = Reverse ? row : col;
    const std::int32_t distance = distances[from];
    if (distance >= 0 && distances[to] == distance + 1) {
      atomicMin(parents + to, static_cast<index_t>(from));
    }
  }
};

__global__ void place_sources(const index_t* sources, std::uint64_t count, std::uint64_t batch,
                              std::int32_t* distances, index_t* parents) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  distances[sources[k] * batch + (batch == 1 ? 0 : k)] = 0;
  if (parents != nullptr) parents[sources[k]] = sources[k];
}

// A search on the device: the distances, the sources and a flag in one allocation.
class search {
 public:
  search(const matrix& a, std::span<const index_t> sources, index_t batch, bool parents,
         const cuda_options& options)
      : n_(a.rows()), batch_(batch), sources_(sources), cells_(a, batch, options) {
    require_fit(a, cells_, options,
                [&](index_t b) { return layout_of(n_, b, parents, sources_.size()).bytes; });
    layout_ = layout_of(n_, batch, parents, sources.size());
  }

  working_set needs() const {
    return {cells_.matrix_bytes(), layout_.bytes, cells_.scratch_bytes()};
  }

  // Searches until nothing new is reached or `most` levels are done; returns the largest distance.
  template <class Reach>
  std::uint32_t run(std::uint32_t most) {
    cells_.prepare();
    memory_ = device_memory(layout_.bytes, "the distances of the search");
    const cudaStream_t s = work_.get();
    check(cudaMemsetAsync(distances(), 0xFF, sizeof(std::int32_t) * n_ * batch_, s),
          "cudaMemsetAsync");
    if (parents() != nullptr) {
      check(cudaMemsetAsync(parents(), 0xFF, sizeof(index_t) * n_, s), "cudaMemsetAsync");
    }
    if (sources_.empty()) return 0;
    auto* const sources = memory_.at<index_t>(layout_.sources);
    copy_to_device(sources, sources_.data(), sources_.size_bytes(), s);
    launch(place_sources, blocks_for(sources_.size()), dim3(threads_per_block), 0, s, sources,
           sources_.size(), batch_, distances(), parents());
    auto* const found = memory_.at<std::int32_t>(layout_.found);
    for (std::uint32_t distance = 1; distance <= most; ++distance) {
      check(cudaMemsetAsync(found, 0, sizeof(std::int32_t), s), "cudaMemsetAsync");
      cells_.run(Reach{{distances(), static_cast<std::int32_t>(distance), found, batch_}}, s);
      std::int32_t any = 0;
      copy_to_host(&any, found, sizeof any, s);
      work_.wait();
      if (any == 0) return distance - 1;
    }
    return most;
  }

  template <bool Reverse>
  std::vector<std::int64_t> find_parents() {
    cells_.run(parent_visit<Reverse>{distances(), parents()}, work_.get());
    std::vector<index_t> found(n_);
    copy_to_host(found.data(), parents(), sizeof(index_t) * n_, work_.get());
    work_.wait();
    std::vector<std::int64_t> result;
    result.reserve(n_);
    for (const index_t p : found) result.push_back(p == no_parent ? -1 : std::int64_t{p});
    return result;
  }

  std::vector<std::int32_t> take_distances() {
    std::vector<std::int32_t> result(n_ * batch_);
    copy_to_host(result.data(), distances(), sizeof(std::int32_t) * result.size(), work_.get());
    work_.wait();
    return result;
  }

 private:
  struct layout {
    std::uint64_t parents = 0;  // 0: none
    std::uint64_t sources = 0;
    std::uint64_t found = 0;
    std::uint64_t bytes = 0;
  };
  static layout layout_of(std::uint64_t n, std::uint64_t batch, bool parents,
                          std::uint64_t sources) {
    layout l;
    l.parents = parents ? aligned(sizeof(std::int32_t) * n * batch) : 0;
    l.sources = parents ? l.parents + aligned(sizeof(index_t) * n)
                        : aligned(sizeof(std::int32_t) * n * batch);
    l.found = l.sources + aligned(sizeof(index_t) * sources);
    l.bytes = l.found + aligned(sizeof(std::int32_t));
    return l;
  }
  std::int32_t* distances() const { return memory_.at<std::int32_t>(); }
  index_t* parents() const {
    return layout_.parents == 0 ? nullptr : memory_.at<index_t>(layout_.parents);
  }

  std::uint64_t n_;
  index_t batch_;
  std::span<const index_t> sources_;
  descent cells_;
  layout layout_;
  device_memory memory_;
  stream work_;
};

std::uint32_t run(search& state, bool reverse, bool batched, std::uint32_t most) {
  if (batched) {
    return reverse ? state.run<batch_reach<true>>(most) : state.run<batch_reach<false>>(most);
  }
  return reverse ? state.run<single_reach<true>>(most) : state.run<single_reach<false>>(most);
}

constexpr std::uint32_t no_limit = std::numeric_limits<std::int32_t>::max() - 1;

}  // namespace

working_set bfs_needs(const matrix& a, const bfs_options& options) {
  if (a.kind() == layout::adaptive) return needs_adaptive(a, options);
  constexpr std::array<index_t, 1> source{};
  return search(a, source, 1, options.parents, options.cuda).needs();
}

working_set multi_source_needs(const matrix& a, std::uint64_t sources,
                               const multi_source_options& options) {
  if (a.kind() == layout::adaptive) return needs_adaptive(a, sources, options);
  const std::vector<index_t> all(sources);
  return search(a, all, static_cast<index_t>(sources), false, options.cuda).needs();
}

bfs_result bfs(const matrix& a, std::span<const index_t> sources, const bfs_options& options) {
  bfs_result result;
  if (a.rows() == 0) return result;
  if (a.kind() == layout::adaptive) return search_adaptive(a, sources, options);
  search state(a, sources, 1, options.parents, options.cuda);
  const std::uint32_t deepest = run(state, options.reverse, false, no_limit);
  result.distances = state.take_distances();
  if (options.parents) {
    result.parents = options.reverse ? state.find_parents<true>() : state.find_parents<false>();
  }
  if (!sources.empty()) {
    result.reached_per_level.resize(deepest + std::size_t{1});
    for (const std::int32_t d : result.distances) {
      if (d >= 0) ++result.reached_per_level[static_cast<std::size_t>(d)];
    }
  }
  return result;
}

multi_source_result multi_source_bfs(const matrix& a, std::span<const index_t> sources,
                                     const multi_source_options& options) {
  multi_source_result result;
  if (a.rows() == 0 || sources.empty()) return result;
  if (a.kind() == layout::adaptive) return search_adaptive(a, sources, options);
  search state(a, sources, static_cast<index_t>(sources.size()), false, options.cuda);
  result.needs = state.needs();
  result.levels = 1 + run(state, options.reverse, true, std::min(options.max_levels, no_limit));
  result.distances = state.take_distances();
  return result;
}

}  // namespace baltoro::cuda
