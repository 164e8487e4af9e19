#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "algorithms/csr_ranks.hpp"
#include "cuda/check.cuh"
#include "engines/bcsr_kernels.cuh"
#include "engines/cusparse_library.hpp"
#include "engines/device_csr.hpp"

namespace baltoro::bench {
namespace {

// A CSR of predecessors on the device.
template <class T>
class csr_ranks : public cuda::rank_product<T> {
 public:
  csr_ranks(const csr& in, const csr& out) : in_(in), degrees_(out.dims.rows) {
    for (std::uint64_t v = 0; v < degrees_.size(); ++v) {
      degrees_[v] = static_cast<index_t>(out.row_begin[v + 1] - out.row_begin[v]);
    }
  }

  std::uint64_t vertices() const override { return in_.dims().rows; }
  std::uint64_t matrix_bytes() const override { return in_.bytes(); }
  std::uint64_t resident_bytes() const override { return matrix_bytes(); }
  std::uint64_t scratch_bytes() const override { return 0; }
  void prepare(cudaStream_t, const T*, T*) override {}
  void count_degrees(cudaStream_t stream, index_t* degrees) override {
    cuda::copy_to_device(degrees, degrees_.data(), sizeof(index_t) * degrees_.size(), stream);
  }
  bool adds() const override { return false; }

 protected:
  const device_csr& in() const { return in_; }

 private:
  device_csr in_;
  std::vector<index_t> degrees_;
};

template <class T, class Offset>
class bcsr_ranks final : public csr_ranks<T> {
 public:
  bcsr_ranks(const csr& in, const csr& out, unsigned threads_per_row)
      : csr_ranks<T>(in, out), threads_per_row_(threads_per_row) {}

  void run(cudaStream_t stream, const T* x, T* y) override {
    switch (threads_per_row_) {
      case 1:
        return run_with<1>(stream, x, y);
      case 2:
        return run_with<2>(stream, x, y);
      case 4:
        return run_with<4>(stream, x, y);
      case 8:
        return run_with<8>(stream, x, y);
      case 16:
        return run_with<16>(stream, x, y);
      default:
        return run_with<32>(stream, x, y);
    }
  }

 private:
  template <unsigned Threads>
  void run_with(cudaStream_t stream, const T* x, T* y) const {
    constexpr unsigned block = 256;
    const device_csr& a = this->in();
    const std::uint64_t rows = a.dims().rows;
    cuda::launch(multiply_right<Threads, Offset, T>,
                 dim3(static_cast<unsigned>((rows * Threads + block - 1) / block)), dim3(block), 0,
                 stream, static_cast<const Offset*>(a.row_begin()), a.columns(), rows, x, y);
  }

  unsigned threads_per_row_;
};

template <class T>
class cusparse_ranks final : public csr_ranks<T> {
 public:
  cusparse_ranks(const csr& in, const csr& out, cusparseSpMVAlg_t algorithm)
      : csr_ranks<T>(in, out),
        library_(cusparse_library::get()),
        algorithm_(algorithm),
        values_(sizeof(T) * in.nnz(), "the values of a CSR") {
    const std::vector<T> ones(in.nnz(), T{1});
    const cuda::stream upload;
    cuda::copy_to_device(values_.data(), ones.data(), values_.bytes(), upload.get());
    upload.wait();
    check(library_.create(&handle_), "cusparseCreate");
  }
  ~cusparse_ranks() override {
    if (x_ != nullptr) library_.destroy_vector(x_);
    if (y_ != nullptr) library_.destroy_vector(y_);
    if (matrix_ != nullptr) library_.destroy_matrix(matrix_);
    if (handle_ != nullptr) library_.destroy(handle_);
  }

  std::uint64_t matrix_bytes() const override {
    return csr_ranks<T>::matrix_bytes() + values_.bytes();
  }
  std::uint64_t scratch_bytes() const override { return buffer_.bytes(); }

  void prepare(cudaStream_t stream, const T* x, T* y) override {
    const device_csr& a = this->in();
    const auto n = static_cast<std::int64_t>(a.dims().rows);
    check(library_.set_stream(handle_, stream), "cusparseSetStream");
    check(library_.create_csr(&matrix_, n, n, static_cast<std::int64_t>(a.nnz()), a.row_begin(),
                              a.columns(), values_.data(),
                              a.wide() ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type),
          "cusparseCreateCsr");
    check(library_.create_vector(&x_, n, const_cast<T*>(x), type), "cusparseCreateDnVec");
    check(library_.create_vector(&y_, n, y, type), "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(library_.spmv_buffer_size(handle_, operation, &one, matrix_, x_, &zero, y_, type,
                                    algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    buffer_ = cuda::device_memory(std::max<std::size_t>(bytes, 16), "the buffer of cuSPARSE");
    const cusparseStatus_t prepared = library_.spmv_preprocess(
        handle_, operation, &one, matrix_, x_, &zero, y_, type, algorithm_, buffer_.data());
    if (prepared != CUSPARSE_STATUS_NOT_SUPPORTED) check(prepared, "cusparseSpMV_preprocess");
  }

  void run(cudaStream_t, const T*, T*) override {
    check(library_.spmv(handle_, operation, &one, matrix_, x_, &zero, y_, type, algorithm_,
                        buffer_.data()),
          "cusparseSpMV");
  }

 private:
  static constexpr cudaDataType type = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cusparseOperation_t operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr T one = 1;
  static constexpr T zero = 0;

  void check(cusparseStatus_t status, const char* call) const { library_.check(status, call); }

  const cusparse_library& library_;
  cusparseSpMVAlg_t algorithm_;
  cuda::device_memory values_;
  cuda::device_memory buffer_;
  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
};

}  // namespace

template <class T>
std::unique_ptr<cuda::rank_product<T>> make_cusparse_ranks(const csr& in, const csr& out,
                                                           const std::string& algorithm) {
  if (in.dims.rows > static_cast<index_t>(std::numeric_limits<std::int32_t>::max())) {
    throw not_compiled("cuSPARSE's 32-bit columns have a sign: a matrix has at most 2^31-1");
  }
  return std::make_unique<cusparse_ranks<T>>(
      in, out, algorithm == "CSR_ALG2" ? CUSPARSE_SPMV_CSR_ALG2 : CUSPARSE_SPMV_CSR_ALG1);
}

template <class T>
std::unique_ptr<cuda::rank_product<T>> make_bcsr_ranks(const csr& in, const csr& out,
                                                       unsigned threads_per_row) {
  if (needs_wide_offsets(in.nnz())) {
    return std::make_unique<bcsr_ranks<T, std::uint64_t>>(in, out, threads_per_row);
  }
  return std::make_unique<bcsr_ranks<T, std::uint32_t>>(in, out, threads_per_row);
}

template std::unique_ptr<cuda::rank_product<float>> make_cusparse_ranks(const csr&, const csr&,
                                                                        const std::string&);
template std::unique_ptr<cuda::rank_product<double>> make_cusparse_ranks(const csr&, const csr&,
                                                                         const std::string&);
template std::unique_ptr<cuda::rank_product<float>> make_bcsr_ranks(const csr&, const csr&,
                                                                    unsigned);
template std::unique_ptr<cuda::rank_product<double>> make_bcsr_ranks(const csr&, const csr&,
                                                                     unsigned);

}  // namespace baltoro::bench
