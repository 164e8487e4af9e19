// One engine at one task, and all engines at all tasks.
#pragma once

#include "engines/engines.hpp"
#include "runs/bench.hpp"

namespace baltoro::bench {

// Checks and times all variants of an engine; nothing that goes wrong with it is thrown.
product_result measure_product(engine& by, const task& what, subject& graph, place& where,
                               const bench_options& options);

// The same on a GPU for an engine that is made for this alone.
product_result measure_once(const std::function<std::unique_ptr<engine>()>& make, const task& what,
                            subject& graph, place& where, const bench_options& options);

void measure_engines(graph_result& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
