#include "io/detect_format.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "io/input.hpp"
#include "io/k2m_layout.hpp"

namespace baltoro {
namespace io {
namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool is_bvgraph_basename(const std::filesystem::path& file) {
  const auto with = [&](const char* extension) {
    std::error_code ignored;
    return std::filesystem::exists(file.string() + extension, ignored);
  };
  std::error_code ignored;
  return !std::filesystem::exists(file, ignored) && with(".graph") && with(".properties");
}

bool is_npz(const std::filesystem::path& file) {
  return lower(file.extension().string()) == ".npz";
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Takes lines off the front of `start` and returns the first that is neither blank nor a comment, as
// far as it is there.
std::string_view take_content_line(std::string_view& start) {
  while (!start.empty()) {
    const std::string_view line = start.substr(0, std::min(start.find('\n'), start.size()));
    start.remove_prefix(std::min(start.size(), line.size() + 1));
    const std::string_view content = trimmed(line);
    if (!content.empty() && content[0] != '#' && content[0] != '%' && !content.starts_with("//")) {
      return line;
    }
  }
  return {};
}

bool is_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool starts_with_number(std::string_view line) {
  line = trimmed(line);
  return is_number(line.substr(0, line.find_first_of(" \t,;")));
}

}  // namespace

file_format format_by_name(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (const std::string packed = lower(name.extension().string());
      packed == ".gz" || packed == ".zst") {
    name = name.stem();
  }
  const std::string extension = lower(name.extension().string());
  if (extension == ".k2m") return file_format::k2m;
  if (extension == ".mtx" || extension == ".mm") return file_format::matrix_market;
  if (extension == ".nt") return file_format::triples;
  if (extension == ".csv" || extension == ".edges" || extension == ".edgelist" ||
      extension == ".el") {
    return file_format::edge_list;
  }
  if (extension == ".graph" || extension == ".properties" || is_bvgraph_basename(file)) {
    return file_format::bvgraph;
  }
  return file_format::automatic;
}

file_format format_by_content(std::string_view start, bool whole) {
  const std::string_view k2m_magic(reinterpret_cast<const char*>(k2m::magic.data()),
                                   k2m::magic.size());
  if (start.starts_with(k2m_magic)) return file_format::k2m;
  const std::string head = lower(std::string(trimmed(start.substr(0, 64))));
  if (head.starts_with("%%matrixmarket") || head.starts_with("%matrixmarket")) {
    return file_format::matrix_market;
  }
  const std::string_view line = take_content_line(start);
  if (line.empty()) return whole ? file_format::edge_list : file_format::automatic;
  const std::string_view content = trimmed(line);
  if (content.starts_with('<') || content.starts_with("_:")) return file_format::triples;
  // Names over numbers are the header of an edge list: its reader says how to pass over it.
  if (starts_with_number(line) || starts_with_number(take_content_line(start))) {
    return file_format::edge_list;
  }
  if (std::count(line.begin(), line.end(), '\t') == 2 && line[0] != '\t') {
    return file_format::triples;
  }
  return file_format::automatic;
}

}  // namespace io

namespace {

constexpr std::array<std::pair<file_format, const char*>, 6> names = {{
    {file_format::automatic, "auto"},
    {file_format::matrix_market, "mtx"},
    {file_format::edge_list, "edges"},
    {file_format::bvgraph, "bvgraph"},
    {file_format::triples, "triples"},
    {file_format::k2m, "k2m"},
}};

}  // namespace

const char* name_of(file_format format) {
  for (const auto& [value, name] : names) {
    if (value == format) return name;
  }
  return "unknown";
}

std::optional<file_format> format_named(std::string_view name) {
  for (const auto& [value, known] : names) {
    if (name == known) return value;
  }
  return std::nullopt;
}

file_format detect_format(const std::filesystem::path& input) {
  const file_format named = io::format_by_name(input);
  if (named != file_format::automatic) return named;
  std::error_code ignored;
  const auto status = std::filesystem::status(input, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status)) {
    throw invalid_argument(input.string() +
                           ": a stream cannot be looked at and then read; say its format with "
                           "--from: mtx, edges or triples");
  }
  io::input in(input);
  std::vector<char> start(std::size_t{1} << 16);
  start.resize(in.read(start));
  const bool whole = start.size() < (std::size_t{1} << 16);
  const std::string_view text(start.data(), start.size());
  if (text.empty()) throw invalid_format(input.string(), "", "the file is empty");
  for (const auto& [magic, packer] : {std::pair<std::string_view, const char*>{"BZh", "bzip2"},
                                      {"\xFD"
                                       "7zXZ",
                                       "xz"},
                                      {"PK\x03\x04", "zip"}}) {
    if (!text.starts_with(magic)) continue;
    if (io::is_npz(input)) {
      throw invalid_format(input.string(), "byte 0",
                           "SciPy's .npz is not read; scipy.io.mmwrite writes the matrix as a "
                           "Matrix Market file (.mtx), which is");
    }
    throw invalid_format(input.string(), "byte 0",
                         std::string("packed with ") + packer + "; gzip and zstd can be read");
  }
  const file_format found = io::format_by_content(text, whole);
  if (found == file_format::automatic) {
    throw invalid_format(input.string(), "",
                         "the format cannot be told; say with --from which it is: mtx, edges, "
                         "bvgraph, triples or k2m");
  }
  return found;
}

}  // namespace baltoro
