#include <algorithm>

#include "cuda/adaptive/warp.cuh"
#include "cuda/check.cuh"
#include "cuda/reproducible/fixed_sums.cuh"

namespace baltoro::cuda {
namespace {

constexpr unsigned block_threads = 256;
constexpr std::uint64_t most_blocks = 2048;

// The entries of a batch that a thread has, all of one vector: `first`, `first` + `step`, …
struct share {
  std::uint64_t first;
  std::uint64_t step;
  std::uint64_t vector;

  __device__ explicit share(index_t batch)
      : first(std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x),
        step(std::uint64_t{gridDim.x} * blockDim.x / batch * batch),
        vector(first % batch) {}
  // Threads that are left over have none.
  __device__ bool empty() const { return first >= step; }
};

// As many blocks as suit a batch, at least a thread a vector.
dim3 blocks_for_entries(std::uint64_t count, index_t batch) {
  const auto blocks = [](std::uint64_t threads) {
    return (threads + block_threads - 1) / block_threads;
  };
  return dim3(static_cast<unsigned>(std::max(std::min(blocks(count), most_blocks), blocks(batch))));
}

// to = max(to, value). Most values change nothing.
__device__ void raise(std::uint64_t* to, std::uint64_t value) {
  if (value > *to) atomicMax(reinterpret_cast<unsigned long long*>(to), value);
}

__device__ std::uint64_t largest_of_warp(std::uint64_t value) {
  for (unsigned distance = warp::lanes / 2; distance != 0; distance /= 2) {
    const std::uint64_t other = __shfl_sync(warp::all, value, warp::lane() ^ distance);
    if (other > value) value = other;
  }
  return value;
}

// The largest finite |x| of each vector, and whether there are others. Bits of numbers that are not negative compare as
// these do.
template <class T>
__global__ void find_largest(const T* x, std::uint64_t count, index_t batch,
                             std::uint64_t* largest, std::uint32_t* any_other) {
  constexpr T most = std::numeric_limits<T>::max();
  const share own(batch);
  T found = 0;
  bool other = false;
  if (!own.empty()) {
    for (std::uint64_t i = own.first; i < count; i += own.step) {
      const T size = x[i] < 0 ? -x[i] : x[i];
      if (!(size <= most)) {
        other = true;
      } else if (size > found) {
        found = size;
      }
    }
  }
  if (other) *any_other = 1;
  auto bits = static_cast<std::uint64_t>(__double_as_longlong(static_cast<double>(found)));
  if (batch == 1) bits = largest_of_warp(bits);
  if (batch != 1 || warp::lane() == 0) raise(largest + own.vector, bits);
}

template <class T>
__global__ void make_fixed(const T* x, std::uint64_t count, index_t batch,
                           const std::uint64_t* largest, const std::uint64_t* most_terms,
                           fixed_t* to) {
  const share own(batch);
  if (own.empty()) return;
  const fixed_scale scale(largest[own.vector], *most_terms);
  for (std::uint64_t i = own.first; i < count; i += own.step) {
    to[i] = scale.to_fixed(static_cast<double>(x[i]));
  }
}

// y = alpha · sums + beta · y in double, rounded to T. Every operation is named, so that no compiler joins two.
template <class T>
__global__ void make_outputs(const fixed_t* sums, output_marks<fixed_t> marks, std::uint64_t count,
                             index_t batch, const std::uint64_t* largest,
                             const std::uint64_t* most_terms, T* y, double alpha, double beta) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  const share own(batch);
  if (own.empty()) return;
  const fixed_scale scale(largest[own.vector], *most_terms);
  for (std::uint64_t i = own.first; i < count; i += own.step) {
    const unsigned mark = marks.of(i);
    const double sum = mark == 0 ? scale.to_double(sums[i]) : value_of_mark(mark);
    // Adding beta · y, or 0, makes −0 a 0.
    const double old = beta == 0 ? 0.0 : static_cast<double>(y[i]);
    const auto result = static_cast<T>(fma(beta, old, fma(alpha, sum, 0.0)));
    y[i] = result != result ? nan : result;
  }
}

__global__ void make_ones(fixed_t* to, std::uint64_t count) {
  const share own(1);
  for (std::uint64_t i = own.first; i < count; i += own.step) to[i] = 1;
}

__global__ void find_most(const fixed_t* counts, std::uint64_t count, std::uint64_t* most) {
  const share own(1);
  std::uint64_t found = 0;
  for (std::uint64_t i = own.first; i < count; i += own.step) {
    if (counts[i] > found) found = counts[i];
  }
  found = largest_of_warp(found);
  if (warp::lane() == 0) raise(most, found);
}

// launch() for all entries of a batch; nothing where there are none.
template <class... Parameters, class... Arguments>
void launch_over(void (*kernel)(Parameters...), cudaStream_t stream, std::uint64_t count,
                 index_t batch, const Arguments&... arguments) {
  if (count == 0) return;
  launch(kernel, blocks_for_entries(count, batch), dim3(block_threads), 0, stream, arguments...);
}

}  // namespace

