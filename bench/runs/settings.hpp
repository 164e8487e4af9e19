// The engine's settings, one after the other.
#pragma once

#include "runs/products.hpp"

namespace baltoro::bench {

// From the naive engine to the cached frontier, one choice of the paper after the other (5.5).
void measure_ablation(graph_result& to, subject& graph, const bench_options& options);

// Tiles from whole levels down to 2^14 nodes, with a scan a tile, with the directory, and with the
// directory in one CUDA graph (figure 6).
void measure_tiles(graph_result& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
