// The vectors of a product in fixed point, on the device: what x becomes before it, and y after it.
//
// A product of floats adds in an order that nobody knows, and so rounds differently each time. In fixed point nothing
// is rounded but each x, once, and each sum, once: the bits do not depend on the order, the GPU or the batch.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>
#include <functional>

#include "cuda/device_memory.hpp"
#include "cuda/reproducible/fixed_point.cuh"

namespace baltoro::cuda {

class fixed_sums {
 public:
  fixed_sums(index_t inputs, index_t outputs, index_t batch);

  // Bytes on the device: 8 an entry of x and of y, and a quarter of one an entry of y.
  std::uint64_t bytes() const { return bytes_; }
  static std::uint64_t bytes(index_t inputs, index_t outputs, index_t batch) {
    return fixed_sums(inputs, outputs, batch).bytes();
  }

  // Allocates, counts the terms of every output and waits; does nothing when it was done. `product` enqueues
  // sums() += A · x() for one vector.
  void prepare(const std::function<void(cudaStream_t)>& product);

  // Enqueues what makes x() of x. With `clear`, sums() becomes 0.
  template <class T>
  void begin(cudaStream_t stream, const T* x, bool clear) const;
  // Enqueues y = alpha · sums() + beta · y.
  template <class T>
  void finish(cudaStream_t stream, T* y, update<T> how) const;

  // What the product between these works on, aligned to 16 bytes.
  const fixed_t* x() const { return memory_.at<fixed_t>(x_begin_); }
  fixed_t* sums() const { return memory_.at<fixed_t>(sums_begin_); }
  output_marks<fixed_t> marks() const {
    return {memory_.at<std::uint32_t>(marks_begin_), memory_.at<std::uint32_t>(control_begin_)};
  }

 private:
  std::uint64_t* most_terms() const { return memory_.at<std::uint64_t>(); }
  std::uint64_t* largest() const { return memory_.at<std::uint64_t>(largest_begin_); }
  void clear(cudaStream_t stream, bool sums) const;

  index_t inputs_;
  index_t outputs_;
  index_t batch_;
  // In bytes, in this order after most_terms().
  std::uint64_t control_begin_;  // whether there is anything but finite numbers, then
  std::uint64_t largest_begin_;  // of each vector the largest finite |x|, as the bits of a double
  std::uint64_t marks_begin_;
  std::uint64_t sums_begin_;
  std::uint64_t x_begin_;
  std::uint64_t bytes_;
  device_memory memory_;
  bool prepared_ = false;
};

}  // namespace baltoro::cuda
