// Searches and PageRank on the GPU, beside the same over CSR.
#pragma once

#include "runs/bench.hpp"

namespace baltoro::bench {

// A search from many sources (options.sources, 128 where not said), one from one source, both along the edges,
// and PageRank to 1e-6 in float and in double. The adaptive matrix and the peers differ in how they follow the
// edges or multiply, and share everything else: tables, sets, vectors, the pass that makes ranks, and the loop of
// the host. Times are those of a whole run with the graph on the GPU, results left there. Every engine's
// result is compared with the CPU's before it is timed.
void measure_algorithms(graph_result& to, subject& graph, const bench_options& options);
// The first of these alone.
void measure_search_from_many(graph_result& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
