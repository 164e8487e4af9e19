#include "core/dispatch.hpp"
#include "cuda/adaptive/adaptive_backend.cuh"
#include "cuda/adaptive/adaptive_plan.hpp"
#include "cuda/adaptive/one_vector.cuh"
#include "cuda/adaptive/reproducible_plan.hpp"
#include "cuda/begin_outputs.cuh"

namespace baltoro::cuda {
namespace {

bool aligned_for_quads(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

template <template <class> class Ring, class T, direction Side>
class adaptive_product final : public adaptive_backend<T> {
 public:
  adaptive_product(const matrix& a, const product_options& options)
      : adaptive_backend<T>(a, options) {}

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(this->device_number());
    this->prepare();
    if (this->options().batch == 1) {
      begin_outputs<Ring>(stream, y, std::uint64_t{this->outputs()}, how.beta);
      multiply_one(stream, x, y, how.alpha);
      return;
    }
    this->batch().template run<Ring, Side>(
        stream, device_view(this->copy().view()),
        batch_operands<T>{x, y, this->outputs(), this->options().batch, how.alpha, how.beta});
  }

 private:
  void multiply_one(cudaStream_t stream, const T* x, T* y, T alpha) const {
    const operands<T> vectors{
        x, y, this->inputs(), this->outputs(), alpha, aligned_for_quads(x) && aligned_for_quads(y)};
    cuda::multiply_one<Ring, Side>(
        stream, this->copy(), vectors,
        [&](std::uint64_t containers, const auto& work) { this->with_blocks(containers, work); });
  }
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_adaptive(const matrix& a,
                                                         const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  if (options.reproducible && options.ring == semiring::plus_times) {
    return plan_reproducible<T>(a, options);
  }
  return with_semiring(options.ring, [&]<template <class> class Ring>() -> made {
    return with_side(options.side, [&]<direction Side>() -> made {
      return std::make_unique<adaptive_product<Ring, T, Side>>(a, options);
    });
  });
}

template std::unique_ptr<plan<float>::backend> plan_adaptive<float>(const matrix&,
                                                                    const product_options&);
template std::unique_ptr<plan<double>::backend> plan_adaptive<double>(const matrix&,
                                                                      const product_options&);

}  // namespace baltoro::cuda
