#include "core/dispatch.hpp"
#include "cuda/atomics.cuh"
#include "cuda/begin_outputs.cuh"
#include "cuda/capacity.hpp"
#include "cuda/descent.cuh"
#include "cuda/device_backend.hpp"
#include "cuda/level_order_plan.hpp"
#include "cuda/recorded_graph.hpp"
#include "cuda/reproducible/fixed_sums.cuh"

namespace baltoro::cuda {
namespace {

// Adds a cell's term to its output.
template <template <class> class Ring, class T, direction Side>
struct single_visit {
  const T* x;
  T* y;
  T alpha;
  output_marks<T> marks{};
  __device__ void operator()(std::uint64_t row, std::uint64_t col) const {
    const std::uint64_t output = Side == direction::right ? row : col;
    const T term = Ring<T>::term(x[Side == direction::right ? col : row]);
    if constexpr (is_fixed<T>) {
      if (const unsigned mark = mark_of(term); mark != 0) {
        marks.add(output, mark);
        return;
      }
    }
    accumulate<Ring>(y + output, std::is_same_v<Ring<T>, plus_times<T>> ? alpha * term : term);
  }
};

// The same for vector k of a batch.
template <template <class> class Ring, class T, direction Side>
struct batch_visit {
  single_visit<Ring, T, Side> of;
  std::uint64_t batch;
  __device__ void operator()(std::uint64_t row, std::uint64_t col, std::uint64_t k) const {
    of(row * batch + k, col * batch + k);
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

// Over plus_times in fixed point.
template <class T, direction Side>
class reproducible_product final : public device_backend<T> {
 public:
  reproducible_product(const matrix& a, const product_options& options)
      : device_backend<T>(a, options),
        descent_(a, options.batch, options.cuda),
        sums_(this->inputs(), this->outputs(), options.batch) {
    require_fit(a, descent_, options.cuda, [&](index_t batch) {
      return this->vector_bytes(batch) +
             fixed_sums::bytes(this->inputs(), this->outputs(), batch);
    });
  }

  std::uint64_t matrix_bytes() const override { return descent_.matrix_bytes(); }
  std::uint64_t scratch_bytes() const override { return descent_.scratch_bytes() + sums_.bytes(); }

  void prepare() override {
    const device_guard guard(this->device_number());
    descent_.prepare();
    sums_.prepare([this](cudaStream_t stream) { descent_.run(visit(), stream); });
  }

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(this->device_number());
    prepare();
    if (!this->options().cuda.record || this->options().batch != 1) {
      enqueue(stream, x, y, how);
      return;
    }
    const recording_key key{{x, y, descent_.scratch_address()}, {how.alpha, how.beta}};
    graphs_.run(key, stream, [&](cudaStream_t to) { enqueue(to, x, y, how); });
  }

 private:
  using one_vector = single_visit<plus_times, fixed_t, Side>;

  one_vector visit() const { return {sums_.x(), sums_.sums(), 1, sums_.marks()}; }

  void enqueue(cudaStream_t stream, const T* x, T* y, update<T> how) const {
    sums_.begin(stream, x, true);
    if (this->options().batch == 1) {
      descent_.run(visit(), stream);
    } else {
      descent_.run(batch_visit<plus_times, fixed_t, Side>{visit(), this->options().batch}, stream);
    }
    sums_.finish(stream, y, how);
  }

  descent descent_;
  fixed_sums sums_;
  recorded_graphs graphs_;
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix& a,
                                                            const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  if (options.reproducible && options.ring == semiring::plus_times) {
    return with_side(options.side, [&]<direction Side>() -> made {
      return std::make_unique<reproducible_product<T, Side>>(a, options);
    });
  }
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
