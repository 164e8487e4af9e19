// Numbers that an algorithm has found for every vertex: which are the highest, and files of all.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>

#include "input_graph.hpp"
#include "options.hpp"
#include "text.hpp"

namespace baltoro::cli {

// One number a vertex.
struct vertex_column {
  std::string name;
  std::variant<std::span<const double>, std::span<const std::int64_t>,
               std::span<const std::int32_t>>
      values;
};

// Adds --top, which says how many vertices are listed.
void add_top(CLI::App& command, std::uint64_t& top, const std::string& what);

// Adds an option for a file of all numbers, a .npy array or, where the name ends in .tsv, text.
void add_values_output(CLI::App& command, const std::string& name, std::filesystem::path& file,
                       const std::string& description);
// Throws usage_error or io_error where it cannot be written; an empty name is none.
void require_values_output(const std::string& option, const std::filesystem::path& file);
// Writes a .npy vector, or lines of the vertex, its name where it has one, and the number, under a line of
// titles. Control characters in names are written as \xNN. An empty file name writes nothing.
void write_values(const std::filesystem::path& file, const open_graph& opened,
                  const vertex_column& column);
// The same for tables n × batch, row-major; in text, column k is called titles[k].
void write_table(const std::filesystem::path& file, const open_graph& opened,
                 const std::vector<std::string>& titles,
                 std::variant<std::span<const double>, std::span<const std::int32_t>> values);

// The `count` vertices with the highest numbers, highest first, equal ones by vertex. `stride` and `offset`
// choose a column of a table.
std::vector<index_t> highest(std::span<const double> values, std::uint64_t count,
                             std::size_t stride = 1, std::size_t offset = 0);
std::vector<index_t> highest(std::span<const std::int64_t> values, std::uint64_t count);

// Some vertices with their numbers: a list of objects {"vertex", "name", "<column>", ...}, or a table.
json list_json(const open_graph& opened, const std::vector<index_t>& vertices,
               const std::vector<vertex_column>& columns);
std::string list_text(const open_graph& opened, const std::vector<index_t>& vertices,
                      const std::vector<vertex_column>& columns);

// What a command has found that gives every vertex numbers.
struct values_report {
  json figures;              // of the run
  std::string figures_text;  // the same in words
  working_set needs;
  std::uint64_t listed = 0;  // how many vertices were asked for; 0 prints no list
  std::vector<index_t> top;
  std::vector<vertex_column> columns;  // of the list
  double seconds = 0;
  std::filesystem::path output;  // empty: none
};
// Prints it: the graph, the figures, and the vertices at the top.
void report_values(const common_options& common, const input_options& input,
                   const open_graph& opened, const values_report& report);

}  // namespace baltoro::cli
