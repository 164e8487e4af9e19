#include "engines/cusparse_library.hpp"

#include <baltoro/error.hpp>

#include "measure/shared_library.hpp"

namespace baltoro::bench {
namespace {

cusparse_library load() {
  const shared_library file("libcusparse.so.12");
  cusparse_library l;
  file.find(l.create, "cusparseCreate");
  file.find(l.destroy, "cusparseDestroy");
  file.find(l.get_version, "cusparseGetVersion");
  file.find(l.set_stream, "cusparseSetStream");
  file.find(l.error_name, "cusparseGetErrorName");
  file.find(l.error_text, "cusparseGetErrorString");
  file.find(l.create_csr, "cusparseCreateCsr");
  file.find(l.destroy_matrix, "cusparseDestroySpMat");
  file.find(l.create_vector, "cusparseCreateDnVec");
  file.find(l.set_vector, "cusparseDnVecSetValues");
  file.find(l.destroy_vector, "cusparseDestroyDnVec");
  file.find(l.create_dense, "cusparseCreateDnMat");
  file.find(l.set_dense, "cusparseDnMatSetValues");
  file.find(l.destroy_dense, "cusparseDestroyDnMat");
  file.find(l.spmv_buffer_size, "cusparseSpMV_bufferSize");
  file.find(l.spmv_preprocess, "cusparseSpMV_preprocess");
  file.find(l.spmv, "cusparseSpMV");
  file.find(l.spmm_buffer_size, "cusparseSpMM_bufferSize");
  file.find(l.spmm_preprocess, "cusparseSpMM_preprocess");
  file.find(l.spmm, "cusparseSpMM");
  return l;
}

}  // namespace

const cusparse_library& cusparse_library::get() {
  static const cusparse_library library = load();
  return library;
}

void cusparse_library::check(cusparseStatus_t status, const char* call) const {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const std::string reason =
      std::string(call) + ": " + error_text(status) + " (" + error_name(status) + ")";
  if (status == CUSPARSE_STATUS_NOT_SUPPORTED ||
      status == CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED ||
      status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES || status == CUSPARSE_STATUS_ARCH_MISMATCH) {
    throw not_compiled(reason);
  }
  throw cuda_error(reason);
}

}  // namespace baltoro::bench
