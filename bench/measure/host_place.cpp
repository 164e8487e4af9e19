#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>

#include "measure/input_values.hpp"
#include "measure/place.hpp"

namespace baltoro::bench {
namespace {

class host_place final : public place {
 public:
  void release() override {
    x_ = {};
    y_ = {};
  }

  void take(const task& what, const shape& dims) override {
    release();
    batch_ = what.batch;
    x_.resize(what.inputs(dims) * batch_);
    tbb::parallel_for(std::uint64_t{0}, what.inputs(dims), [&](std::uint64_t i) {
      for (std::uint64_t k = 0; k < batch_; ++k) x_[i * batch_ + k] = input_value(i, k);
    });
    y_.resize(what.outputs(dims) * batch_);
    poison_outputs();
  }

  void poison_outputs() override {
    std::fill(y_.begin(), y_.end(), std::numeric_limits<float>::quiet_NaN());
  }

  void prepare(product& what) override { what.prepare(nullptr, x_.data(), y_.data()); }

  double run_ms(product& what, std::uint64_t count) override {
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < count; ++i) what.run(nullptr, x_.data(), y_.data());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
  }

  std::vector<float> outputs(index_t k) override {
    std::vector<float> vector(y_.size() / batch_);
    for (std::uint64_t i = 0; i < vector.size(); ++i) vector[i] = y_[i * batch_ + k];
    return vector;
  }

  std::uint64_t not_finite() override {
    return static_cast<std::uint64_t>(
        std::count_if(y_.begin(), y_.end(), [](float v) { return !std::isfinite(v); }));
  }

 private:
  std::uint64_t batch_ = 1;
  std::vector<float> x_;
  std::vector<float> y_;
};

}  // namespace

std::unique_ptr<place> make_host_place() { return std::make_unique<host_place>(); }

}  // namespace baltoro::bench
