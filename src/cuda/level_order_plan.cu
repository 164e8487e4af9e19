#include "core/dispatch.hpp"
#include "cuda/atomics.cuh"
#include "cuda/begin_outputs.cuh"
#include "cuda/capacity.hpp"
#include "cuda/descent.cuh"
#include "cuda/device_backend.hpp"
#include "cuda/level_order_plan.hpp"
#include "cuda/recorded_graph.hpp"

namespace baltoro::cuda {
namespace {

// Adds a cell's term to its output.
template <template <class> class Ring, class T, direction Side>
struct single_visit {
  const T* x;
  T* y;
  T alpha;
  __device__ void operator()(std::uint64_t row, std::uint64_t col) const {
    const T term = Ring<T>::term(x[Side == direction::right ? col : row]);
    accumulate<Ring>(y + (Side == direction::right ? row : col),
                     std::is_same_v<Ring<T>, plus_times<T>> ? alpha * term : term);
  }
};

// The same for vector k of a batch.
template <template <class> class Ring, class T, direction Side>
struct batch_visit {
  single_visit<Ring, T, Side> of;
  std::uint64_t batch;
  __device__ void operator()(std::uint64_t row, std::uint64_t col, std::uint64_t k) const {
    single_visit<Ring, T, Side>{of.x + k, of.y + k, of.alpha}(row * batch, col * batch);
  }
};

template <template <class> class Ring, class T, direction Side>
class level_order_product final : public device_backend<T> {
 public:
  level_order_product(const matrix& a, const product_options& options)
      : device_backend<T>(a, options), descent_(a, options.batch, options.cuda) {
    require_fit(a, descent_, options.cuda,
                [&](index_t batch) { return this->vector_bytes(batch); });
  }

  std::uint64_t matrix_bytes() const override { return descent_.matrix_bytes(); }
  std::uint64_t scratch_bytes() const override { return descent_.scratch_bytes(); }

  void prepare() override {
    const device_guard guard(this->device_number());
    descent_.prepare();
  }

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(this->device_number());
    descent_.prepare();
    if (!this->options().cuda.record || this->options().batch != 1) {
      enqueue(stream, x, y, how);
      return;
    }
    // The first run with these arguments loads the kernels; a second one is worth recording.
    const recording_key key{{x, y, descent_.scratch_address()}, {how.alpha, how.beta}};
    graphs_.run(key, stream, [&](cudaStream_t to) { enqueue(to, x, y, how); });
  }

 private:
  void enqueue(cudaStream_t stream, const T* x, T* y, update<T> how) const {
    const std::uint64_t count = entries<T>(this->outputs(), this->options().batch);
    if (count == 0) return;
    begin_outputs<Ring>(stream, y, count, how.beta);
    const single_visit<Ring, T, Side> visit{x, y, how.alpha};
    if (this->options().batch == 1) {
      descent_.run(visit, stream);
    } else {
      descent_.run(batch_visit<Ring, T, Side>{visit, this->options().batch}, stream);
    }
  }

  descent descent_;
  recorded_graphs graphs_;
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix& a,
                                                            const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  return with_semiring(options.ring, [&]<template <class> class Ring>() -> made {
    return with_side(options.side, [&]<direction Side>() -> made {
      return std::make_unique<level_order_product<Ring, T, Side>>(a, options);
    });
  });
}

template std::unique_ptr<plan<float>::backend> plan_level_order<float>(const matrix&,
                                                                       const product_options&);
template std::unique_ptr<plan<double>::backend> plan_level_order<double>(const matrix&,
                                                                         const product_options&);

}  // namespace baltoro::cuda
