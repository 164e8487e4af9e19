#include "vertices.hpp"

#include <baltoro/error.hpp>

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "parse.hpp"
#include "text.hpp"

namespace baltoro::cli {
namespace {

std::optional<index_t> vertex_of(const graph& g, index_t vertices, const std::string& text) {
  if (const auto named = g.vertices.find(text)) return named;
  std::uint64_t number = 0;
  if (text.empty() || text.size() > 10) return std::nullopt;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + static_cast<std::uint64_t>(digit - '0');
  }
  if (number >= vertices) return std::nullopt;
  return static_cast<index_t>(number);
}

}  // namespace

CLI::Option* add_vertices(CLI::App& command, const std::string& name,
                          std::vector<std::string>& texts, const std::string& description) {
  return command.add_option(name, texts, description)
      ->type_name("V[,V...]")
      ->allow_extra_args(false);
}

std::vector<index_t> find_vertices(const std::string& option, const std::vector<std::string>& texts,
                                   const input_options& input, const open_graph& opened) {
  const index_t vertices = opened.matrix.rows();
  std::vector<index_t> found;
  for (const std::string& text : texts) {
    if (const auto whole = vertex_of(opened.graph, vertices, text)) {
      found.push_back(*whole);
      continue;
    }
    for (const std::string& part : split_list(text)) {
      const auto vertex = vertex_of(opened.graph, vertices, part);
      if (!vertex) {
        throw invalid_argument(fmt::format(
            "{}: {}: there is no vertex '{}'; vertices are {}", input.file.string(), option, part,
            vertices == 0 ? std::string("none")
                          : fmt::format("0 to {}{}", vertices - 1,
                                        opened.graph.vertices.empty() ? "" : ", or their names")));
      }
      found.push_back(*vertex);
    }
  }
  return found;
}

std::string label_of(const open_graph& opened, index_t vertex) {
  return vertex < opened.graph.vertices.size() ? printable(opened.graph.vertices[vertex])
                                               : std::to_string(vertex);
}

}  // namespace baltoro::cli
