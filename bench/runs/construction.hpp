// Building the graph's matrix from its edges.
#pragma once

#include "runs/products.hpp"

namespace baltoro::bench {

// Both layouts, on the CPU and on the GPU: from edges on the host, pageable and pinned, and from edges on the device.
// Times what a caller waits for. What the GPU builds is compared with what the CPU does. Edges come in the order
// of their rows.
void measure_construction(graph_result& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
