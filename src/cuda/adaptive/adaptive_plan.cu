#include <baltoro/error.hpp>

#include <optional>

#include "cuda/adaptive/adaptive_plan.hpp"
#include "cuda/adaptive/batch.cuh"
#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/multiply.cuh"
#include "cuda/begin_outputs.cuh"
#include "cuda/capacity.hpp"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {
namespace {

bool aligned_for_quads(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

template <template <class> class Ring, class T, direction Side>
class adaptive_product final : public plan<T>::backend {
 public:
  adaptive_product(const matrix& a, const product_options& options)
      : plan<T>::backend(a, options), device_(current_device()) {
    if (options.batch != 1) batch_.emplace(a.adaptive(), Side);
    const std::uint64_t resident = device_containers::resident(a) ? matrix_bytes() : 0;
    require_fit(options.batch, resident, options.cuda, [&](index_t batch) {
      return matrix_bytes() + scratch_bytes(batch) + vector_bytes(batch);
    });
  }

  device where() const override { return device::cuda; }
  std::uint64_t matrix_bytes() const override {
    return device_containers::bytes(this->a().adaptive());
  }
  std::uint64_t scratch_bytes() const override { return scratch_bytes(this->options().batch); }

  void prepare() override {
    const device_guard guard(device_);
    if (copy_ == nullptr) copy_ = device_containers::shared(this->a());
    if (batch_) batch_->prepare();
  }

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(device_);
    prepare();
    if (this->options().batch == 1) {
      begin_outputs<Ring>(stream, y, std::uint64_t{this->outputs()}, how.beta);
      if (copy_->view().containers != 0) multiply_one(stream, x, y, how.alpha);
      return;
    }
    batch_->template run<Ring, Side>(
        stream, device_view(copy_->view()),
        batch_operands<T>{x, y, this->outputs(), this->options().batch, how.alpha, how.beta});
  }

  void run(const T* x, T* y, update<T> how) override {
    const device_guard guard(device_);
    prepare();
    if (!stream_) stream_.emplace();
    const std::uint64_t x_bytes = sizeof(T) * this->inputs() * this->options().batch;
    const std::uint64_t y_bytes = sizeof(T) * this->outputs() * this->options().batch;
    if (x_.bytes() != x_bytes) x_ = device_memory(x_bytes, "x");
    if (y_.bytes() != y_bytes) y_ = device_memory(y_bytes, "y");
    const cudaStream_t stream = stream_->get();
    copy_to_device(x_.data(), x, x_bytes, stream);
    if (how.beta != T{0}) copy_to_device(y_.data(), y, y_bytes, stream);
    run_on(stream, x_.template at<T>(), y_.template at<T>(), how);
    copy_to_host(y, y_.data(), y_bytes, stream);
    stream_->wait();
  }

 private:
  std::uint64_t scratch_bytes(index_t batch) const {
    return batch == 1 || !batch_ ? 0 : batch_->bytes();
  }
  std::uint64_t vector_bytes(std::uint64_t batch) const {
    return sizeof(T) * batch * (std::uint64_t{this->inputs()} + this->outputs());
  }

  void multiply_one(cudaStream_t stream, const T* x, T* y, T alpha) const {
    const device_view view(copy_->view());
    const operands<T> vectors{
        x, y, this->inputs(), this->outputs(), alpha, aligned_for_quads(x) && aligned_for_quads(y)};
    const auto blocks =
        static_cast<unsigned>((view.matrix.containers + multiply_warps - 1) / multiply_warps);
    launch(multiply<Ring, T, Side>, dim3(blocks), dim3(multiply_warps * warp::lanes), 0, stream,
           view, vectors);
  }

  int device_;
  std::shared_ptr<device_containers> copy_;
  std::optional<stream> stream_;  // of run()
  std::optional<batch_plan> batch_;
  device_memory x_;
  device_memory y_;
};

template <template <class> class Ring, class T>
std::unique_ptr<typename plan<T>::backend> choose_side(const matrix& a,
                                                       const product_options& options) {
  if (options.side == direction::right) {
    return std::make_unique<adaptive_product<Ring, T, direction::right>>(a, options);
  }
  return std::make_unique<adaptive_product<Ring, T, direction::left>>(a, options);
}

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_adaptive(const matrix& a,
                                                         const product_options& options) {
  switch (options.ring) {
    case semiring::plus_times:
      return choose_side<plus_times, T>(a, options);
    case semiring::lor_land:
      return choose_side<lor_land, T>(a, options);
    case semiring::min_plus:
      return choose_side<min_plus, T>(a, options);
  }
  throw invalid_argument("unknown semiring");
}

template std::unique_ptr<plan<float>::backend> plan_adaptive<float>(const matrix&,
                                                                    const product_options&);
template std::unique_ptr<plan<double>::backend> plan_adaptive<double>(const matrix&,
                                                                      const product_options&);

}  // namespace baltoro::cuda
