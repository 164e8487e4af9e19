// What a run of `baltoro bench` found out.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "measure/energy.hpp"
#include "measure/hardware.hpp"
#include "measure/protocol.hpp"

namespace baltoro::bench {

inline constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

// Why there is no figure.
enum class lack {
  none,
  skipped,  // it could not be: no such algorithm, not enough memory, too slow
  failed,   // it went wrong: a wrong result, an error of the GPU
};

// One variant of one engine at one task.
struct variant_result {
  std::string name;
  lack lacking = lack::none;
  std::string reason;
  std::optional<timing> time;
  working_set needs;
};

// One engine at one task; what it says of itself is that of its fastest variant.
struct product_result {
  task what;
  lack lacking = lack::none;
  std::string reason;
  std::string variant;
  std::optional<timing> time;
  working_set needs;
  std::optional<energy_use> energy;
  std::string no_energy;  // why it could not be measured where that was asked for
  std::vector<variant_result> variants;

  // Milliseconds of one vector.
  double vector_ms() const { return time->ms.median / what.batch; }
};

struct engine_result {
  std::string name;
  std::string absent;   // why; the rest is empty then
  bool failed = false;  // whether its absence is an error
  std::uint64_t persistent_bytes = 0;
  std::vector<product_result> products;
};

// A step of the ablation (5.5) or a point of the sweep of tiles (figure 6).
struct setting_result {
  std::string name;
  std::uint64_t tile_nodes = 0;  // 0: whole levels
  product_result product;
};

// Building the matrix from its edges.
struct construction_result {
  layout kind = layout::level_order;
  device where = device::cpu;
  std::string from;  // where the edges are: host, pinned or device
  lack lacking = lack::none;
  std::string reason;
  std::optional<quartiles> seconds;
  double first_seconds = 0;  // of the first run, which starts what is started once
  unsigned runs = 0;
  std::uint64_t device_bytes = 0;  // at the peak, without edges that are on the device
};

// A search from several sources (5.8).
struct search_result {
  std::string engine;
  bool reverse = false;
  index_t sources = 0;
  lack lacking = lack::none;
  std::string reason;
  std::optional<quartiles> seconds;
  unsigned runs = 0;
  std::uint32_t levels = 0;
  std::uint32_t most_levels = no_limit;  // where it stopped at the latest
  working_set needs;
};

// A whole algorithm by one engine.
struct algorithm_result {
  std::string algorithm;
  std::string engine;
  std::string variant;
  lack lacking = lack::none;
  std::string reason;
  std::optional<quartiles> ms;  // of a whole run
  unsigned runs = 0;
  std::uint32_t steps = 0;  // levels or iterations
  working_set needs;
};

struct graph_result {
  std::string name;
  std::string file;
  std::string relation;
  std::uint64_t copies = 1;
  std::optional<std::uint64_t> bvgraph_bytes;  // of a file in that format, not copied
  shape dims;
  std::uint64_t nnz = 0;
  std::uint64_t nodes = 0;
  std::uint32_t levels = 0;
  double tree_bits_per_edge = 0;  // 4 · nodes / nnz, the literature's figure
  matrix_bytes bytes;
  std::vector<engine_result> engines;
  std::vector<setting_result> ablation;
  std::vector<setting_result> tiles;
  std::vector<search_result> searches;
  std::vector<construction_result> constructions;
  std::vector<algorithm_result> algorithms;
};

struct report {
  std::string date;     // UTC, ISO 8601
  std::string version;  // of Baltoro
  std::string commit;   // empty where the build was not told
  unsigned threads = 0;
  protocol how;
  std::string no_gpu;  // why; the next two are empty then
  std::optional<gpu_identity> gpu;
  std::optional<hardware_figures> hardware;
  std::string no_hardware;  // why the figures could not be measured
  std::vector<graph_result> graphs;
};

// How many measurements went wrong.
std::uint64_t failures(const report& of);
std::uint64_t failures(const graph_result& of);

// The fastest variant of an engine at an algorithm; null where it was not measured.
const algorithm_result* fastest(const graph_result& graph, const std::string& algorithm,
                                const std::string& engine);

// The time of a product over that of a peer at the same task, where both were measured.
std::optional<double> ratio_to(const graph_result& graph, const std::string& peer,
                               const product_result& product);

}  // namespace baltoro::bench
