// What a search on the GPU asks of a graph: a level's worth of edges.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <memory>

#include <cuda_runtime.h>

#include "algorithms/neighbour_walk.hpp"

namespace baltoro::cuda {

struct search_sets;
struct search_tables;

class search_graph {
 public:
  search_graph() = default;
  virtual ~search_graph() = default;
  search_graph(const search_graph&) = delete;
  search_graph& operator=(const search_graph&) = delete;

  virtual std::uint64_t vertices() const = 0;
  // Bytes on the device: of the matrix, those of it that are there already, and the rest.
  virtual std::uint64_t matrix_bytes() const = 0;
  virtual std::uint64_t resident_bytes() const = 0;
  virtual std::uint64_t scratch_bytes() const = 0;
  // Allocates, uploads and waits; does nothing when it was done.
  virtual void prepare() = 0;

  // Enqueues what a level does to the tables of many sources: what the vertices of the frontier have seen is
  // or-ed into what the open ones at the other ends of their edges will have seen, and those that change
  // are noted.
  virtual void spread(cudaStream_t stream, const search_sets& sets,
                      const search_tables& tables) const = 0;
  // The same for one set of sources: notes the open vertices that edges from the frontier lead to and, where
  // `parents` is not null, keeps for each the smallest vertex that such an edge comes from.
  virtual void spread(cudaStream_t stream, const search_sets& sets, index_t* parents) const = 0;
};

// The edges of an adaptive matrix, followed as told.
std::unique_ptr<search_graph> make_search_graph(const matrix& a, algorithms::traversal follow);

}  // namespace baltoro::cuda
