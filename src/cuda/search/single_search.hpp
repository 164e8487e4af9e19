// Searches from one set of sources, with frontier and open vertices in bits on the device.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "cuda/search/level_counts.hpp"
#include "cuda/search/search_graph.hpp"

namespace baltoro::cuda {

class single_search {
 public:
  static constexpr index_t no_parent = std::numeric_limits<index_t>::max();

  // Plans on the host. Throws out_of_memory where what needs() says does not fit.
  single_search(std::unique_ptr<search_graph> graph, bool parents, const cuda_options& options);

  // The matrix, distances and parents, and the rest.
  working_set needs() const;
  // Allocates, uploads and waits.
  void prepare();

  // Told of each level that reached any vertices their number.
  using level_callback =
      std::function<void(std::uint32_t distance, std::span<const std::uint32_t> count)>;
  void run(std::span<const index_t> sources, const level_callback& on_level);

  // After a run: edges from the nearest source, −1 where unreached; and of each vertex the smallest one that
  // leads to it on a shortest path, a source's own number, or no_parent.
  void copy_distances(std::int32_t* to) const;
  void copy_parents(index_t* to) const;

 private:
  struct layout {
    std::uint64_t parents;
    std::uint64_t sets;
    std::uint64_t counts;
    std::uint64_t bytes;
  };
  layout plan() const;
  index_t* parents() const { return parents_ ? memory_.at<index_t>(layout_.parents) : nullptr; }
  void begin(std::span<const index_t> sources);

  std::unique_ptr<search_graph> graph_;
  std::uint64_t n_;
  bool parents_;
  layout layout_;
  device_memory memory_;
  device_memory sources_;
  level_counts counts_;
  stream work_;
};

}  // namespace baltoro::cuda
