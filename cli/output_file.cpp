#include "output_file.hpp"

#include <baltoro/error.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/writer.hpp>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <unistd.h>

#include "options.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

namespace fs = std::filesystem;

const char* word_for(output_format format) {
  switch (format) {
    case output_format::k2m:
      return "k2m";
    case output_format::matrix_market:
      return "mtx";
    case output_format::edge_list:
      return "tsv";
  }
  return "unknown";
}

// ".k2m, .mtx or .tsv"
std::string extensions(const std::vector<output_format>& allowed) {
  std::string text;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (i > 0) text += i + 1 == allowed.size() ? " or " : ", ";
    text += std::string(".") + word_for(allowed[i]);
  }
  return text;
}

}  // namespace

void add_graph_output(CLI::App& command, graph_output& output,
                      const std::vector<output_format>& allowed) {
  std::string description = "The file to write, " + extensions(allowed);
  const bool several = allowed.size() > 1;
  if (several) description += "; - for standard output";
  command.add_option("-o,--output", output.file, description)->required()->type_name("OUT");
  if (!several) return;
  std::vector<std::pair<std::string, std::optional<output_format>>> choices;
  for (const output_format format : allowed) choices.emplace_back(word_for(format), format);
  add_choice<std::optional<output_format>>(command, "--format", output.format, std::move(choices),
                                           "Format of the output, where its name does not tell");
}

output_format resolve(const graph_output& output, const std::vector<output_format>& allowed) {
  if (output.file.empty()) throw usage_error("--output: the name is empty");
  if (output.format) {
    if (output.is_standard_output() && *output.format == output_format::k2m) {
      throw usage_error("--output: a .k2m file cannot go to standard output");
    }
    return *output.format;
  }
  const std::string extension = output.file.extension().string();
  for (const output_format format : allowed) {
    if (extension == std::string(".") + word_for(format)) return format;
  }
  const std::string name = output.file.string();
  if (extension == ".gz" || extension == ".zst") {
    throw usage_error(
        fmt::format("--output: '{}': compressed files are not written; write {} and compress that",
                    name, extensions(allowed)));
  }
  throw usage_error(fmt::format("--output: '{}': the name must end in {}{}", name,
                                extensions(allowed),
                                allowed.size() > 1 ? ", or --format be given" : ""));
}

void require_writable(const fs::path& file) {
  if (file == "-") return;
  const std::string name = file.string();
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (fs::is_directory(status)) throw io_error(name, "cannot write", EISDIR);
  if (fs::exists(status)) {
    if (::access(file.c_str(), W_OK) != 0) throw io_error(name, "cannot write", errno);
    if (!fs::is_regular_file(status)) return;
  }
  // The folder is written to even where the file exists, since outputs are renamed into place.
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, failure)) {
    throw io_error(name,
                   fmt::format("cannot write: the folder '{}' does not exist", folder.string()), 0);
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) throw io_error(name, "cannot write", errno);
}

void require_vector_output(const std::string& option, const fs::path& file) {
  if (file == "-") throw usage_error(option + ": vectors are not written to standard output");
  require_writable(file);
}

void write_matrix(const matrix& a, const fs::path& file, output_format format,
                  const progress_callback& progress) {
  switch (format) {
    case output_format::k2m:
      save_k2m(a, file);
      return;
    case output_format::matrix_market:
      write_matrix_market(a, file, progress);
      return;
    case output_format::edge_list:
      write_edge_list(a, file, progress);
      return;
  }
}

std::optional<std::uint64_t> file_bytes(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) return std::nullopt;
  const std::uint64_t bytes = fs::file_size(file, failure);
  if (failure) return std::nullopt;
  return bytes;
}

}  // namespace baltoro::cli
