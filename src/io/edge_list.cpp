// Edge lists: a line an edge, two vertex numbers and anything after them.
//
// Numbers are separated by blanks, by one comma or semicolon, or by both; what follows the second
// is ignored. Blank lines and lines that start with #, % or // are passed over.

#include <baltoro/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/edge_batch.hpp"
#include "io/readers.hpp"
#include "io/text_scanner.hpp"

namespace baltoro::io {
namespace {

constexpr bool is_separator(char c) { return is_blank(c) || c == ',' || c == ';'; }

class edge_list_reader {
 public:
  edge_list_reader(text_scanner& text, edge_sink& sink, const read_options& options)
      : text_(text), base_(options.index_base), skip_lines_(options.skip_lines), batch_(sink) {
    const shape dims = options.build.dims.value_or(shape{max_dimension, max_dimension});
    rows_ = dims.rows;
    cols_ = dims.cols;
  }

  void run() {
    while (text_.line_number() < skip_lines_ && text_.next_line()) {
    }
    while (text_.refill()) {
      read_plain_lines();
      // What stopped there is an odd line, or none.
      if (text_.next_line()) read_line();
    }
    batch_.flush();
  }

 private:
  // The fast path: number, separator, number, and further columns perhaps.
  void read_plain_lines() {
    const char* at = text_.begin();
    const char* const end = text_.end();
    std::uint64_t lines = 0;
    while (at != end) {
      const char* p = at;
      std::uint64_t row;
      std::uint64_t col;
      if (!parse_index(p, row) || !is_separator(*p)) break;
      p = after_separator(p);
      if (!parse_index(p, col)) break;
      if (*p != '\n') {
        if (!is_separator(*p)) break;
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      }
      if (row - base_ >= rows_ || col - base_ >= cols_) break;
      at = p + 1;
      ++lines;
      add(row, col);
    }
    any_edge_ = any_edge_ || lines > 0;
    text_.advance(at, lines);
  }

  // `p` is at a character that is_separator(), on a line that ends with a line feed.
  static const char* after_separator(const char* p) {
    while (is_blank(*p)) ++p;
    if (*p == ',' || *p == ';') ++p;
    while (is_blank(*p)) ++p;
    return p;
  }

  void read_line() {
    std::string_view rest = text_.line();
    skip_blanks(rest);
    if (rest.empty() || rest.front() == '#' || rest.front() == '%' || rest.substr(0, 2) == "//") {
      return;
    }
    const std::uint64_t row = take_index(rest, "row", rows_);
    const std::uint64_t col = take_index(rest, "column", cols_);
    add(row, col);
    any_edge_ = true;
  }

  static void skip_blanks(std::string_view& rest) {
    rest = {std::find_if_not(rest.begin(), rest.end(), is_blank), rest.end()};
  }

  // Takes a number and the separator after it.
  std::uint64_t take_index(std::string_view& rest, std::string_view what, std::uint64_t size) {
    const auto stop = std::find_if(rest.begin(), rest.end(), is_separator);
    const std::string_view token(rest.begin(), stop);
    rest = {stop, rest.end()};
    const bool missing = token.empty() && rest.empty();
    skip_blanks(rest);
    if (!rest.empty() && (rest.front() == ',' || rest.front() == ';')) {
      rest.remove_prefix(1);
      skip_blanks(rest);
    }
    if (missing) text_.fail(fmt::format("the {} is missing: a line holds two numbers", what));
    std::uint64_t value = 0;
    // Without any row or column, no number is right, and there is no last one to compare with.
    std::string problem = index_problem(token, what, base_, base_ + size - 1, value);
    if (problem.empty() && size == 0)
      problem = fmt::format("{} {} is outside the shape", what, value);
    if (problem.empty()) return value;
    if (!any_edge_ && parse_number(token, value) == number_kind::not_a_number) {
      const std::string_view line = text_.line();
      problem += fmt::format(" (a header? --skip-lines {} passes over it{})", text_.line_number(),
                             std::count(line.begin(), line.end(), '\t') == 2
                                 ? "; triples? --from triples reads them"
                                 : "");
    } else if (base_ == 1 && value == 0 && token == "0") {
      problem += " (the first vertex was said to be 1)";
    }
    text_.fail(problem);
  }

  void add(std::uint64_t row, std::uint64_t col) {
    batch_.add({static_cast<index_t>(row - base_), static_cast<index_t>(col - base_)});
  }

  text_scanner& text_;
  std::uint64_t base_;
  std::uint64_t skip_lines_;
  std::uint64_t rows_ = 0;
  std::uint64_t cols_ = 0;
  bool any_edge_ = false;
  edge_batch batch_;
};

}  // namespace

std::optional<shape> read_edge_list(const std::filesystem::path& file, edge_sink& sink,
                                    const read_options& options) {
  if (options.index_base > 1) {
    throw invalid_argument(
        fmt::format("the first vertex of an edge list is 0 or 1, not {}", options.index_base));
  }
  text_scanner text(file, options.build.progress);
  edge_list_reader(text, sink, options).run();
  text.finish();
  return std::nullopt;
}

}  // namespace baltoro::io
