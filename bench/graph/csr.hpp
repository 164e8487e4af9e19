// The uncompressed form that the peers work on.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::bench {

struct csr {
  shape dims;
  std::vector<std::uint64_t> row_begin;  // rows + 1
  std::vector<index_t> columns;          // ascending within a row

  std::uint64_t nnz() const { return columns.size(); }
};

csr to_csr(const matrix& a);

// Rows become columns.
csr transposed(const csr& a);

// Whether row offsets of a CSR with so many non-zeros need 64 bits: cuSPARSE's 32 have a sign.
constexpr bool needs_wide_offsets(std::uint64_t nnz) { return nnz >= 1ULL << 31U; }

// Bytes of row offsets and 32-bit columns, without values.
constexpr std::uint64_t csr_bytes(const shape& dims, std::uint64_t nnz) {
  return 4 * nnz + (needs_wide_offsets(nnz) ? 8 : 4) * (std::uint64_t{dims.rows} + 1);
}

}  // namespace baltoro::bench
