// CSR without values: 1 to 32 threads a row on the right, the same on the left with atomic additions,
// and one thread a row and vector for a batch (paper, section 4).
#include <algorithm>
#include <array>

#include "cuda/check.cuh"
#include "engines/bcsr_kernels.cuh"
#include "engines/device_csr.hpp"
#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

constexpr unsigned threads_per_block = 256;

// y is zero before.
template <unsigned Threads, class Offset>
__global__ void multiply_left(const Offset* __restrict__ row_begin,
                              const index_t* __restrict__ columns, std::uint64_t rows,
                              const float* __restrict__ x, float* __restrict__ y) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t row = thread / Threads;
  if (row >= rows) return;
  const float term = x[row];
  const Offset end = row_begin[row + 1];
  for (Offset at = row_begin[row] + thread % Threads; at < end; at += Threads) {
    atomicAdd(y + columns[at], term);
  }
}

// Vectors lie side by side in x, rows in y; wide batches take several blocks.
template <class Offset>
__global__ void multiply_batch(const Offset* __restrict__ row_begin,
                               const index_t* __restrict__ columns, std::uint64_t rows,
                               std::uint64_t batch, const float* __restrict__ x,
                               float* __restrict__ y) {
  const std::uint64_t row = std::uint64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const Offset begin = row_begin[row];
  const Offset end = row_begin[row + 1];
  for (std::uint64_t k = std::uint64_t{blockIdx.y} * blockDim.x + threadIdx.x; k < batch;
       k += std::uint64_t{gridDim.y} * blockDim.x) {
    float sum = 0;
    for (Offset at = begin; at < end; ++at) sum += x[columns[at] * batch + k];
    y[row * batch + k] = sum;
  }
}

unsigned blocks_for(std::uint64_t threads, unsigned per_block) {
  return static_cast<unsigned>((threads + per_block - 1) / per_block);
}

template <class Offset>
class bcsr_product final : public product {
 public:
  bcsr_product(const device_csr& a, const task& what, unsigned threads_per_row)
      : a_(a), what_(what), threads_per_row_(threads_per_row) {}

  void prepare(cuda_stream, const float*, float*) override {}

  void run(cuda_stream stream, const float* x, float* y) override {
    if (what_.batch > 1) {
      run_batch(stream, x, y);
      return;
    }
    if (what_.side == direction::left) {
      cuda::check(cudaMemsetAsync(y, 0, sizeof(float) * a_.dims().cols, stream), "cudaMemsetAsync");
    }
    switch (threads_per_row_) {
      case 1:
        return run_single<1>(stream, x, y);
      case 2:
        return run_single<2>(stream, x, y);
      case 4:
        return run_single<4>(stream, x, y);
      case 8:
        return run_single<8>(stream, x, y);
      case 16:
        return run_single<16>(stream, x, y);
      default:
        return run_single<32>(stream, x, y);
    }
  }

  working_set needs() const override {
    const std::uint64_t entries = what_.inputs(a_.dims()) + what_.outputs(a_.dims());
    return {a_.bytes(), sizeof(float) * entries * what_.batch, 0};
  }

 private:
  const Offset* row_begin() const { return static_cast<const Offset*>(a_.row_begin()); }

  template <unsigned Threads>
  void run_single(cuda_stream stream, const float* x, float* y) const {
    const auto kernel = what_.side == direction::right ? multiply_right<Threads, Offset, float>
                                                       : multiply_left<Threads, Offset>;
    const std::uint64_t rows = a_.dims().rows;
    cuda::launch(kernel, dim3(blocks_for(rows * Threads, threads_per_block)),
                 dim3(threads_per_block), 0, stream, row_begin(), a_.columns(), rows, x, y);
  }

  void run_batch(cuda_stream stream, const float* x, float* y) const {
    const unsigned across = std::min<unsigned>(what_.batch, threads_per_block);
    const unsigned down = threads_per_block / across;
    const std::uint64_t rows = a_.dims().rows;
    const dim3 blocks(blocks_for(rows, down), blocks_for(what_.batch, across));
    cuda::launch(multiply_batch<Offset>, blocks, dim3(across, down), 0, stream, row_begin(),
                 a_.columns(), rows, std::uint64_t{what_.batch}, x, y);
  }

  const device_csr& a_;
  task what_;
  unsigned threads_per_row_;
};

constexpr std::array<unsigned, 6> threads_per_row = {1, 2, 4, 8, 16, 32};

class bcsr_engine final : public engine {
 public:
  explicit bcsr_engine(const csr& a) : a_(a) {}

  std::string name() const override { return bcsr_name; }
  device where() const override { return device::cuda; }
  std::uint64_t persistent_bytes() const override { return a_.bytes(); }

  std::vector<std::string> variants(const task& what) const override {
    if (what.batch > 1) return {"1 thread a row and vector"};
    std::vector<std::string> names;
    for (const unsigned threads : threads_per_row) names.push_back(name_of(threads));
    return names;
  }

  std::unique_ptr<product> make(const task& what, const std::string& variant) override {
    if (what.batch > 1 && what.side == direction::left) {
      throw not_compiled("bcsr has no batches on the left");
    }
    for (const unsigned threads : threads_per_row) {
      if (what.batch > 1 || variant == name_of(threads)) return make(what, threads);
    }
    throw invalid_argument("bcsr has no variant " + variant);
  }

 private:
  static std::string name_of(unsigned threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads") + " a row";
  }

  std::unique_ptr<product> make(const task& what, unsigned threads) const {
    if (a_.wide()) return std::make_unique<bcsr_product<std::uint64_t>>(a_, what, threads);
    return std::make_unique<bcsr_product<std::uint32_t>>(a_, what, threads);
  }

  device_csr a_;
};

}  // namespace

std::unique_ptr<engine> make_bcsr(subject& graph) {
  return std::make_unique<bcsr_engine>(graph.uncompressed());
}

}  // namespace baltoro::bench
