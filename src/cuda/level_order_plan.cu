#include <baltoro/error.hpp>

#include <array>
#include <optional>

#include "cuda/atomics.cuh"
#include "cuda/begin_outputs.cuh"
#include "cuda/capacity.hpp"
#include "cuda/descent.cuh"
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
class level_order_product final : public plan<T>::backend {
 public:
  level_order_product(const matrix& a, const product_options& options)
      : plan<T>::backend(a, options),
        device_(current_device()),
        descent_(a, options.batch, options.cuda) {
    const std::uint64_t entries = std::uint64_t{this->inputs()} + this->outputs();
    require_fit(a, descent_, options.cuda,
                [&](index_t batch) { return sizeof(T) * entries * batch; });
  }

  device where() const override { return device::cuda; }
  std::uint64_t matrix_bytes() const override { return descent_.matrix_bytes(); }
  std::uint64_t scratch_bytes() const override { return descent_.scratch_bytes(); }

  void prepare() override {
    const device_guard guard(device_);
    descent_.prepare();
  }

  void run_on(cudaStream_t stream, const T* x, T* y, update<T> how) override {
    const device_guard guard(device_);
    descent_.prepare();
    if (!this->options().cuda.record || this->options().batch != 1) {
      enqueue(stream, x, y, how);
      return;
    }
    // The first run with these arguments loads the kernels; a second one is worth recording.
    const recording_key key{{x, y, descent_.scratch_address()}, {how.alpha, how.beta}};
    graphs_.run(key, stream, [&](cudaStream_t to) { enqueue(to, x, y, how); });
  }

  void run(const T* x, T* y, update<T> how) override {
    const device_guard guard(device_);
    descent_.prepare();
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
  void enqueue(cudaStream_t stream, const T* x, T* y, update<T> how) const {
    const std::uint64_t count = std::uint64_t{this->outputs()} * this->options().batch;
    if (count == 0) return;
    begin_outputs<Ring>(stream, y, count, how.beta);
    const single_visit<Ring, T, Side> visit{x, y, how.alpha};
    if (this->options().batch == 1) {
      descent_.run(visit, stream);
    } else {
      descent_.run(batch_visit<Ring, T, Side>{visit, this->options().batch}, stream);
    }
  }

  int device_;
  descent descent_;
  recorded_graphs graphs_;
  std::optional<stream> stream_;  // of run()
  device_memory x_;
  device_memory y_;
};

template <template <class> class Ring, class T>
std::unique_ptr<typename plan<T>::backend> choose_side(const matrix& a,
                                                       const product_options& options) {
  if (options.side == direction::right) {
    return std::make_unique<level_order_product<Ring, T, direction::right>>(a, options);
  }
  return std::make_unique<level_order_product<Ring, T, direction::left>>(a, options);
}

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix& a,
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

template std::unique_ptr<plan<float>::backend> plan_level_order<float>(const matrix&,
                                                                       const product_options&);
template std::unique_ptr<plan<double>::backend> plan_level_order<double>(const matrix&,
                                                                         const product_options&);

}  // namespace baltoro::cuda
