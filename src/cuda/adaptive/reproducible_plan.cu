#include "core/dispatch.hpp"
#include "cuda/adaptive/adaptive_backend.cuh"
#include "cuda/adaptive/one_vector.cuh"
#include "cuda/adaptive/reproducible_plan.hpp"
#include "cuda/reproducible/fixed_sums.cuh"

namespace baltoro::cuda {
namespace {

template <class T, direction Side>
class reproducible_product final : public adaptive_backend<T> {
 public:
  reproducible_product(const matrix& a, const product_options& options)
      : adaptive_backend<T>(a, options,
                            [this](index_t batch) {
                              return fixed_sums::bytes(this->inputs(), this->outputs(), batch);
                            }),
        sums_(this->inputs(), this->outputs(), options.batch) {}

  std::uint64_t scratch_bytes() const override {
    return adaptive_backend<T>::scratch_bytes() + sums_.bytes();
  }

  void prepare() override {
    const device_guard guard(this->device_number());
    adaptive_backend<T>::prepare();
    sums_.prepare([this](cudaStream_t stream) { multiply_one(stream); });
  }

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(this->device_number());
    this->prepare();
    const index_t vectors = this->options().batch;
    sums_.begin(stream, x, vectors == 1);
    if (vectors == 1) {
      multiply_one(stream);
    } else {
      this->batch().template run<plus_times, Side>(
          stream, device_view(this->copy().view()),
          batch_operands<fixed_t>{sums_.x(), sums_.sums(), this->outputs(), vectors, 1, 0,
                                  sums_.marks()});
    }
    sums_.finish(stream, y, how);
  }

 private:
  void multiply_one(cudaStream_t stream) const {
    const operands<fixed_t> vectors{sums_.x(),       sums_.sums(), this->inputs(),
                                    this->outputs(), 1,            true,
                                    sums_.marks()};
    cuda::multiply_one<plus_times, Side>(
        stream, this->copy(), vectors,
        [&](std::uint64_t containers, const auto& work) { this->with_blocks(containers, work); });
  }

  fixed_sums sums_;
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_reproducible(const matrix& a,
                                                             const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  return with_side(options.side, [&]<direction Side>() -> made {
    return std::make_unique<reproducible_product<T, Side>>(a, options);
  });
}

template std::unique_ptr<plan<float>::backend> plan_reproducible<float>(const matrix&,
                                                                        const product_options&);
template std::unique_ptr<plan<double>::backend> plan_reproducible<double>(const matrix&,
                                                                          const product_options&);

}  // namespace baltoro::cuda
