// Searches from many sources at once (paper, 5.8).
#pragma once

#include "runs/bench.hpp"

namespace baltoro::bench {

// Along the edges and against them, by the tree alone and with the cached frontier. Times are those
// of multi_source_bfs() on a matrix that is on the GPU already: planning, the levels, and the copy of
// the distances to the host. Four of the sources are compared with a search on the CPU.
void measure_searches(graph_result& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
