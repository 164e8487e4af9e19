// What the commands that run an algorithm on a graph share: their options, opening the graph, the check of
// memory, and the first lines of their reports.
#pragma once

#include <baltoro/product.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "input_graph.hpp"
#include "options.hpp"
#include "progress_display.hpp"
#include "text.hpp"

namespace baltoro::cli {

struct algorithm_arguments {
  common_options common;
  input_options input;
  device where = device::automatic;
  cuda_options cuda;
};

// Opens the graph as a square matrix.
open_graph open_square(const input_options& input, progress_display& display);

// Throws out_of_memory where the machine has less than this beside the matrix, which is there already.
void require_memory_for(const input_options& input, const working_set& needs);

// Adds --device to a command whose algorithm runs on the CPU alone, so that it can be told as to others.
void add_cpu_device(CLI::App& command, device& where);
// Throws usage_error where such a command is told to use a GPU.
void require_cpu(const std::string& command, device where);

// Adds --tol and --max-iterations.
void add_iteration(CLI::App& command, double& tolerance, std::uint32_t& max_iterations,
                   const std::string& what);
// Says on standard error that an iteration ended before it converged, unless there are to be no notes.
void note_not_converged(const common_options& common, std::uint32_t iterations, double change,
                        double tolerance, const std::string& what);

// Adds --samples and --seed, which choose sources.
struct sample_options {
  std::uint64_t count = 256;
  std::uint64_t seed = 1;
};
void add_samples(CLI::App& command, sample_options& options);

// {"file", "relation", "vertices", "edges"}, and "web.k2m: 5 vertices, 7 edges".
json head_json(const input_options& input, const open_graph& opened);
std::string head_text(const input_options& input, const open_graph& opened);
// {"read", "run"} in seconds.
json seconds_json(const open_graph& opened, double run);

// What follows most commands' help.
inline constexpr const char* square_note =
    "Where the matrix is not square, empty rows or columns are added: vertices are both.\n";

}  // namespace baltoro::cli
