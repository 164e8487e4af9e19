// What a backend implements to run products. plan<T> checks arguments and calls it.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <type_traits>

namespace baltoro {

// Entries of a vector or a batch of them, in words where they are bits.
template <class T>
constexpr std::uint64_t entries(std::uint64_t vertices, index_t batch) {
  if constexpr (std::is_same_v<T, bits>) {
    if (batch == 1) return (vertices + 31) / 32;
    return vertices * ((std::uint64_t{batch} + 31) / 32);
  } else {
    return vertices * batch;
  }
}

template <class T>
class plan<T>::backend {
 public:
  backend(matrix a, const product_options& options) : a_(std::move(a)), options_(options) {}
  virtual ~backend() = default;
  backend(const backend&) = delete;
  backend& operator=(const backend&) = delete;

  // The device it was made for.
  virtual device where() const { return device::cpu; }
  // Bytes of the matrix on that device.
  virtual std::uint64_t matrix_bytes() const { return a_.bytes().total(); }
  // Bytes that the plan holds beside the matrix and the vectors.
  virtual std::uint64_t scratch_bytes() const = 0;
  // Allocates and uploads what can be allocated before the vectors are known.
  virtual void prepare() {}
  // y = alpha · A⊗x + beta · y or the transposed product. The sizes and the update have been
  // checked.
  virtual void run(const T* x, T* y, update<T> how) = 0;
  // The same with vectors in device memory, enqueued on a stream.
  virtual void run_on(cuda_stream, const T*, T*, update<T>) {
    throw invalid_argument("run_on: this plan runs on the CPU; use run");
  }

  const matrix& a() const { return a_; }
  const product_options& options() const { return options_; }
  index_t inputs() const { return options_.side == direction::right ? a_.cols() : a_.rows(); }
  index_t outputs() const { return options_.side == direction::right ? a_.rows() : a_.cols(); }

 private:
  matrix a_;
  product_options options_;
};

}  // namespace baltoro
