// Files of triples, each tab-separated or N-Triples, into one labelled graph.
#include <baltoro/error.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/readers.hpp"
#include "io/triple_collector.hpp"

namespace baltoro::io {

namespace {

// The file's extension without that of its compression.
std::string extension_of(std::filesystem::path file) {
  std::string extension = file.extension().string();
  if (extension == ".gz" || extension == ".zst") extension = file.stem().extension().string();
  return extension;
}

// Whether the first line that is not blank or a comment begins as N-Triples do.
bool begins_as_ntriples(std::string_view text) {
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return false;
    text.remove_prefix(start);
    if (text.front() != '#') return text.front() == '<' || text.starts_with("_:");
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return false;
}

}  // namespace

graph read_triples(std::span<const std::filesystem::path> files, const read_options& options) {
  triple_collector triples(options);
  reading_progress progress(files, options.build.progress);
  for (const std::filesystem::path& file : files) {
    triple_lines lines(file, progress);
    if (lines.empty_file()) throw invalid_format(lines.file(), "", "the file is empty");
    const std::string extension = extension_of(file);
    if (extension == ".nt" || (extension != ".tsv" && begins_as_ntriples(lines.peek()))) {
      read_ntriples(lines, triples);
    } else {
      read_tab_separated(lines, triples);
    }
  }
  return triples.finish();
}

}  // namespace baltoro::io
