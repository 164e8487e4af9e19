#include "vertex_values.hpp"

#include <baltoro/npy.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "algorithm.hpp"
#include "figures.hpp"
#include "io/output.hpp"
#include "output_file.hpp"
#include "parse.hpp"

namespace baltoro::cli {
namespace {

template <class Values>
std::vector<index_t> order_by(std::uint64_t vertices, std::uint64_t count, const Values& value) {
  std::vector<index_t> order(vertices);
  std::iota(order.begin(), order.end(), index_t{0});
  const auto kept =
      order.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, order.size()));
  std::partial_sort(order.begin(), kept, order.end(), [&](index_t a, index_t b) {
    return value(a) != value(b) ? value(a) > value(b) : a < b;
  });
  order.erase(kept, order.end());
  return order;
}

bool has_name(const open_graph& opened, index_t vertex) {
  return vertex < opened.graph.vertices.size();
}

// Shortest text that reads back as the same number.
std::string exact(double value) { return fmt::format("{}", value); }
std::string exact(std::int64_t value) { return fmt::format("{}", value); }
std::string exact(std::int32_t value) { return fmt::format("{}", value); }

std::string shown(double value) { return fmt::format("{:.6e}", value); }
std::string shown(std::int64_t value) {
  return value < 0 ? std::to_string(value) : grouped(static_cast<std::uint64_t>(value));
}
std::string shown(std::int32_t value) { return shown(std::int64_t{value}); }

template <class T>
void write_lines(const std::filesystem::path& file, const open_graph& opened,
                 const std::vector<std::string>& titles, std::span<const T> values) {
  io::output to(file);
  const bool named = !opened.graph.vertices.empty();
  std::string line = named ? "vertex\tname" : "vertex";
  for (const std::string& title : titles) line += "\t" + printable(title);
  to.write(line + "\n");
  const std::size_t width = titles.size();
  const std::size_t vertices = width == 0 ? 0 : values.size() / width;
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto vertex = static_cast<index_t>(v);
    line = std::to_string(v);
    if (named) {
      line += "\t";
      if (has_name(opened, vertex)) line += printable(opened.graph.vertices[vertex]);
    }
    for (std::size_t k = 0; k < width; ++k) line += "\t" + exact(values[v * width + k]);
    to.write(line + "\n");
  }
  to.commit();
}

bool is_text(const std::filesystem::path& file) { return file.extension() == ".tsv"; }

}  // namespace

void add_top(CLI::App& command, std::uint64_t& top, const std::string& what) {
  add_parsed(command, "--top", top, parse_count, "K",
             fmt::format("Show the K highest {} ({})", what, top));
}

void add_values_output(CLI::App& command, const std::string& name, std::filesystem::path& file,
                       const std::string& description) {
  command.add_option(name, file, description + ", .npy or .tsv")->type_name("FILE");
}

void require_values_output(const std::string& option, const std::filesystem::path& file) {
  if (!file.empty()) require_vector_output(option, file);
}

void write_values(const std::filesystem::path& file, const open_graph& opened,
                  const vertex_column& column) {
  if (file.empty()) return;
  std::visit(
      [&](auto values) {
        if (is_text(file)) {
          write_lines(file, opened, {column.name}, values);
        } else {
          write_npy(file, values);
        }
      },
      column.values);
}

void write_table(const std::filesystem::path& file, const open_graph& opened,
                 const std::vector<std::string>& titles,
                 std::variant<std::span<const double>, std::span<const std::int32_t>> values) {
  if (file.empty()) return;
  std::visit(
      [&](auto numbers) {
        if (is_text(file)) {
          write_lines(file, opened, titles, numbers);
        } else {
          write_npy(file, numbers, titles.size());
        }
      },
      values);
}

std::vector<index_t> highest(std::span<const double> values, std::uint64_t count,
                             std::size_t stride, std::size_t offset) {
  return order_by(values.size() / stride, count,
                  [&](index_t v) { return values[v * stride + offset]; });
}

std::vector<index_t> highest(std::span<const std::int64_t> values, std::uint64_t count) {
  return order_by(values.size(), count, [&](index_t v) { return values[v]; });
}

json list_json(const open_graph& opened, const std::vector<index_t>& vertices,
               const std::vector<vertex_column>& columns) {
  json list = json::array();
  for (const index_t vertex : vertices) {
    json entry = {{"vertex", vertex}};
    if (has_name(opened, vertex)) entry["name"] = opened.graph.vertices[vertex];
    for (const vertex_column& column : columns) {
      std::visit([&](auto values) { entry[column.name] = values[vertex]; }, column.values);
    }
    list.push_back(std::move(entry));
  }
  return list;
}

std::string list_text(const open_graph& opened, const std::vector<index_t>& vertices,
                      const std::vector<vertex_column>& columns) {
  const bool named = !opened.graph.vertices.empty();
  table list(std::string(columns.size() + 1, 'r') + (named ? "l" : ""));
  std::vector<std::string> titles;
  for (const vertex_column& column : columns) titles.push_back(column.name);
  titles.emplace_back("vertex");
  if (named) titles.emplace_back("name");
  list.row(std::move(titles));
  for (const index_t vertex : vertices) {
    std::vector<std::string> cells;
    for (const vertex_column& column : columns) {
      std::visit([&](auto values) { cells.push_back(shown(values[vertex])); }, column.values);
    }
    cells.push_back(std::to_string(vertex));
    if (named) {
      cells.push_back(has_name(opened, vertex) ? printable(opened.graph.vertices[vertex])
                                               : std::string());
    }
    list.row(std::move(cells));
  }
  return list.text();
}

void report_values(const common_options& common, const input_options& input,
                   const open_graph& opened, const values_report& report) {
  if (common.json) {
    json document = head_json(input, opened);
    document.update(report.figures);
    document.update({{"working_set", to_json(report.needs)},
                     {"top", list_json(opened, report.top, report.columns)},
                     {"seconds", seconds_json(opened, report.seconds)}});
    if (!report.output.empty()) document["output"] = report.output.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!common.quiet) {
    text = fmt::format("{}; {} in {:.3g} s\n{}\n", head_text(input, opened), report.figures_text,
                       report.seconds, to_text(report.needs));
  }
  if (report.listed > 0) text += list_text(opened, report.top, report.columns);
  print(text);
}

}  // namespace baltoro::cli
