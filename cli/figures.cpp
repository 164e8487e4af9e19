#include "figures.hpp"

#include <baltoro/payload.hpp>

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace baltoro::cli {

std::uint64_t csr_bytes(const matrix& a) {
  const std::uint64_t start_bytes = a.nnz() > 0xFFFF'FFFFULL ? 8 : 4;
  return 4 * a.nnz() + start_bytes * (std::uint64_t{a.rows()} + 1);
}

namespace {

json figures_of(const level_order_view& tree) {
  std::vector<std::uint64_t> nodes_per_level;
  for (unsigned level = 0; level < tree.levels; ++level) {
    nodes_per_level.push_back(tree.nodes_at(level));
  }
  return {{"levels", tree.levels}, {"nodes", tree.nodes()}, {"nodes_per_level", nodes_per_level}};
}

json figures_of(const adaptive_view& a) {
  const payload_parts parts = parts_of(a);
  json by_kind = json::object();
  for (unsigned kind = 0; name_of_container_kind(kind) != nullptr; ++kind) {
    by_kind[name_of_container_kind(kind)] = parts.containers[kind];
  }
  json widths = json::array();
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    widths.push_back(c == 3 && a.classes.escapes()
                         ? json(a.classes.escapes_by_rows() ? "rows" : "raw")
                         : json(a.classes.width[c]));
  }
  return {{"leaves", a.leaves},
          {"containers", a.containers},
          {"containers_by_kind", std::move(by_kind)},
          {"patterns", a.patterns},
          {"class_widths", std::move(widths)},
          {"payload_bytes",
           {{"positions", parts.positions_bytes}, {"contents", parts.contents_bytes}}}};
}

json bytes_of(const matrix& a) {
  const matrix_bytes bytes = a.bytes();
  if (a.kind() == layout::adaptive) {
    return {{"containers", bytes.containers},
            {"payload", bytes.payload},
            {"dictionary", bytes.dictionary},
            {"table", bytes.table},
            {"total", bytes.total()}};
  }
  return {{"tree", bytes.tree},
          {"directory", bytes.directory},
          {"table", bytes.table},
          {"total", bytes.total()}};
}

}  // namespace

json figures(const matrix& a) {
  json result = {
      {"rows", a.rows()}, {"cols", a.cols()}, {"nnz", a.nnz()}, {"layout", name_of(a.kind())}};
  result.update(a.kind() == layout::adaptive ? figures_of(a.adaptive()) : figures_of(a.tree()));
  result["bits_per_edge"] = a.bits_per_edge();
  result["bytes"] = bytes_of(a);
  result["csr_bytes"] = csr_bytes(a);
  return result;
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
