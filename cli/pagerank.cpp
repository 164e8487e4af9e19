// baltoro pagerank: the ranks of all vertices, and which are the highest.
#include <baltoro/npy.hpp>
#include <baltoro/pagerank.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <unistd.h>

#include "commands.hpp"
#include "figures.hpp"
#include "input_graph.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "parse.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
  std::filesystem::path output;
  std::filesystem::path personalization;
  std::uint64_t top = 10;
  pagerank_options options;
};

std::vector<double> read_weights(const std::filesystem::path& file, const matrix& a) {
  const npy_numbers numbers = read_npy(file);
  return std::visit(
      [&](const auto& array) {
        if (array.rows != a.rows() || array.batch != 1) {
          throw invalid_argument(fmt::format("{}: {} x {} weights, but the graph has {} vertices",
                                             file.string(), array.rows, array.batch, a.rows()));
        }
        return std::vector<double>(array.values.begin(), array.values.end());
      },
      numbers);
}

// The `count` vertices of the highest ranks, highest first, equal ranks by number.
std::vector<index_t> highest(const std::vector<double>& ranks, std::uint64_t count) {
  std::vector<index_t> order(ranks.size());
  std::iota(order.begin(), order.end(), index_t{0});
  const auto kept =
      order.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, order.size()));
  std::partial_sort(order.begin(), kept, order.end(), [&](index_t a, index_t b) {
    return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : a < b;
  });
  order.erase(kept, order.end());
  return order;
}

json top_json(const open_graph& opened, const pagerank_result& result, std::uint64_t count) {
  json list = json::array();
  for (const index_t vertex : highest(result.ranks, count)) {
    json entry = {{"vertex", vertex}};
    if (!opened.graph.vertices.empty()) entry["name"] = opened.graph.vertices[vertex];
    entry["rank"] = result.ranks[vertex];
    list.push_back(std::move(entry));
  }
  return list;
}

std::string top_text(const open_graph& opened, const pagerank_result& result, std::uint64_t count) {
  const bool named = !opened.graph.vertices.empty();
  table list(named ? "rrl" : "rr");
  list.row(named ? std::vector<std::string>{"rank", "vertex", "name"}
                 : std::vector<std::string>{"rank", "vertex"});
  for (const index_t vertex : highest(result.ranks, count)) {
    std::vector<std::string> cells = {fmt::format("{:.6e}", result.ranks[vertex]),
                                      std::to_string(vertex)};
    if (named) cells.push_back(printable(opened.graph.vertices[vertex]));
    list.row(std::move(cells));
  }
  return list.text();
}

void report(const arguments& given, const open_graph& opened, const pagerank_result& result,
            double seconds) {
  if (given.common.json) {
    json document = {{"file", given.input.file.string()},
                     {"relation", opened.relation},
                     {"vertices", opened.matrix.rows()},
                     {"edges", opened.matrix.nnz()},
                     {"damping", given.options.damping},
                     {"tolerance", given.options.tolerance},
                     {"iterations", result.iterations},
                     {"change", result.change},
                     {"converged", result.converged},
                     {"device", name_of(result.where)},
                     {"working_set", to_json(result.needs)},
                     {"top", top_json(opened, result, given.top)},
                     {"seconds", {{"read", opened.seconds}, {"run", seconds}}}};
    if (!given.output.empty()) document["output"] = given.output.string();
    print_json(document);
    return;
  }
  std::string text;
  if (!given.common.quiet) {
    const std::string change =
        result.iterations == 0 ? std::string() : fmt::format(", change {:.2e}", result.change);
    text = fmt::format("{}: {} vertices, {} edges; {} iterations in {:.3g} s{}\n{}\n",
                       printable(given.input.file.string()), grouped(opened.matrix.rows()),
                       grouped(opened.matrix.nnz()), result.iterations, seconds, change,
                       to_text(result.needs));
  }
  if (given.top > 0) text += top_text(opened, result, given.top);
  print(text);
}

void run(const arguments& given) {
  if (!given.output.empty()) require_vector_output("--output", given.output);
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  open_graph opened = open(given.input, display);
  opened.matrix = as_square(opened.matrix);
  pagerank_options options = given.options;
  std::vector<double> weights;
  if (!given.personalization.empty()) {
    weights = read_weights(given.personalization, opened.matrix);
    options.personalization = weights;
  }
  options.on_iteration = [&](std::uint32_t iteration, double change) {
    display.status(fmt::format("iteration {}, change {:.2e}", iteration, change));
  };
  constexpr double vertex_bytes = 32;
  require_memory(given.input.file.string(), vertex_bytes * opened.matrix.rows(),
                 "the vectors of so many vertices do not fit");
  const stopwatch watch;
  const pagerank_result result =
      about(given.input.file, [&] { return pagerank(opened.matrix, options); });
  const double seconds = watch.seconds();
  display.clear();
  if (!given.output.empty()) write_npy(given.output, std::span<const double>(result.ranks));
  report(given, opened, result, seconds);
  if (!result.converged && !given.common.quiet) {
    const std::string note =
        result.iterations == 0
            ? "baltoro: note: no iteration was made; the ranks are those to start from\n"
            : fmt::format(
                  "baltoro: note: stopped after {} iterations with change {:.2e}, not below --tol "
                  "{}\n",
                  result.iterations, result.change, options.tolerance);
    const ::ssize_t ignored = ::write(STDERR_FILENO, note.data(), note.size());
    static_cast<void>(ignored);
  }
}

}  // namespace

void add_pagerank(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  given->options.where = device::automatic;
  pagerank_options& options = given->options;
  CLI::App* command = app.add_subcommand("pagerank", "Rank the vertices of a graph");
  add_input(*command, given->input);
  command->add_option("-o,--output", given->output, "Write all ranks, float64, .npy")
      ->type_name("R.npy");
  add_parsed(*command, "--top", given->top, parse_count, "K", "Show the K highest ranks (10)");
  add_parsed(
      *command, "--tol", options.tolerance,
      [](const std::string& option, const std::string& text) {
        const double value = parse_real(option, text);
        if (!(value > 0)) throw CLI::ValidationError(option, "'" + text + "' is not above 0");
        return value;
      },
      "T", "Stop when two iterates differ by less than T in L1 (1e-9)");
  add_parsed(
      *command, "--damping", options.damping,
      [](const std::string& option, const std::string& text) {
        const double value = parse_real(option, text);
        if (!(value >= 0 && value < 1)) {
          throw CLI::ValidationError(option, "'" + text + "' is not at least 0 and below 1");
        }
        return value;
      },
      "D", "Probability of following an edge (0.85)");
  add_parsed(
      *command, "--max-iterations", options.max_iterations,
      [](const std::string& option, const std::string& text) -> std::uint32_t {
        return parse_index(option, text);
      },
      "N", "Stop after N iterations (1000)");
  command
      ->add_option("--personalization", given->personalization,
                   "Where jumps land: one weight a vertex, .npy; all alike where left out")
      ->type_name("P.npy");
  add_choice<dangling>(
      *command, "--dangling", options.dangling_to,
      {{"uniform", dangling::uniform}, {"personalization", dangling::personalization}},
      "Where the rank of vertices without successors goes (uniform)");
  add_device(*command, options.where, options.cuda);
  add_common(*command, given->common);
  command->footer(
      "Where the matrix is not square, empty rows or columns are added: vertices are both.\n"
      "\nExamples:\n"
      "  baltoro pagerank web.k2m --top 20\n"
      "  baltoro pagerank cnr-2000.graph -o ranks.npy --tol 1e-12\n"
      "  baltoro pagerank facts.k2m --relation P106 --json");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
