#include "io/text_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace baltoro::io {
namespace {

constexpr auto report_interval = std::chrono::milliseconds(50);
constexpr std::size_t most_number_bytes = 10;
constexpr std::size_t most_line_bytes = 2 * most_number_bytes + 2;

// Formats lines of two numbers. In row-major order the first number is mostly that of the line
// before, so its text is kept.
class line_formatter {
 public:
  line_formatter(index_t base, char separator) : base_(base), separator_(separator) { set_row(0); }

  // Appends a line at `to`, where at least most_line_bytes + 16 must be free; returns its end.
  char* append(char* to, edge cell) {
    if (cell.row != row_) set_row(cell.row);
    std::memcpy(to, prefix_.data(), prefix_.size());
    to += prefix_bytes_;
    to = std::to_chars(to, to + most_number_bytes, cell.col + base_).ptr;
    *to++ = '\n';
    return to;
  }

 private:
  void set_row(index_t row) {
    row_ = row;
    char* end = std::to_chars(prefix_.data(), prefix_.data() + most_number_bytes, row + base_).ptr;
    *end++ = separator_;
    prefix_bytes_ = static_cast<std::size_t>(end - prefix_.data());
  }

  index_t base_;
  char separator_;
  index_t row_ = 0;
  std::array<char, 16> prefix_{};
  std::size_t prefix_bytes_ = 0;
};

void format_lines(line_formatter line, std::uint64_t nnz, const cell_batches& cells, output& to,
                  const progress_callback& progress) {
  constexpr std::size_t part_cells = 4096;
  std::vector<char> buffer(part_cells * most_line_bytes + 16);
  std::uint64_t done = 0;
  auto reported = std::chrono::steady_clock::now();
  cells([&](std::span<const edge> batch) {
    while (!batch.empty()) {
      const auto part = batch.first(std::min(batch.size(), part_cells));
      batch = batch.subspan(part.size());
      char* end = buffer.data();
      for (const edge cell : part) end = line.append(end, cell);
      to.write(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
      done += part.size();
      if (!progress) continue;
      const auto now = std::chrono::steady_clock::now();
      if (now - reported < report_interval) continue;
      reported = now;
      progress({"writing", done, nnz, "edges"});
    }
  });
  if (progress) progress({"writing", done, nnz, "edges"});
}

}  // namespace

void format_matrix_market(shape dims, std::uint64_t nnz, const cell_batches& cells, output& to,
                          const progress_callback& progress) {
  to.write(fmt::format("%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n", dims.rows,
                       dims.cols, nnz));
  format_lines(line_formatter(1, ' '), nnz, cells, to, progress);
}

void format_edge_list(std::uint64_t nnz, const cell_batches& cells, output& to,
                      const progress_callback& progress) {
  format_lines(line_formatter(0, '\t'), nnz, cells, to, progress);
}

}  // namespace baltoro::io
