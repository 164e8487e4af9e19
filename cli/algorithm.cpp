#include "algorithm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "algorithms/square.hpp"
#include "memory.hpp"
#include "parse.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {

open_graph open_square(const input_options& input, progress_display& display) {
  open_graph opened = open(input, display);
  opened.matrix = as_square(opened.matrix);
  return opened;
}

void require_memory_for(const input_options& input, const working_set& needs) {
  require_memory(input.file.string(),
                 static_cast<double>(needs.vector_bytes) + static_cast<double>(needs.scratch_bytes),
                 "the vectors of so many vertices do not fit");
}

void add_cpu_device(CLI::App& command, device& where) {
  add_choice<device>(command, "--device", where,
                     {{"auto", device::automatic}, {"cpu", device::cpu}, {"cuda", device::cuda}},
                     "Where to run; this command runs on the CPU");
}

void require_cpu(const std::string& command, device where) {
  if (where == device::cuda) {
    throw usage_error("--device cuda: " + command + " runs on the CPU only");
  }
}

void add_iteration(CLI::App& command, double& tolerance, std::uint32_t& max_iterations,
                   const std::string& what) {
  add_parsed(
      command, "--tol", tolerance,
      [](const std::string& option, const std::string& text) {
        const double value = parse_real(option, text);
        if (!(value > 0)) throw CLI::ValidationError(option, "'" + text + "' is not above 0");
        return value;
      },
      "T", fmt::format("Stop when two iterates differ by less than T in L1 ({:g})", tolerance));
  add_parsed(command, "--max-iterations", max_iterations, parse_index, "N",
             fmt::format("Stop after N {} ({})", what, max_iterations));
}

void note_not_converged(const common_options& common, std::uint32_t iterations, double change,
                        double tolerance, const std::string& what) {
  if (common.quiet) return;
  const std::string note =
      iterations == 0
          ? fmt::format("baltoro: note: no iteration was made; the {} are those to start from\n",
                        what)
          : fmt::format(
                "baltoro: note: stopped after {} iterations with change {:.2e}, not below --tol "
                "{}\n",
                iterations, change, tolerance);
  const ::ssize_t ignored = ::write(STDERR_FILENO, note.data(), note.size());
  static_cast<void>(ignored);
}

void add_samples(CLI::App& command, sample_options& options) {
  add_parsed(command, "--samples", options.count, parse_count, "K",
             fmt::format("Search from K vertices drawn at random, or all where there are no more "
                         "({})",
                         options.count));
  add_parsed(command, "--seed", options.seed, parse_count, "N",
             fmt::format("Which vertices are drawn ({})", options.seed));
}

json head_json(const input_options& input, const open_graph& opened) {
  return {{"file", input.file.string()},
          {"relation", opened.relation},
          {"vertices", opened.matrix.rows()},
          {"edges", opened.matrix.nnz()}};
}

std::string head_text(const input_options& input, const open_graph& opened) {
  return fmt::format("{}: {} vertices, {} edges", printable(input.file.string()),
                     grouped(opened.matrix.rows()), grouped(opened.matrix.nnz()));
}

json seconds_json(const open_graph& opened, double run) {
  return {{"read", opened.seconds}, {"run", run}};
}

}  // namespace baltoro::cli
