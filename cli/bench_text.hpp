// The report of `baltoro bench` for people.
#pragma once

#include <cstdint>
#include <string>

#include "report/results.hpp"

namespace baltoro::cli {

// What was measured on.
std::string context_text(const bench::report& of);
// The figures of one graph.
std::string graph_text(const bench::graph_result& graph);
// Why the exit code is 1.
std::string failure_text(std::uint64_t failed);

}  // namespace baltoro::cli
