// PageRank on the GPU, for one vector or for many seeds side by side.
//
// An iteration is a product and one pass over the vectors, which makes ranks of what the product has added up, and
// of these what the next one multiplies; it also clears the sums, which a product needs anyway, and adds up the
// change and what dangling vertices lose. The host does not wait for an iteration: the device itself knows when to
// stop, and the host looks now and then.
#pragma once

#include <baltoro/pagerank.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// What an iteration multiplies with. Vectors are n × B of T, 0-based in device memory.
template <class T>
class rank_product {
 public:
  rank_product() = default;
  virtual ~rank_product() = default;
  rank_product(const rank_product&) = delete;
  rank_product& operator=(const rank_product&) = delete;

  virtual std::uint64_t vertices() const = 0;
  // Bytes on the device: of the matrix, those of it that are there already, and the rest.
  virtual std::uint64_t matrix_bytes() const = 0;
  virtual std::uint64_t resident_bytes() const = 0;
  virtual std::uint64_t scratch_bytes() const = 0;
  // Allocates, uploads and waits. Later runs are given these vectors.
  virtual void prepare(cudaStream_t stream, const T* x, T* y) = 0;
  // Enqueues the counts of edges out of each vertex.
  virtual void count_degrees(cudaStream_t stream, index_t* degrees) = 0;
  // Enqueues y = Aᵀx or, where adds(), y += Aᵀx.
  virtual void run(cudaStream_t stream, const T* x, T* y) = 0;
  virtual bool adds() const = 0;
};

// The product with a compressed matrix.
template <class T>
std::unique_ptr<rank_product<T>> make_rank_product(const matrix& a, index_t batch,
                                                   const cuda_options& options);

// Vectors of T: float or double; what is summed up over all vertices is in double.
template <class T>
class power_iteration {
 public:
  // Plans on the host. Jumps land as `jumps` says, probabilities of sum 1; or for vector k on seeds[k]; where
  // both are empty, on all vertices alike. Both must live as long as this. Throws out_of_memory.
  power_iteration(std::unique_ptr<rank_product<T>> product, const pagerank_options& options,
                  std::span<const double> jumps, std::span<const index_t> seeds);

  working_set needs() const;
  // Allocates, uploads, counts degrees, and waits.
  void prepare();

  struct figures {
    std::uint32_t iterations = 0;
    double change = 0;
    bool converged = false;
  };
  // Iterates from the start; options.on_iteration is told of all iterations, some of them together.
  figures run();
  // The ranks after a run, n × B.
  void copy_ranks(double* to) const;

 private:
  struct layout {
    std::uint64_t sums;  // what a product adds up
    std::uint64_t degrees;
    std::uint64_t jumps;
    std::uint64_t seeds;
    std::uint64_t lost;
    std::uint64_t partial;
    std::uint64_t control;
    std::uint64_t bytes;
  };
  layout plan() const;
  template <bool Start>
  void make_ranks();

  std::unique_ptr<rank_product<T>> product_;
  pagerank_options options_;
  std::span<const double> jumps_;
  std::span<const index_t> seeds_;
  std::uint64_t n_;
  index_t batch_;
  layout layout_;
  device_memory memory_;
  pinned_memory host_;
  stream work_;
};

extern template class power_iteration<float>;
extern template class power_iteration<double>;

}  // namespace baltoro::cuda
