// Searches from up to 256 sources at once, with tables in bits on the device.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cuda/search/level_counts.hpp"
#include "cuda/search/search_graph.hpp"

namespace baltoro::cuda {

class multi_search {
 public:
  static constexpr index_t most_sources = 256;

  // Plans on the host for so many sources. Throws out_of_memory where what needs() says does not fit.
  multi_search(std::unique_ptr<search_graph> graph, index_t sources, bool distances,
               const cuda_options& options);

  // The matrix, the tables with the distances that are kept, and the rest. Distances grow with the search, a
  // bit for every pair whenever they reach a power of two; before it runs, distances below 256 are counted.
  working_set needs() const;
  // Allocates, uploads and waits.
  void prepare();

  // Told the pairs of each level that reached any: one count a source.
  using level_callback =
      std::function<void(std::uint32_t distance, std::span<const std::uint32_t> counts)>;
  // Searches from these sources, whose number is the one planned for, to the fixed point or for so many levels.
  void run(std::span<const index_t> sources, std::uint32_t max_levels,
           const level_callback& on_level);

  index_t sources() const { return sources_; }
  // After a run: 64-bit words of a vertex, and for all vertices who reaches them.
  std::uint64_t words() const { return words_ / 2; }
  void copy_reached(std::uint64_t* to) const;
  // For vertex v and source k the distance to to[v · stride + k], or −1.
  void copy_distances(std::int32_t* to, std::uint64_t stride) const;

 private:
  struct layout {
    std::uint64_t table;  // bytes of one
    std::uint64_t sets;
    std::uint64_t counts;
    std::uint64_t sources;
    std::uint64_t bytes;
  };
  layout plan() const;
  std::uint64_t staging_bytes() const;
  void begin(std::span<const index_t> sources);
  void keep_distances_to(std::uint32_t distance);

  std::unique_ptr<search_graph> graph_;
  std::uint64_t n_;
  unsigned sources_;
  unsigned words_;  // of 32 bits a vertex, an even number
  bool distances_;
  layout layout_;
  device_memory memory_;
  std::vector<device_memory> planes_;
  level_counts counts_;
  stream work_;
};

}  // namespace baltoro::cuda
