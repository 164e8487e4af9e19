// Triples as tab-separated text, one a line. What is read is said in include/baltoro/reader.hpp.
#include <string_view>

#include "io/triple_collector.hpp"

namespace baltoro::io {

void read_tab_separated(triple_lines& lines, triple_collector& triples) {
  std::string_view line;
  for (std::uint64_t since_check = 0; lines.next(line);) {
    const std::size_t first = line.find('\t');
    if (first == std::string_view::npos) {
      if (line.starts_with('#') || line.find_first_not_of(' ') == std::string_view::npos) continue;
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
    triples.add(lines, line.substr(0, first), line.substr(first + 1, second - first - 1), object);
    if (++since_check == 4096) {
      since_check = 0;
      triples.check_memory();
    }
  }
  triples.check_memory();
}

}  // namespace baltoro::io
