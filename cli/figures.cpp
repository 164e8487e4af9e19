#include "figures.hpp"

#include <fmt/format.h>

namespace baltoro::cli {

std::uint64_t csr_bytes(const matrix& a) {
  const std::uint64_t start_bytes = a.nnz() > 0xFFFF'FFFFULL ? 8 : 4;
  return 4 * a.nnz() + start_bytes * (std::uint64_t{a.rows()} + 1);
}

json figures(const matrix& a) {
  const level_order_view& tree = a.tree();
  std::vector<std::uint64_t> nodes_per_level;
  for (unsigned level = 0; level < tree.levels; ++level) {
    nodes_per_level.push_back(tree.nodes_at(level));
  }
  const matrix_bytes bytes = a.bytes();
  return {{"rows", a.rows()},
          {"cols", a.cols()},
          {"nnz", a.nnz()},
          {"layout", name_of(a.kind())},
          {"levels", tree.levels},
          {"nodes", tree.nodes()},
          {"nodes_per_level", nodes_per_level},
          {"bits_per_edge", a.bits_per_edge()},
          {"bytes",
           {{"tree", bytes.tree},
            {"directory", bytes.directory},
            {"table", bytes.table},
            {"total", bytes.total()}}},
          {"csr_bytes", csr_bytes(a)}};
}

std::string summary(const matrix& a) {
  return fmt::format("{} x {}, {} non-zeros, {}, {:.2f} bits an edge", grouped(a.rows()),
                     grouped(a.cols()), grouped(a.nnz()), size_text(a.bytes().total()),
                     a.bits_per_edge());
}

json to_json(const working_set& needs) {
  return {{"matrix_bytes", needs.matrix_bytes},
          {"vector_bytes", needs.vector_bytes},
          {"scratch_bytes", needs.scratch_bytes},
          {"total_bytes", needs.total()}};
}

std::string to_text(const working_set& needs) {
  return fmt::format("working set {}: matrix {}, vectors {}, scratch {}", size_text(needs.total()),
                     size_text(needs.matrix_bytes), size_text(needs.vector_bytes),
                     size_text(needs.scratch_bytes));
}

}  // namespace baltoro::cli
