// What a suite has found so far, in a file that grows step by step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "report/results.hpp"

namespace baltoro::bench {

// What belongs to one step, in the order in which a graph's are done.
enum class suite_part {
  products,      // by all engines: tables 2 to 5, figures 3 to 5
  construction,  // of the matrix: table 2
  ablation,      // one choice of the paper after the other: section 5.5
  tiles,         // figure 6
  search,        // by the paper's engine: table 6
  peers,         // the same by the layout adaptive and over CSR
};
const char* name_of(suite_part part);

// One part of what the paper shows of one graph.
struct suite_step {
  std::string graph;  // its name in the paper
  suite_part part = suite_part::products;
  friend bool operator==(const suite_step&, const suite_step&) = default;
};

// A report as to_json() makes it, with "suite": "paper", and in each of its graphs
//   stand_in  the name of what it stands for,
//   scale     what rows, columns and edges were divided by,
//   steps     an object: for each part that was measured when, in how many seconds, and how much of it failed.
// The file is whole at any time.
class suite_file {
 public:
  // Reads the file where there is one. Throws io_error, and invalid_format where it is something else.
  suite_file(std::filesystem::path file, std::uint64_t scale);

  // Whether the step is there and nothing of it failed. Throws invalid_argument where the graph is there at another scale.
  bool has(const suite_step& step) const;
  // Whether it says what the hardware can do.
  bool has_hardware() const;
  // Begins with what the report says of GPU, build and protocol; throws invalid_argument where the file has figures of
  // others.
  void begin(const report& now);
  // Adds what a step found, in place of what it found before, and writes the file.
  void add(const suite_step& step, const graph_result& found, double seconds);

  const nlohmann::ordered_json& document() const { return document_; }

 private:
  // The graph's entry, or null.
  const nlohmann::ordered_json* find(const std::string& graph) const;
  void count_failures();

  std::filesystem::path file_;
  std::uint64_t scale_;
  nlohmann::ordered_json document_;
};

}  // namespace baltoro::bench
