#include "engines/device_csr.hpp"

namespace baltoro::bench {

device_csr::device_csr(const csr& a)
    : dims_(a.dims),
      nnz_(a.nnz()),
      row_begin_((wide() ? 8 : 4) * a.row_begin.size(), "the row offsets of a CSR"),
      columns_(4 * nnz_, "the columns of a CSR") {
  const cuda::stream upload;
  std::vector<std::uint32_t> narrow;
  if (!wide()) narrow.assign(a.row_begin.begin(), a.row_begin.end());
  const void* const offsets = wide() ? static_cast<const void*>(a.row_begin.data()) : narrow.data();
  cuda::copy_to_device(row_begin_.data(), offsets, row_begin_.bytes(), upload.get());
  cuda::copy_to_device(columns_.data(), a.columns.data(), columns_.bytes(), upload.get());
  upload.wait();
}

}  // namespace baltoro::bench
