// The commands. Each adds itself to the parser; what it does once its arguments are known goes to
// `chosen`, which main() calls when parsing has succeeded.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace baltoro::cli {

using action = std::function<void()>;

void add_build(CLI::App& app, action& chosen);
void add_info(CLI::App& app, action& chosen);
void add_verify(CLI::App& app, action& chosen);
void add_export(CLI::App& app, action& chosen);
void add_mxv(CLI::App& app, action& chosen);
void add_pagerank(CLI::App& app, action& chosen);
void add_bfs(CLI::App& app, action& chosen);
void add_reach(CLI::App& app, action& chosen);
void add_hits(CLI::App& app, action& chosen);
void add_components(CLI::App& app, action& chosen);
void add_centrality(CLI::App& app, action& chosen);
void add_diameter(CLI::App& app, action& chosen);
void add_triangles(CLI::App& app, action& chosen);
void add_cores(CLI::App& app, action& chosen);
void add_generate(CLI::App& app, action& chosen);
// In builds with BALTORO_BUILD_BENCHMARKS.
void add_bench(CLI::App& app, action& chosen);

}  // namespace baltoro::cli