fixed_sums::fixed_sums(index_t inputs, index_t outputs, index_t batch)
    : inputs_(inputs), outputs_(outputs), batch_(batch) {
  const std::uint64_t x = std::uint64_t{inputs} * batch;
  const std::uint64_t y = std::uint64_t{outputs} * batch;
  constexpr unsigned of_word = output_marks<fixed_t>::of_word;
  control_begin_ = aligned(sizeof(std::uint64_t));
  largest_begin_ = control_begin_ + sizeof(std::uint64_t);
  marks_begin_ = aligned(largest_begin_ + sizeof(std::uint64_t) * batch);
  sums_begin_ = marks_begin_ + aligned(sizeof(std::uint32_t) * ((y + of_word - 1) / of_word));
  x_begin_ = sums_begin_ + aligned(sizeof(fixed_t) * y);
  bytes_ = x_begin_ + aligned(sizeof(fixed_t) * x);
}

void fixed_sums::prepare(const std::function<void(cudaStream_t)>& product) {
  if (prepared_) return;
  memory_ = device_memory();
  memory_ = device_memory(bytes_, "sums of the products");
  const stream work;
  check(cudaMemsetAsync(most_terms(), 0, sizeof(std::uint64_t), work.get()), "cudaMemsetAsync");
  clear(work.get(), true);
  launch_over(make_ones, work.get(), inputs_, 1, memory_.at<fixed_t>(x_begin_),
              std::uint64_t{inputs_});
  product(work.get());
  launch_over(find_most, work.get(), outputs_, 1, sums(), std::uint64_t{outputs_}, most_terms());
  work.wait();
  prepared_ = true;
}

void fixed_sums::clear(cudaStream_t stream, bool sums) const {
  const std::uint64_t end = sums ? x_begin_ : sums_begin_;
  check(cudaMemsetAsync(memory_.at<unsigned char>(control_begin_), 0, end - control_begin_, stream),
        "cudaMemsetAsync");
}

template <class T>
void fixed_sums::begin(cudaStream_t stream, const T* x, bool clear_sums) const {
  const std::uint64_t count = std::uint64_t{inputs_} * batch_;
  clear(stream, clear_sums);
  launch_over(find_largest<T>, stream, count, batch_, x, count, batch_, largest(),
              memory_.at<std::uint32_t>(control_begin_));
  launch_over(make_fixed<T>, stream, count, batch_, x, count, batch_, largest(), most_terms(),
              memory_.at<fixed_t>(x_begin_));
}

template <class T>
void fixed_sums::finish(cudaStream_t stream, T* y, update<T> how) const {
  const std::uint64_t count = std::uint64_t{outputs_} * batch_;
  launch_over(make_outputs<T>, stream, count, batch_, sums(), marks(), count, batch_, largest(),
              most_terms(), y, static_cast<double>(how.alpha), static_cast<double>(how.beta));
}

template void fixed_sums::begin(cudaStream_t, const float*, bool) const;
template void fixed_sums::begin(cudaStream_t, const double*, bool) const;
template void fixed_sums::finish(cudaStream_t, float*, update<float>) const;
template void fixed_sums::finish(cudaStream_t, double*, update<double>) const;

}  // namespace baltoro::cuda
