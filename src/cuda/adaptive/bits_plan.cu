#include <algorithm>
#include <bit>
#include <optional>

#include "cuda/adaptive/batch.cuh"
#include "cuda/adaptive/bits_plan.hpp"
#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/multiply_bits.cuh"
#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {
namespace {

template <direction Side>
class bits_product final : public plan<bits>::backend {
 public:
  bits_product(const matrix& a, const product_options& options)
      : backend(a, options), device_(current_device()) {
    if (options.batch != 1) batch_.emplace(a.adaptive(), Side);
    const std::uint64_t resident = device_containers::resident(a) ? matrix_bytes() : 0;
    require_fit(options.batch, resident, options.cuda, [&](index_t batch) {
      return matrix_bytes() + scratch_bytes(batch) +
             sizeof(bits) * (entries<bits>(inputs(), batch) + entries<bits>(outputs(), batch));
    });
  }

  device where() const override { return device::cuda; }
  std::uint64_t matrix_bytes() const override {
    return device_containers::bytes(this->a().adaptive());
  }
  std::uint64_t scratch_bytes() const override { return scratch_bytes(options().batch); }

  void prepare() override {
    const device_guard guard(device_);
    if (copy_ == nullptr) copy_ = device_containers::shared(this->a());
    if (batch_) batch_->prepare();
  }

  void run_on(cudaStream_t stream, const bits* x, bits* y, update<bits> how) override {
    const device_guard guard(device_);
    prepare();
    const std::uint64_t count = entries<bits>(outputs(), options().batch);
    if (count == 0) return;
    const device_view view(copy_->view());
    const auto* const from = reinterpret_cast<const std::uint32_t*>(x);
    auto* const to = reinterpret_cast<std::uint32_t*>(y);
    if (options().batch == 1) {
      if (how.beta == bits{0}) {
        check(cudaMemsetAsync(y, 0, sizeof(bits) * count, stream), "cudaMemsetAsync");
      }
      if (view.matrix.containers == 0) return;
      const auto blocks =
          static_cast<unsigned>((view.matrix.containers + bits_warps - 1) / bits_warps);
      launch(multiply_bits<Side>, dim3(blocks), dim3(bits_warps * warp::lanes), 0, stream, view,
             from, to);
      return;
    }
    const auto words = static_cast<index_t>(entries<bits>(1, options().batch));
    batch_->run<bitwise_or, Side>(
        stream, view,
        batch_operands<std::uint32_t>{from, to, outputs(), words, 1U,
                                      static_cast<std::uint32_t>(how.beta)});
  }

  void run(const bits* x, bits* y, update<bits> how) override {
    const device_guard guard(device_);
    prepare();
    if (!stream_) stream_.emplace();
    const std::uint64_t x_bytes = sizeof(bits) * entries<bits>(inputs(), options().batch);
    const std::uint64_t y_bytes = sizeof(bits) * entries<bits>(outputs(), options().batch);
    if (x_.bytes() != x_bytes) x_ = device_memory(x_bytes, "x");
    if (y_.bytes() != y_bytes) y_ = device_memory(y_bytes, "y");
    const cudaStream_t stream = stream_->get();
    copy_to_device(x_.data(), x, x_bytes, stream);
    if (how.beta != bits{0}) copy_to_device(y_.data(), y, y_bytes, stream);
    run_on(stream, x_.at<bits>(), y_.at<bits>(), how);
    copy_to_host(y, y_.data(), y_bytes, stream);
    stream_->wait();
  }

 private:
  std::uint64_t scratch_bytes(index_t batch) const {
    return batch == 1 || !batch_ ? 0 : batch_->bytes();
  }

  int device_;
  std::shared_ptr<device_containers> copy_;
  std::optional<stream> stream_;  // of run()
  std::optional<batch_plan> batch_;
  device_memory x_;
  device_memory y_;
};

}  // namespace

std::unique_ptr<plan<bits>::backend> plan_bits(const matrix& a, const product_options& options) {
  if (options.side == direction::right) {
    return std::make_unique<bits_product<direction::right>>(a, options);
  }
  return std::make_unique<bits_product<direction::left>>(a, options);
}

}  // namespace baltoro::cuda
