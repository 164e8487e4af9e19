#include "graph/csr.hpp"

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

}  // namespace baltoro::bench
