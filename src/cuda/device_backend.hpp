// What all products on a GPU have in common: the device, and runs with vectors on the host.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>
#include <optional>

#include "core/backend.hpp"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

template <class T>
class device_backend : public plan<T>::backend {
 public:
  device where() const override { return device::cuda; }

  void run(const T* x, T* y, update<T> how) override {
    const device_guard guard(device_);
    this->prepare();
    if (!stream_) stream_.emplace();
    const index_t batch = this->options().batch;
    const std::uint64_t x_bytes = sizeof(T) * entries<T>(this->inputs(), batch);
    const std::uint64_t y_bytes = sizeof(T) * entries<T>(this->outputs(), batch);
    if (x_.bytes() != x_bytes) x_ = device_memory(x_bytes, "x");
    if (y_.bytes() != y_bytes) y_ = device_memory(y_bytes, "y");
    const cudaStream_t stream = stream_->get();
    copy_to_device(x_.data(), x, x_bytes, stream);
    if (how.beta != T{0}) copy_to_device(y_.data(), y, y_bytes, stream);
    this->run_on(stream, x_.template at<T>(), y_.template at<T>(), how);
    copy_to_host(y, y_.data(), y_bytes, stream);
    stream_->wait();
  }

 protected:
  // For the device that is current now.
  device_backend(const matrix& a, const product_options& options)
      : plan<T>::backend(a, options), device_(current_device()) {}

  int device_number() const { return device_; }
  // Bytes of x and y for so many vectors.
  std::uint64_t vector_bytes(index_t batch) const {
    return sizeof(T) * (entries<T>(this->inputs(), batch) + entries<T>(this->outputs(), batch));
  }

 private:
  int device_;
  std::optional<stream> stream_;  // of run()
  device_memory x_;
  device_memory y_;
};

}  // namespace baltoro::cuda
