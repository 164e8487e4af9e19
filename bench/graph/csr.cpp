#include "graph/csr.hpp"

#include <numeric>

namespace baltoro::bench {

csr to_csr(const matrix& a) {
  csr result;
  result.dims = a.dims();
  result.row_begin.push_back(0);
  for (const index_t degree : a.out_degrees()) {
    result.row_begin.push_back(result.row_begin.back() + degree);
  }
  result.columns.resize(a.nnz());
  // In Morton order the columns of one row ascend.
  std::vector<std::uint64_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  a.for_each([&](std::span<const edge> cells) {
    for (const edge& e : cells) result.columns[next[e.row]++] = e.col;
  });
  return result;
}

csr transposed(const csr& a) {
  csr result;
  result.dims = {a.dims.cols, a.dims.rows};
  result.row_begin.resize(std::uint64_t{a.dims.cols} + 1);
  for (const index_t column : a.columns) ++result.row_begin[std::uint64_t{column} + 1];
  std::partial_sum(result.row_begin.begin(), result.row_begin.end(), result.row_begin.begin());
  result.columns.resize(a.nnz());
  std::vector<std::uint64_t> next(result.row_begin.begin(), result.row_begin.end() - 1);
  for (index_t row = 0; row < a.dims.rows; ++row) {
    for (std::uint64_t at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) {
      result.columns[next[a.columns[at]]++] = row;
    }
  }
  return result;
}

}  // namespace baltoro::bench
