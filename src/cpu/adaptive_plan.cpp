#include "cpu/adaptive_plan.hpp"

#include <baltoro/threads.hpp>

#include "core/dispatch.hpp"
#include "cpu/accumulator.hpp"
#include "cpu/adaptive_kernel.hpp"
#include "cpu/adaptive_runner.hpp"

namespace baltoro::cpu {
namespace {

template <template <class> class Ring, class T>
class adaptive_product final : public plan<T>::backend {
 public:
  using A = accumulator_t<Ring, T>;

  adaptive_product(const matrix& a, const product_options& options)
      : plan<T>::backend(a, options),
        view_(this->a().adaptive()),
        runner_(view_, options.side, this->outputs(), options.batch, thread_limit::current()) {}

  std::uint64_t scratch_bytes() const override { return runner_.scratch_bytes(); }

  void run(const T* x, T* y, update<T> how) override {
    const product_options& options = this->options();
    const std::uint64_t batch = options.batch;
    runner_.run(
        Ring<A>::zero(),
        [&](std::span<const std::uint64_t> containers, A* sums, std::uint64_t first) {
          add_containers(container_job<T>{&view_, containers, options.side, options.ring, batch, x,
                                          this->inputs(), sums, first});
        },
        Ring<A>::add,
        [&](std::uint64_t first, std::uint64_t last, const A* sums) {
          store_sums<Ring, T>(y + first * batch, (last - first) * batch, sums, how);
        });
  }

 private:
  adaptive_view view_;
  adaptive_runner<A> runner_;
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_adaptive(const matrix& a,
                                                         const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  return with_semiring(options.ring, [&]<template <class> class Ring>() -> made {
    return std::make_unique<adaptive_product<Ring, T>>(a, options);
  });
}

template std::unique_ptr<plan<float>::backend> plan_adaptive<float>(const matrix&,
                                                                    const product_options&);
template std::unique_ptr<plan<double>::backend> plan_adaptive<double>(const matrix&,
                                                                      const product_options&);

}  // namespace baltoro::cpu
