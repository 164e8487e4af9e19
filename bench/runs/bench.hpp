// What `baltoro bench` does.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/subject.hpp"
#include "report/results.hpp"

namespace baltoro::bench {

struct bench_options {
  protocol how;
  std::vector<index_t> batches = {128};  // widths, each at least 1
  std::vector<std::string> engines{};    // which; empty: all
  bool energy = false;
  bool hardware = true;
  bool ablation = false;
  bool tiles = false;
  bool construction = false;  // this alone
  bool algorithms = false;
  std::optional<index_t> sources{};      // of searches
  std::uint32_t most_levels = no_limit;  // of searches by the paper's engine
  // Told what is measured next.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  // Called when there is more in the report.
  std::function<void()> on_change = [] {};
};

// The names that bench_options::engines may have.
std::vector<std::string> engine_names();

// All powers of two up to 256 (figure 4).
std::vector<index_t> every_batch_width();

// Context and hardware.
report begin_report(const bench_options& options);

// What the matrix itself says of a graph. Throws invalid_argument where it has no non-zeros.
void describe(graph_result& to, const matrix& a);

// Measures one graph, whose description is filled in already, into the report's last graph. Throws
// invalid_argument where it has no non-zeros. What goes wrong with an engine is reported, not thrown.
void measure_graph(report& to, subject& graph, const bench_options& options);

}  // namespace baltoro::bench
