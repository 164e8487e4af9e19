/// \file
/// \brief Products of a matrix with vectors: y = A⊗x (mxv, right) and yᵀ = xᵀ⊗A (vxm, left).
///
/// A product is a plan: made once for a matrix, a direction, a number of vectors and a semiring, it
/// says what memory it needs before anything runs, then runs any number of times. A batch of B
/// vectors is an n × B array in row-major order: the B values of one vertex lie side by side
/// (paper, 3.6).
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/semiring.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace baltoro {

/// Which side the vector stands on.
enum class direction : std::uint32_t {
  right,  ///< mxv, y = A⊗x: x has `cols` entries, y has `rows`
  left,   ///< vxm, yᵀ = xᵀ⊗A: x has `rows` entries, y has `cols`
};

/// What is to be multiplied.
struct product_options {
  direction side = direction::right;     ///< mxv or vxm
  semiring ring = semiring::plus_times;  ///< how terms are made and added
  index_t batch = 1;                     ///< number of vectors, B ≥ 1
  device where = device::cpu;  ///< where to run; `automatic` takes a GPU that is there and
                               ///< has the memory, else the CPU
  cuda_options cuda{};         ///< how to run on a GPU
  /// Whether the result of plus_times must have the same bits on every run, on every GPU and in every
  /// batch; see plan. On the CPU, and over the other semirings, it has them anyway.
  bool reproducible = false;
};

/// The memory of a product: what must be held while it runs, on the device it runs on. Known before
/// it runs.
struct working_set {
  std::uint64_t matrix_bytes = 0;   ///< the compressed matrix; on a GPU with its cached codes
  std::uint64_t vector_bytes = 0;   ///< x and y
  std::uint64_t scratch_bytes = 0;  ///< everything else that the plan allocates

  /// All of it.
  constexpr std::uint64_t total() const { return matrix_bytes + vector_bytes + scratch_bytes; }
};

/// 32 Boolean values, the first in the low bit. A vector of n values is ⌈n / 32⌉ of them. In a batch every
/// vertex has ⌈B / 32⌉ of its own, bit k of which belongs to vector k. Bits beyond the last are not read
/// and are left alone.
enum class bits : std::uint32_t {};

/// What becomes of y.
template <class T>
struct update {
  T alpha = T{1};  ///< factor of the product; 1 for semirings other than plus_times
  T beta =
      T{0};  ///< factor of the old y; where it is 0, the old y is not read. Semirings other than
             ///< plus_times take 0 (overwrite) and 1 (y = y ⊕ A⊗x)
};

/// A prepared product. T is float or double, or bits for lor_land with an adaptive matrix; plus_times on float vectors adds up in double on the
/// CPU and rounds once. On the CPU the result has the same bits whatever the number of threads. A GPU
/// adds in T and in no fixed order, so the last bits of plus_times may differ from run to run; the
/// other semirings are exact everywhere.
///
/// Where product_options::reproducible asks for it, a GPU adds up 64-bit integers instead, which have the
/// same sum in any order. Each vector of a batch gets a unit of its own: a power of two of at most
/// 2⁻⁶⁰ · d · max|x|, where d is the most non-zeros of an output (of a row, or for the left product of a
/// column) and the maximum is over the finite entries of the vector. Every x is rounded to a multiple of half
/// a unit either way, sums are exact, and alpha and beta are applied to them in double. So before the last
/// rounding to T a sum of m terms is off by at most m / 2 units and by what a double rounds: for most graphs
/// less than floats lose in any order, for doubles more where d is large or where the terms of an output are far
/// smaller than the largest x. A NaN or ∞ in x reaches exactly the outputs that have it as a term, with
/// IEEE's results and one NaN. Sums that are 0 are +0. It takes 8 bytes for each entry of x and of y as scratch,
/// three passes over the vectors, and a product more in prepare(), which finds d.
///
/// Plans on one matrix share its copy on the GPU, whatever their direction, semiring and batch.
template <class T>
class plan {
 public:
  /// Plans the product. Nothing is allocated before prepare() or the first run, so needs() can be
  /// asked before. On a GPU that is the one current in the calling thread.
  /// \throws invalid_argument when an option is outside its range
  /// \throws not_compiled, cuda_error when the device cannot be used
  /// \throws out_of_memory when the device has less memory free than the plan needs; the message
  /// names a configuration that would fit, where there is one
  plan(const matrix& a, const product_options& options);
  ~plan();
  /// Takes over what it holds; the other is then only good to be destroyed or assigned to.
  plan(plan&&) noexcept;
  /// The same, giving up what was held before.
  plan& operator=(plan&&) noexcept;

  /// What this plan holds and needs, in bytes. On a GPU the matrix and the scratch are allocated by
  /// prepare(), exactly as large as said here, and the vectors by run(), not by run_on().
  working_set needs() const;

  /// Where this plan runs: cpu or cuda.
  device where() const;

  /// Allocates and uploads what the product needs beside the vectors, and waits for it. The first
  /// run does it where this was not called.
  /// \throws out_of_memory, cuda_error
  void prepare();

  /// Number of entries of x: (cols or rows) × batch, or of words where T is bits.
  std::uint64_t x_size() const;
  /// Number of entries of y: (rows or cols) × batch, or of words where T is bits.
  std::uint64_t y_size() const;

  /// Computes y = alpha · A⊗x + beta · y (right) or the same with Aᵀ (left). x and y must not
  /// overlap. Returns when y is complete. Not to be called from two threads at once on one plan.
  /// Cost: every node of the tree once, every non-zero once for each vector.
  /// \throws invalid_argument when a span has the wrong size or an update does not suit the
  /// semiring
  void run(std::span<const T> x, std::span<T> y, update<T> how = {});

  /// The same on a GPU, with x and y in its memory: enqueues the product on a stream and returns.
  /// After prepare() it neither allocates nor waits, but for the second run with the same pointers
  /// and update, which records a CUDA graph where options.record asks for one; the last four graphs
  /// are kept.
  /// \param x x_size() values in device memory
  /// \param y y_size() values in device memory, apart from x
  /// \throws invalid_argument when the plan runs on the CPU or an update does not suit the semiring
  /// \throws cuda_error
  void run_on(cuda_stream stream, const T* x, T* y, update<T> how = {});

  /// What a backend implements.
  class backend;

 private:
  std::unique_ptr<backend> backend_;
};

extern template class plan<float>;
extern template class plan<double>;
extern template class plan<bits>;

/// y = A⊗x in one call, planned and run on the CPU.
template <class T>
void mxv(const matrix& a, std::span<const T> x, std::span<T> y,
         semiring ring = semiring::plus_times) {
  plan<T>(a, {.side = direction::right, .ring = ring}).run(x, y);
}

/// yᵀ = xᵀ⊗A in one call, planned and run on the CPU.
template <class T>
void vxm(const matrix& a, std::span<const T> x, std::span<T> y,
         semiring ring = semiring::plus_times) {
  plan<T>(a, {.side = direction::left, .ring = ring}).run(x, y);
}

}  // namespace baltoro
