// Matrix Market coordinate files, read as they are found rather than as they should be.
//
// Every stored entry is a cell, whatever its value: values are passed over unread, and a file may
// lack them. Taken beyond the letter of the format: banners of any case and with one %, blank and
// comment lines and leading blanks anywhere, LF or CR LF, entries of symmetric files on either side
// of the diagonal, and repeated entries. The number of entries must be what the size line says.

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/edge_batch.hpp"
#include "io/readers.hpp"
#include "io/text_scanner.hpp"

namespace baltoro::io {
namespace {

// Takes the next word off `rest`; empty at the end of the line.
std::string_view take_word(std::string_view& rest) {
  const auto start = std::find_if_not(rest.begin(), rest.end(), is_blank);
  const auto stop = std::find_if(start, rest.end(), is_blank);
  const std::string_view word(start, stop);
  rest = std::string_view(stop, rest.end());
  return word;
}

std::string take_lower_case_word(std::string_view& rest) {
  std::string word(take_word(rest));
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

bool is_blank_or_comment(std::string_view line) {
  const std::string_view word = take_word(line);
  return word.empty() || word.front() == '%';
}

struct header {
  bool mirrored = false;  // each entry off the diagonal stands for two
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::uint64_t entries = 0;
};

void read_banner(text_scanner& text, header& head) {
  std::string_view rest;
  std::string word;
  do {
    if (!text.next_line()) text.fail("the file ends before a Matrix Market banner");
    rest = text.line();
    word = take_lower_case_word(rest);
  } while (word.empty());
  if (word != "%%matrixmarket" && word != "%matrixmarket") {
    text.fail(fmt::format("{} is no Matrix Market banner (%%MatrixMarket matrix coordinate ...)",
                          shown(word)));
  }
  const auto expect = [&](std::string_view what, std::initializer_list<std::string_view> known) {
    word = take_lower_case_word(rest);
    if (word.empty()) text.fail(fmt::format("the banner lacks the {}", what));
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      text.fail(fmt::format("the {} {} is unknown (known: {})", what, shown(word),
                            fmt::join(known, ", ")));
    }
  };
  expect("object", {"matrix"});
  if (std::string_view ahead = rest; take_lower_case_word(ahead) == "array") {
    text.fail("this is a dense matrix ('array'); only sparse ones ('coordinate') can be read");
  }
  expect("format", {"coordinate"});
  expect("field", {"pattern", "real", "double", "integer", "unsigned-integer", "complex"});
  expect("symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"});
  head.mirrored = word != "general";
  if (!is_blank_or_comment(rest)) {
    text.fail(fmt::format("the banner goes on with {}", shown(take_word(rest))));
  }
}

void read_size_line(text_scanner& text, header& head) {
  do {
    if (!text.next_line()) text.fail("the file ends before the size line");
  } while (is_blank_or_comment(text.line()));
  std::string_view rest = text.line();
  const auto take = [&](std::string_view what, std::uint64_t most, std::uint64_t& value) {
    const std::string_view word = take_word(rest);
    if (word.empty()) {
      text.fail(fmt::format("the size line lacks the {} (wanted: rows columns entries)", what));
    }
    const std::string problem = index_problem(word, what, 0, most, value);
    if (!problem.empty()) text.fail(problem);
  };
  take("number of rows", max_dimension, head.rows);
  take("number of columns", max_dimension, head.cols);
  take("number of entries", ~std::uint64_t{0}, head.entries);
  if (!is_blank_or_comment(rest)) {
    text.fail(fmt::format("the size line goes on with {} (wanted: rows columns entries)",
                          shown(take_word(rest))));
  }
  if (head.mirrored && head.rows != head.cols) {
    text.fail(
        fmt::format("a symmetric matrix is square, but this one is {}x{}", head.rows, head.cols));
  }
}

class entry_reader {
 public:
  entry_reader(text_scanner& text, const header& head, edge_sink& sink)
      : text_(text), head_(head), left_(head.entries), batch_(sink) {}

  void run() {
    if (head_.mirrored) {
      read<true>();
    } else {
      read<false>();
    }
    if (left_ > 0) {
      text_.fail(fmt::format("the file ends after {} of {} entries", head_.entries - left_,
                             head_.entries));
    }
    batch_.flush();
  }

 private:
  template <bool Mirrored>
  void read() {
    while (text_.refill()) {
      read_plain_lines<Mirrored>();
      // What stopped there is an odd line, or none.
      if (text_.next_line()) read_line<Mirrored>();
    }
  }

  // The fast path: index, blanks, index, and a value perhaps.
  template <bool Mirrored>
  void read_plain_lines() {
    const char* at = text_.begin();
    const char* const end = text_.end();
    std::uint64_t lines = 0;
    const std::uint64_t most = left_;
    while (at != end && lines < most) {
      const char* p = at;
      std::uint64_t row;
      std::uint64_t col;
      if (!parse_index(p, row) || !is_blank(*p)) break;
      while (is_blank(*p)) ++p;
      if (!parse_index(p, col)) break;
      if (*p != '\n') {
        if (!is_blank(*p)) break;
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      }
      if (row - 1 >= head_.rows || col - 1 >= head_.cols) break;
      at = p + 1;
      ++lines;
      add<Mirrored>(row, col);
    }
    text_.advance(at, lines);
    left_ -= lines;
  }

  template <bool Mirrored>
  void read_line() {
    if (is_blank_or_comment(text_.line())) return;
    if (left_ == 0) {
      text_.fail(fmt::format("more entries than the {} of the size line", head_.entries));
    }
    std::string_view rest = text_.line();
    const std::uint64_t row = take_index(rest, "row", head_.rows);
    const std::uint64_t col = take_index(rest, "column", head_.cols);
    --left_;
    add<Mirrored>(row, col);
  }

  std::uint64_t take_index(std::string_view& rest, std::string_view what, std::uint64_t most) {
    const std::string_view word = take_word(rest);
    if (word.empty()) text_.fail(fmt::format("the {} is missing", what));
    std::uint64_t value = 0;
    const std::string problem = index_problem(word, what, 1, most, value);
    if (!problem.empty()) text_.fail(problem);
    return value;
  }

  template <bool Mirrored>
  void add(std::uint64_t row, std::uint64_t col) {
    const auto r = static_cast<index_t>(row - 1);
    const auto c = static_cast<index_t>(col - 1);
    batch_.add({r, c});
    if (Mirrored && r != c) batch_.add({c, r});
  }

  text_scanner& text_;
  const header& head_;
  std::uint64_t left_;
  edge_batch batch_;
};

}  // namespace

std::optional<shape> read_matrix_market(const std::filesystem::path& file, edge_sink& sink,
                                        const read_options& options) {
  text_scanner text(file, options.build.progress);
  header head;
  read_banner(text, head);
  read_size_line(text, head);
  entry_reader(text, head, sink).run();
  text.finish();
  return shape{static_cast<index_t>(head.rows), static_cast<index_t>(head.cols)};
}

}  // namespace baltoro::io
