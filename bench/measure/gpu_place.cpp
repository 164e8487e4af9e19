#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"
#include "measure/gpu_vectors.hpp"
#include "measure/place.hpp"
#include "measure/stopwatch_events.hpp"

namespace baltoro::bench {
namespace {

class gpu_place final : public place {
 public:
  void release() override {
    x_ = {};
    y_ = {};
  }

  void take(const task& what, const shape& dims) override {
    release();
    batch_ = what.batch;
    outputs_ = what.outputs(dims);
    const std::uint64_t inputs = what.inputs(dims);
    x_ = cuda::device_memory(sizeof(float) * inputs * batch_, "x");
    y_ = cuda::device_memory(sizeof(float) * outputs_ * batch_, "y");
    fill_inputs(x_.at<float>(), inputs, batch_, stream_.get());
    poison_outputs();
  }

  void poison_outputs() override {
    poison(y_.at<float>(), outputs_ * batch_, stream_.get());
    stream_.wait();
  }

  void prepare(product& what) override {
    what.prepare(stream_.get(), x_.at<float>(), y_.at<float>());
    stream_.wait();
  }

  double run_ms(product& what, std::uint64_t count) override {
    watch_.start(stream_.get());
    for (std::uint64_t i = 0; i < count; ++i) {
      what.run(stream_.get(), x_.at<float>(), y_.at<float>());
    }
    return watch_.stop(stream_.get());
  }

  std::vector<float> outputs(index_t k) override {
    std::vector<float> vector(outputs_);
    const cuda::device_memory one(sizeof(float) * outputs_, "one vector");
    copy_vector(y_.at<float>(), outputs_, batch_, k, one.at<float>(), stream_.get());
    cuda::copy_to_host(vector.data(), one.data(), one.bytes(), stream_.get());
    stream_.wait();
    return vector;
  }

  std::uint64_t not_finite() override {
    unsigned long long found = 0;
    const cuda::device_memory counter(sizeof found, "a counter");
    cuda::check(cudaMemsetAsync(counter.data(), 0, sizeof found, stream_.get()), "cudaMemsetAsync");
    count_not_finite(y_.at<float>(), outputs_ * batch_, counter.at<unsigned long long>(),
                     stream_.get());
    cuda::copy_to_host(&found, counter.data(), sizeof found, stream_.get());
    stream_.wait();
    return found;
  }

 private:
  cuda::stream stream_;
  stopwatch_events watch_;
  std::uint64_t batch_ = 1;
  std::uint64_t outputs_ = 0;
  cuda::device_memory x_;
  cuda::device_memory y_;
};

}  // namespace

std::unique_ptr<place> make_gpu_place() { return std::make_unique<gpu_place>(); }

}  // namespace baltoro::bench
