// A product over plus_times in double whose results are handed on while they are in the cache, so that what an
// algorithm makes of them needs no pass of its own.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace baltoro::cpu {

class fused_product {
 public:
  // Outputs are handed on in ranges that begin at a multiple of this.
  static constexpr std::uint64_t range = 4096;
  // Takes the sums of outputs first … last − 1, `batch` each, or nullptr where all are 0. Called from several
  // threads, for ranges that do not overlap and together are all outputs.
  using taker = std::function<void(std::uint64_t first, std::uint64_t last, const double* sums)>;

  virtual ~fused_product() = default;
  fused_product(const fused_product&) = delete;
  fused_product& operator=(const fused_product&) = delete;

  // Bytes beside the matrix and x.
  virtual std::uint64_t scratch_bytes() const = 0;
  // x has batch values an input; `take` must not change it. The sums have the same bits whatever the number
  // of threads.
  virtual void run(std::span<const double> x, const taker& take) = 0;

 protected:
  fused_product() = default;
};

// Containers hand on the sums of their strips. Of a level-order matrix, sums are stored and then handed on.
std::unique_ptr<fused_product> make_fused_product(const matrix& a, direction side, index_t batch);

}  // namespace baltoro::cpu
