#include <baltoro/writer.hpp>

#include "io/text_format.hpp"

namespace baltoro {
namespace {

io::cell_batches rows_of(const matrix& a) {
  return
      [&a](const std::function<void(std::span<const edge>)>& visit) { a.for_each_by_row(visit); };
}

}  // namespace

void write_matrix_market(const matrix& a, const std::filesystem::path& file,
                         const progress_callback& progress) {
  io::output to(file);
  io::format_matrix_market(a.dims(), a.nnz(), rows_of(a), to, progress);
  to.commit();
}

void write_edge_list(const matrix& a, const std::filesystem::path& file,
                     const progress_callback& progress) {
  io::output to(file);
  io::format_edge_list(a.nnz(), rows_of(a), to, progress);
  to.commit();
}

}  // namespace baltoro
