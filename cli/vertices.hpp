// Vertices as users name them.
#pragma once

#include <baltoro/types.hpp>

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "input_graph.hpp"

namespace baltoro::cli {

// Adds an option that takes vertices, several at once or several times; the result is a list of texts.
CLI::Option* add_vertices(CLI::App& command, const std::string& name,
                          std::vector<std::string>& texts, const std::string& description);

// The vertices that texts mean: names where the graph has names, else numbers; a text may list several with
// commas between them. Names may hold commas, so a whole text is tried before its parts.
// Throws invalid_argument, which names the file and the option, where there is no such vertex.
std::vector<index_t> find_vertices(const std::string& option, const std::vector<std::string>& texts,
                                   const input_options& input, const open_graph& opened);

// The name of a vertex, or its number where the graph has no names, fit to be printed.
std::string label_of(const open_graph& opened, index_t vertex);

}  // namespace baltoro::cli
