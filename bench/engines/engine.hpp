// What is compared: engines that hold one matrix in one form, and their products.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace baltoro::bench {

// y = A x or yᵀ = xᵀ A over plus_times on floats, for one vector or a batch of them (n × B, row-major), or
// over lor_land on one vector in bits, whose words then take the place of the floats.
struct task {
  direction side = direction::right;
  index_t batch = 1;
  bool boolean = false;
  friend bool operator==(const task&, const task&) = default;

  // Entries of one vector of x and of y, or words.
  std::uint64_t inputs(const shape& dims) const {
    return entries(side == direction::right ? dims.cols : dims.rows);
  }
  std::uint64_t outputs(const shape& dims) const {
    return entries(side == direction::right ? dims.rows : dims.cols);
  }

 private:
  std::uint64_t entries(std::uint64_t vertices) const {
    return boolean ? (vertices + 31) / 32 : vertices;
  }
};

// One way to do a task. On a GPU x and y lie in its memory and work is put on the stream; on the CPU
// there is no stream and y is complete when run() returns.
class product {
 public:
  product() = default;
  virtual ~product() = default;
  product(const product&) = delete;
  product& operator=(const product&) = delete;

  // Does what is done once, before any run with these vectors.
  virtual void prepare(cuda_stream stream, const float* x, float* y) = 0;
  // Overwrites y, whatever it holds.
  virtual void run(cuda_stream stream, const float* x, float* y) = 0;
  // What must be held during a run. Known when the product is prepared.
  virtual working_set needs() const = 0;
};

// A matrix in the form of one engine. One is held at a time, so that each has the memory for itself.
class engine {
 public:
  engine() = default;
  virtual ~engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  virtual std::string name() const = 0;
  // cpu or cuda.
  virtual device where() const = 0;
  // What is kept between products, vectors and scratch apart.
  virtual std::uint64_t persistent_bytes() const = 0;
  // Whether it can do tasks on bits.
  virtual bool boolean() const { return false; }
  // The algorithms or settings for a task, all of which are measured; the fastest counts.
  virtual std::vector<std::string> variants(const task& what) const = 0;
  // One of them. Throws not_compiled where the engine does not support it, out_of_memory.
  virtual std::unique_ptr<product> make(const task& what, const std::string& variant) = 0;
};

}  // namespace baltoro::bench
