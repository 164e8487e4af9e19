// PageRank's product over CSR: by cuSPARSE, or without values. The rest of an iteration is the library's.
#pragma once

#include <memory>
#include <string>

#include "cuda/power_iteration.hpp"
#include "graph/csr.hpp"

namespace baltoro::bench {

// `in` has a row of predecessors for each vertex, so that the product is Aᵀx; `out` says how many successors
// there are. cuSPARSE's SpMV by one of its algorithms for CSR, "CSR_ALG1" or "CSR_ALG2", with its
// preprocessing. Throws not_compiled where cuSPARSE is absent or cannot hold the matrix.
template <class T>
std::unique_ptr<cuda::rank_product<T>> make_cusparse_ranks(const csr& in, const csr& out,
                                                           const std::string& algorithm);
// So many threads a row: 1, 2, 4, 8, 16 or 32.
template <class T>
std::unique_ptr<cuda::rank_product<T>> make_bcsr_ranks(const csr& in, const csr& out,
                                                       unsigned threads_per_row);

}  // namespace baltoro::bench
