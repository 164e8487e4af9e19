// The figures of a matrix that several commands report.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <string>

#include "text.hpp"

namespace baltoro::cli {

// rows, cols, nnz, layout, bits_per_edge, bytes, csr_bytes; for level-order levels, nodes and
// nodes_per_level, for adaptive leaves, containers, containers_by_kind, patterns, class_widths and
// payload_bytes.
json figures(const matrix& a);

// What CSR without values needs: a 4-byte column number a non-zero and a row start a row and one
// more, 4 bytes each while they count non-zeros that fit, 8 beyond.
std::uint64_t csr_bytes(const matrix& a);

// "325,557 x 325,557, 3,216,152 non-zeros, 1.45 MB, 3.50 bits an edge"
std::string summary(const matrix& a);

// The working set of a product, for programs and for people.
json to_json(const working_set& needs);
std::string to_text(const working_set& needs);

}  // namespace baltoro::cli
