// The paper's tables 2 to 6 and figures 3 to 6, measured on stand-ins for its fourteen graphs.
//
// That takes long, so it is done in steps: a step is one part of what the paper shows of one graph. What a step finds is
// added to a file (report/suite_file.hpp), and a later run measures what that lacks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/suite_file.hpp"
#include "runs/bench.hpp"

namespace baltoro::bench {

// The steps of graphs and parts that are named, or of all where none are: graph by graph in the order given or else the
// paper's, and of each graph those parts that the paper shows of it. Throws invalid_argument for a name that it has not.
std::vector<suite_step> paper_steps(const std::vector<std::string>& graphs,
                                    const std::vector<std::string>& parts);

// Does steps: makes stand-ins, on a GPU where there is one, and holds one at a time.
class stand_in_bench {
 public:
  // `options` say how to measure; what to measure is the paper's. Where no engines are named, they are those of the GPU.
  stand_in_bench(std::uint64_t scale, bench_options options);

  // The graph's description and what the step is about. What goes wrong with an engine is reported, all else thrown.
  graph_result measure(const suite_step& step);

 private:
  subject& graph_of(const std::string& name);

  std::uint64_t scale_;
  bench_options options_;
  std::string held_;  // the name in the paper
  std::optional<subject> graph_;
};

// A step that came to nothing.
struct failed_step {
  suite_step step;
  std::string reason;
};

struct suite_outcome {
  std::vector<suite_step> left;  // not begun
  std::vector<failed_step> failed;
};

struct suite_run {
  std::function<graph_result(const suite_step&)> measure;
  // Asked before each step.
  std::function<bool()> go_on = [] { return true; };
  // Told after each step that is in the file, with the seconds it took.
  std::function<void(const suite_step&, double)> done = [](const suite_step&, double) {};
};

// Does those steps that the file lacks, and writes the file after each. What a step throws is kept for the outcome, and
// the others go on. Throws what suite_file::has() does before anything is measured.
suite_outcome run_suite(suite_file& results, const std::vector<suite_step>& steps,
                        const suite_run& how);

}  // namespace baltoro::bench
