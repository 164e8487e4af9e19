// cuSPARSE on CSR with float values: SpMV, transposed SpMV and SpMM, by each algorithm it has for CSR
// and with its preprocessing, all in device memory (paper, section 4).
#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "engines/cusparse_library.hpp"
#include "engines/device_csr.hpp"
#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

template <class Algorithm>
struct named {
  const char* name;
  Algorithm algorithm;
};

constexpr std::array<named<cusparseSpMVAlg_t>, 3> spmv_algorithms = {
    {{"default", CUSPARSE_SPMV_ALG_DEFAULT},
     {"CSR_ALG1", CUSPARSE_SPMV_CSR_ALG1},
     {"CSR_ALG2", CUSPARSE_SPMV_CSR_ALG2}}};
constexpr std::array<named<cusparseSpMMAlg_t>, 3> spmm_algorithms = {
    {{"default", CUSPARSE_SPMM_ALG_DEFAULT},
     {"CSR_ALG2", CUSPARSE_SPMM_CSR_ALG2},
     {"CSR_ALG3", CUSPARSE_SPMM_CSR_ALG3}}};

template <class Algorithm, std::size_t Count>
std::vector<std::string> names_of(const std::array<named<Algorithm>, Count>& algorithms) {
  std::vector<std::string> names;
  for (const auto& each : algorithms) names.emplace_back(each.name);
  return names;
}

template <class Algorithm, std::size_t Count>
Algorithm find(const std::array<named<Algorithm>, Count>& algorithms, const std::string& name) {
  for (const auto& each : algorithms) {
    if (name == each.name) return each.algorithm;
  }
  throw invalid_argument("cuSPARSE has no algorithm " + name);
}

constexpr float one = 1;
constexpr float zero = 0;

// The matrix and what the products share.
struct held_matrix {
  const cusparse_library& library;
  cusparseHandle_t handle = nullptr;
  device_csr pattern;
  cuda::device_memory values;

  std::uint64_t bytes() const { return pattern.bytes() + values.bytes(); }
};

class cusparse_product : public product {
 public:
  // Preprocessing leaves marks in the description of the matrix, so that every product has its own.
  cusparse_product(const held_matrix& a, const task& what) : a_(a), what_(what) {
    const shape& dims = a.pattern.dims();
    check(
        lib().create_csr(&matrix_, dims.rows, dims.cols, static_cast<std::int64_t>(a.pattern.nnz()),
                         a.pattern.row_begin(), a.pattern.columns(), a.values.data(),
                         a.pattern.wide() ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
        "cusparseCreateCsr");
  }
  ~cusparse_product() override { lib().destroy_matrix(matrix_); }

  working_set needs() const override {
    return {a_.bytes(), sizeof(float) * (inputs() + outputs()) * what_.batch, buffer_.bytes()};
  }

 protected:
  const cusparse_library& lib() const { return a_.library; }
  void check(cusparseStatus_t status, const char* call) const { lib().check(status, call); }
  // Algorithms that need no preprocessing may say that they have none.
  void check_preprocessing(cusparseStatus_t status, const char* call) const {
    if (status != CUSPARSE_STATUS_NOT_SUPPORTED) check(status, call);
  }
  std::uint64_t inputs() const { return what_.inputs(a_.pattern.dims()); }
  std::uint64_t outputs() const { return what_.outputs(a_.pattern.dims()); }
  cusparseOperation_t operation() const {
    return what_.side == direction::right ? CUSPARSE_OPERATION_NON_TRANSPOSE
                                          : CUSPARSE_OPERATION_TRANSPOSE;
  }
  void use(cuda_stream stream) { check(lib().set_stream(a_.handle, stream), "cusparseSetStream"); }

  // A pointer is wanted even where no buffer is needed.
  void allocate(std::size_t bytes) {
    buffer_ = cuda::device_memory(std::max<std::size_t>(bytes, 16), "the buffer of cuSPARSE");
  }

  const held_matrix& a_;
  task what_;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cuda::device_memory buffer_;
};

class spmv_product final : public cusparse_product {
 public:
  spmv_product(const held_matrix& a, const task& what, cusparseSpMVAlg_t algorithm)
      : cusparse_product(a, what), algorithm_(algorithm) {}
  ~spmv_product() override {
    if (x_ != nullptr) lib().destroy_vector(x_);
    if (y_ != nullptr) lib().destroy_vector(y_);
  }

