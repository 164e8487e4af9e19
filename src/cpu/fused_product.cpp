#include "cpu/fused_product.hpp"

#include <baltoro/semiring.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include <tbb/parallel_for.h>

#include "cpu/adaptive_kernel.hpp"
#include "cpu/adaptive_runner.hpp"

namespace baltoro::cpu {
namespace {

index_t outputs_of(const matrix& a, direction side) {
  return side == direction::right ? a.rows() : a.cols();
}

class fused_adaptive final : public fused_product {
 public:
  fused_adaptive(const matrix& a, direction side, index_t batch)
      : a_(a),
        side_(side),
        batch_(batch),
        runner_(a_.adaptive(), side, outputs_of(a_, side), batch, thread_limit::current()) {
    static_assert(
        range % (1ULL << (adaptive_partition::strip_level + adaptive_view::leaf_log2)) == 0 ||
        (1ULL << (adaptive_partition::strip_level + adaptive_view::leaf_log2)) % range == 0);
  }

  std::uint64_t scratch_bytes() const override { return runner_.scratch_bytes(); }

  void run(std::span<const double> x, const taker& take) override {
    const adaptive_view& view = a_.adaptive();
    const index_t inputs = side_ == direction::right ? a_.cols() : a_.rows();
    runner_.run(
        0.0,
        [&](std::span<const std::uint64_t> containers, double* sums, std::uint64_t first) {
          add_containers(container_job<double>{&view, containers, side_, semiring::plus_times,
                                               batch_, x.data(), inputs, sums, first});
        },
        plus_times<double>::add,
        [&](std::uint64_t first, std::uint64_t last, const double* sums) {
          take(first, last, sums);
        });
  }

 private:
  matrix a_;
  direction side_;
  std::uint64_t batch_;
  adaptive_runner<double> runner_;
};

class stored_sums final : public fused_product {
 public:
  stored_sums(const matrix& a, direction side, index_t batch)
      : plan_(a, {.side = side, .batch = batch}), batch_(batch) {}

  std::uint64_t scratch_bytes() const override {
    return plan_.needs().scratch_bytes + plan_.y_size() * sizeof(double);
  }

  void run(std::span<const double> x, const taker& take) override {
    y_.resize(plan_.y_size());
    plan_.run(x, y_);
    const std::uint64_t outputs = y_.size() / batch_;
    tbb::parallel_for(std::uint64_t{0}, (outputs + range - 1) / range, [&](std::uint64_t i) {
      take(i * range, std::min(outputs, (i + 1) * range), y_.data() + i * range * batch_);
    });
  }

 private:
  plan<double> plan_;
  std::uint64_t batch_;
  std::vector<double> y_;
};

}  // namespace

std::unique_ptr<fused_product> make_fused_product(const matrix& a, direction side, index_t batch) {
  if (a.kind() == layout::adaptive) return std::make_unique<fused_adaptive>(a, side, batch);
  return std::make_unique<stored_sums>(a, side, batch);
}

}  // namespace baltoro::cpu
