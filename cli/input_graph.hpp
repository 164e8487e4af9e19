// Opening the graph a command works on.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/graph.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/reader.hpp>

#include <chrono>
#include <filesystem>
#include <span>
#include <string>

#include "options.hpp"
#include "progress_display.hpp"

namespace baltoro::cli {

// A graph, and the relation of it that the command is about.
struct open_graph {
  baltoro::graph graph;
  baltoro::matrix matrix;
  std::string relation;
  file_format format = file_format::automatic;
  double seconds = 0;  // what opening took
};

// Which relation it is where --relation is left out.
enum class left_out {
  all,    // the only one or the union; a graph of several without one is refused
  first,  // for commands that show every relation in any case
};

// The format a file is read as: what --from says, or what the file itself says.
// Throws what detect_format() throws.
file_format format_of(const std::filesystem::path& file, const reading_options& read);

// Throws usage_error where an option was given that none of the formats read knows, be it with its
// default value.
void refuse_unsuitable(const reading_options& read, std::span<const file_format> formats);

// Opens a .k2m file or reads a file of any other format. `how_much` is what --trust lowers.
// Throws usage_error where options do not suit the file, and what load_k2m() and read_graph()
// throw.
open_graph open(const input_options& options, progress_display& display,
                check how_much = check::full, left_out relation = left_out::all);

// Seconds since it was made.
class stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Calls `work`; a complaint of the library about an argument gets the file it is about in front.
template <class Work>
auto about(const std::filesystem::path& file, Work work) {
  try {
    return work();
  } catch (const invalid_argument& failure) {
    const std::string name = file.string() + ": ";
    const std::string reason = failure.what();
    throw invalid_argument(reason.rfind(name, 0) == 0 ? reason : name + reason);
  }
}

}  // namespace baltoro::cli
