// cuSPARSE, loaded when it is first needed: the command neither links nor requires it.
#pragma once

#include <cstddef>

#include <cusparse.h>

namespace baltoro::bench {

// Its functions, with the types that its header declares.
struct cusparse_library {
  // Throws not_compiled with the loader's words where the library or one of the functions is absent.
  static const cusparse_library& get();

  // Throws not_compiled for what cuSPARSE says it does not support, cuda_error otherwise.
  void check(cusparseStatus_t status, const char* call) const;

  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseGetVersion) get_version = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseGetErrorName) error_name = nullptr;
  decltype(&cusparseGetErrorString) error_text = nullptr;

  decltype(&cusparseCreateCsr) create_csr = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDnVecSetValues) set_vector = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseCreateDnMat) create_dense = nullptr;
  decltype(&cusparseDnMatSetValues) set_dense = nullptr;
  decltype(&cusparseDestroyDnMat) destroy_dense = nullptr;

  decltype(&cusparseSpMV_bufferSize) spmv_buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) spmv_preprocess = nullptr;
  decltype(&cusparseSpMV) spmv = nullptr;
  decltype(&cusparseSpMM_bufferSize) spmm_buffer_size = nullptr;
  decltype(&cusparseSpMM_preprocess) spmm_preprocess = nullptr;
  decltype(&cusparseSpMM) spmm = nullptr;
};

}  // namespace baltoro::bench
