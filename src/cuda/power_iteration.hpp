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
#include <span>

#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// Vectors of T: float or double; what is summed up over all vertices is in double.
template <class T>
class power_iteration {
 public:
  // Plans on the host. Jumps land as `jumps` says, probabilities of sum 1; or for vector k on seeds[k]; where
  // both are empty, on all vertices alike. Both must live as long as this. Throws out_of_memory.
  power_iteration(const matrix& a, const pagerank_options& options, std::span<const double> jumps,
                  std::span<const index_t> seeds);

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

  matrix a_;
  pagerank_options options_;
  std::span<const double> jumps_;
  std::span<const index_t> seeds_;
  std::uint64_t n_;
  index_t batch_;
  baltoro::plan<T> product_;
  layout layout_;
  device_memory memory_;
  pinned_memory host_;
  stream work_;
};

extern template class power_iteration<float>;
extern template class power_iteration<double>;

}  // namespace baltoro::cuda
