// The report of `baltoro bench` for people.
#pragma once

#include <string>

#include "report/results.hpp"

namespace baltoro::cli {

// What was measured on.
std::string context_text(const bench::report& of);
// The figures of one graph.
std::string graph_text(const bench::graph_result& graph);

}  // namespace baltoro::cli
