// Triples as tab-separated text, one a line. What is read is said in include/baltoro/reader.hpp.
#include <array>
#include <string_view>

#include "io/triple_collector.hpp"

namespace baltoro::io {
namespace {

// Takes a line apart. Returns whether there is a triple in it.
bool take_apart(const triple_lines& lines, std::string_view line, triple_text& triple) {
  const std::size_t first = line.find('\t');
  if (first == std::string_view::npos) {
    if (line.starts_with('#') || line.find_first_not_of(' ') == std::string_view::npos)
      return false;
    lines.fail("no tab; a line is subject, relation and object with a tab between them");
  }
  const std::size_t second = line.find('\t', first + 1);
  if (second == std::string_view::npos) {
    lines.fail("two columns; a line is subject, relation and object with a tab between them");
  }
  const std::string_view object = line.substr(second + 1);
  if (const std::size_t third = object.find('\t'); third != std::string_view::npos) {
    lines.fail("more than three columns; a line is subject, relation and object",
               second + third + 2);
  }
  triple = {line.substr(0, first), line.substr(first + 1, second - first - 1), object,
            lines.number()};
  return true;
}

}  // namespace

void read_tab_separated(triple_lines& lines, triple_collector& triples) {
  std::array<triple_text, triple_collector::batch_triples> batch;
  std::string_view line;
  std::uint64_t since_check = 0;
  while (lines.next(line)) {
    // As long as lines are in the buffer already, those of the batch stay where they are.
    std::size_t count = 0;
    bool more = true;
    while (more) {
      if (take_apart(lines, line, batch[count])) ++count;
      more = count < batch.size() && lines.has_buffered_line();
      if (more) lines.next(line);
    }
    triples.add(lines, {batch.data(), count});
    if (++since_check == 128) {
      since_check = 0;
      triples.check_memory();
    }
  }
  triples.check_memory();
}

}  // namespace baltoro::io
