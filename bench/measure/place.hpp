// Where products run: the vectors they work on, and a clock that suits them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/engine.hpp"

namespace baltoro::bench {

class place {
 public:
  place() = default;
  virtual ~place() = default;
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  // Gives up the vectors.
  virtual void release() = 0;
  // Takes vectors for a task: x holds input_value(), every y a NaN. Throws out_of_memory.
  virtual void take(const task& what, const shape& dims) = 0;
  // Makes every y a NaN again.
  virtual void poison_outputs() = 0;
  virtual void prepare(product& what) = 0;
  // Milliseconds of `count` products, one after the other.
  virtual double run_ms(product& what, std::uint64_t count) = 0;
  // Vector k of y.
  virtual std::vector<float> outputs(index_t k) = 0;
  // How many entries of all vectors of y are no finite numbers.
  virtual std::uint64_t not_finite() = 0;
};

// The memory of this process and its wall clock.
std::unique_ptr<place> make_host_place();
// The memory of the current GPU, a stream and CUDA events on it.
std::unique_ptr<place> make_gpu_place();

}  // namespace baltoro::bench