  void prepare(cuda_stream stream, const float* x, float* y) override {
    use(stream);
    check(lib().create_vector(&x_, static_cast<std::int64_t>(inputs()), const_cast<float*>(x),
                              CUDA_R_32F),
          "cusparseCreateDnVec");
    check(lib().create_vector(&y_, static_cast<std::int64_t>(outputs()), y, CUDA_R_32F),
          "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check(lib().spmv_buffer_size(a_.handle, operation(), &one, matrix_, x_, &zero, y_, CUDA_R_32F,
                                 algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    allocate(bytes);
    check_preprocessing(lib().spmv_preprocess(a_.handle, operation(), &one, matrix_, x_, &zero, y_,
                                              CUDA_R_32F, algorithm_, buffer_.data()),
                        "cusparseSpMV_preprocess");
  }

  void run(cuda_stream stream, const float* x, float* y) override {
    use(stream);
    check(lib().set_vector(x_, const_cast<float*>(x)), "cusparseDnVecSetValues");
    check(lib().set_vector(y_, y), "cusparseDnVecSetValues");
    check(lib().spmv(a_.handle, operation(), &one, matrix_, x_, &zero, y_, CUDA_R_32F, algorithm_,
                     buffer_.data()),
          "cusparseSpMV");
  }

 private:
  cusparseSpMVAlg_t algorithm_;
  cusparseDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
};

class spmm_product final : public cusparse_product {
 public:
  spmm_product(const held_matrix& a, const task& what, cusparseSpMMAlg_t algorithm)
      : cusparse_product(a, what), algorithm_(algorithm) {}
  ~spmm_product() override {
    if (x_ != nullptr) lib().destroy_dense(x_);
    if (y_ != nullptr) lib().destroy_dense(y_);
  }

  void prepare(cuda_stream stream, const float* x, float* y) override {
    use(stream);
    describe(x_, inputs(), const_cast<float*>(x));
    describe(y_, outputs(), y);
    std::size_t bytes = 0;
    check(lib().spmm_buffer_size(a_.handle, operation(), as_it_is, &one, matrix_, x_, &zero, y_,
                                 CUDA_R_32F, algorithm_, &bytes),
          "cusparseSpMM_bufferSize");
    allocate(bytes);
    check_preprocessing(lib().spmm_preprocess(a_.handle, operation(), as_it_is, &one, matrix_, x_,
                                              &zero, y_, CUDA_R_32F, algorithm_, buffer_.data()),
                        "cusparseSpMM_preprocess");
  }

  void run(cuda_stream stream, const float* x, float* y) override {
    use(stream);
    check(lib().set_dense(x_, const_cast<float*>(x)), "cusparseDnMatSetValues");
    check(lib().set_dense(y_, y), "cusparseDnMatSetValues");
    check(lib().spmm(a_.handle, operation(), as_it_is, &one, matrix_, x_, &zero, y_, CUDA_R_32F,
                     algorithm_, buffer_.data()),
          "cusparseSpMM");
  }

 private:
  static constexpr cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;

  // n × B, row-major.
  void describe(cusparseDnMatDescr_t& dense, std::uint64_t rows, float* values) const {
    check(lib().create_dense(&dense, static_cast<std::int64_t>(rows), what_.batch, what_.batch,
                             values, CUDA_R_32F, CUSPARSE_ORDER_ROW),
          "cusparseCreateDnMat");
  }

  cusparseSpMMAlg_t algorithm_;
  cusparseDnMatDescr_t x_ = nullptr;
  cusparseDnMatDescr_t y_ = nullptr;
};

class cusparse_engine final : public engine {
 public:
  explicit cusparse_engine(const csr& a)
      : a_{cusparse_library::get(), nullptr, device_csr(a),
           cuda::device_memory(sizeof(float) * a.nnz(), "the values of a CSR")} {
    const std::vector<float> ones(a.nnz(), 1);
    const cuda::stream upload;
    cuda::copy_to_device(a_.values.data(), ones.data(), a_.values.bytes(), upload.get());
    upload.wait();
    a_.library.check(a_.library.create(&a_.handle), "cusparseCreate");
  }
  ~cusparse_engine() override {
    if (a_.handle != nullptr) a_.library.destroy(a_.handle);
  }

  std::string name() const override { return cusparse_name; }
  device where() const override { return device::cuda; }
  std::uint64_t persistent_bytes() const override { return a_.bytes(); }

  std::vector<std::string> variants(const task& what) const override {
    return what.batch == 1 ? names_of(spmv_algorithms) : names_of(spmm_algorithms);
  }

  std::unique_ptr<product> make(const task& what, const std::string& variant) override {
    if (what.batch == 1) {
      return std::make_unique<spmv_product>(a_, what, find(spmv_algorithms, variant));
    }
    return std::make_unique<spmm_product>(a_, what, find(spmm_algorithms, variant));
  }

 private:
  held_matrix a_;
};

}  // namespace

std::unique_ptr<engine> make_cusparse(subject& graph) {
  constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  if (graph.dims().rows > most || graph.dims().cols > most) {
    throw not_compiled("cuSPARSE's 32-bit columns have a sign: a matrix has at most 2^31-1");
  }
  cusparse_library::get();  // before anything is made for it
  return std::make_unique<cusparse_engine>(graph.uncompressed());
}

}  // namespace baltoro::bench
