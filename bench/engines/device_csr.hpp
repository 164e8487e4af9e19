// A CSR in device memory.
#pragma once

#include "cuda/device_memory.hpp"
#include "graph/csr.hpp"

namespace baltoro::bench {

class device_csr {
 public:
  // Uploads and waits. Throws out_of_memory.
  explicit device_csr(const csr& a);

  const shape& dims() const { return dims_; }
  std::uint64_t nnz() const { return nnz_; }
  std::uint64_t bytes() const { return csr_bytes(dims_, nnz_); }
  // Whether row_begin() points to 64-bit numbers; to 32-bit ones otherwise.
  bool wide() const { return needs_wide_offsets(nnz_); }
  void* row_begin() const { return row_begin_.data(); }
  index_t* columns() const { return columns_.at<index_t>(); }

 private:
  shape dims_;
  std::uint64_t nnz_;
  cuda::device_memory row_begin_;
  cuda::device_memory columns_;
};

}  // namespace baltoro::bench
