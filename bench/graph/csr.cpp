#include "graph/csr.hpp"

namespace baltoro::bench {

csr to_csr(const matrix& a) {
  csr result;
  result.dims = a.dims();
  result.columns.reserve(a.nnz());
  result.row_begin.assign(a.rows() + std::uint64_t{1}, 0);
  a.for_each_by_row([&](std::span<const edge> cells) {
    for (const edge& e : cells) {
      ++result.row_begin[e.row + std::uint64_t{1}];
      result.columns.push_back(e.col);
    }
  });
  for (std::uint64_t row = 0; row < a.rows(); ++row) {
    result.row_begin[row + 1] += result.row_begin[row];
  }
  return result;
}

}  // namespace baltoro::bench
