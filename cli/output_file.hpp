// Where results go: found to be impossible before the work starts, not after it.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace baltoro::cli {

// What a graph can be written as.
enum class output_format { k2m, matrix_market, edge_list };

// The output of a command that writes a graph.
struct graph_output {
  std::filesystem::path file;
  std::optional<output_format> format;  // left out: told by the name

  // Standard output, where nothing else may be printed then.
  bool is_standard_output() const { return file == "-" || file == "/dev/stdout"; }
};

// Adds -o and, where several formats can be written, --format.
void add_graph_output(CLI::App& command, graph_output& output,
                      const std::vector<output_format>& allowed);

// The format of the output, told by its name where it was not given.
// Throws usage_error when the name does not tell, or names a format that is not allowed.
output_format resolve(const graph_output& output, const std::vector<output_format>& allowed);

// Throws io_error when the file could not be created: no folder, no permission, a folder itself.
void require_writable(const std::filesystem::path& file);

// The same for a vector, which cannot go to standard output: throws usage_error then.
void require_vector_output(const std::string& option, const std::filesystem::path& file);

void write_matrix(const matrix& a, const std::filesystem::path& file, output_format format,
                  const progress_callback& progress);

// Bytes of a regular file; nothing for pipes and devices.
std::optional<std::uint64_t> file_bytes(const std::filesystem::path& file);

}  // namespace baltoro::cli
