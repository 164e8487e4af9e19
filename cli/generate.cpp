// baltoro generate: synthetic graphs for first steps and benchmarks.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "figures.hpp"
#include "input_graph.hpp"
#include "memory.hpp"
#include "output_file.hpp"
#include "parse.hpp"
#include "usage_error.hpp"

namespace baltoro::cli {
namespace {

const std::vector<output_format> allowed = {output_format::k2m, output_format::matrix_market,
                                            output_format::edge_list};

struct arguments {
  common_options common;
  graph_output output;
  layout kind = default_layout;
  std::uint64_t seed = 1;
  // web
  index_t vertices = 100'000;
  double degree = 10;
  // rmat
  std::uint64_t scale = 16;
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  // uniform
  std::optional<shape> dims = shape{100'000, 100'000};
  // rmat and uniform
  std::uint64_t edges = 1'000'000;
};

// What is being generated: its edges and its shape.
struct model {
  const char* name;
  void (*check)(const arguments&);  // throws usage_error where options do not suit each other
  shape (*dims)(const arguments&);
  double (*edges)(const arguments&);
  std::vector<edge> (*generate)(const arguments&);
};

const model web = {
    "web", [](const arguments&) {},
    [](const arguments& given) {
      return shape{given.vertices, given.vertices};
    },
    [](const arguments& given) { return given.vertices * given.degree; },
    [](const arguments& given) { return generate_web(given.vertices, given.degree, given.seed); }};

const model rmat = {
    "rmat",
    [](const arguments& given) {
      if (given.a + given.b + given.c <= 1) return;
      throw usage_error(fmt::format("--a, --b and --c: the sum of {}, {} and {} is more than 1",
                                    given.a, given.b, given.c));
    },
    [](const arguments& given) {
      const index_t side = index_t{1} << given.scale;
      return shape{side, side};
    },
    [](const arguments& given) { return static_cast<double>(given.edges); },
    [](const arguments& given) {
      return generate_rmat(static_cast<unsigned>(given.scale), given.edges, given.a, given.b,
                           given.c, given.seed);
    }};

const model uniform = {
    "uniform",
    [](const arguments& given) {
      if (given.edges == 0 || (given.dims->rows > 0 && given.dims->cols > 0)) return;
      throw usage_error(fmt::format("--shape: a {}x{} matrix has no cells to draw",
                                    given.dims->rows, given.dims->cols));
    },
    [](const arguments& given) { return *given.dims; },
    [](const arguments& given) { return static_cast<double>(given.edges); },
    [](const arguments& given) { return generate_uniform(*given.dims, given.edges, given.seed); }};

void run(const arguments& given, const model& kind) {
  const output_format format = resolve(given.output, allowed);
  kind.check(given);
  if (given.common.json && given.output.is_standard_output()) {
    throw usage_error("--json: standard output holds the graph already");
  }
  require_writable(given.output.file);
  // A typing error in the number of edges should be told, not felt.
  constexpr double bytes_an_edge = 24;
  require_memory("generate", bytes_an_edge * kind.edges(given), "ask for fewer edges");
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const stopwatch watch;
  matrix a;
  {
    const std::vector<edge> edges = kind.generate(given);
    build_options options;
    options.dims = kind.dims(given);
    options.kind = given.kind;
    options.progress = display.callback();
    a = build(edges, options);
  }
  write_matrix(a, given.output.file, format, display.callback());
  display.clear();
  const double seconds = watch.seconds();
  if (given.common.json) {
    json document = {
        {"output", given.output.file.string()}, {"model", kind.name}, {"seed", given.seed}};
    document.update(figures(a));
    if (const auto bytes = file_bytes(given.output.file)) document["file_bytes"] = *bytes;
    document["seconds"] = {{"run", seconds}};
    print_json(document);
  } else if (!given.common.quiet && !given.output.is_standard_output()) {
    print(fmt::format("{}: {}, made in {:.2f} s\n", printable(given.output.file.string()),
                      summary(a), seconds));
  }
}

CLI::App* add_model(CLI::App& command, const model& kind, const std::string& description,
                    const std::shared_ptr<arguments>& given, action& chosen) {
  CLI::App* result = command.add_subcommand(kind.name, description);
  add_graph_output(*result, given->output, allowed);
  add_parsed(*result, "--seed", given->seed, parse_count, "S",
             "Another number gives another graph (1)");
  add_layout(*result, given->kind);
  add_common(*result, given->common);
  result->callback([given, &kind, &chosen] { chosen = [given, &kind] { run(*given, kind); }; });
  return result;
}

}  // namespace

void add_generate(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("generate", "Make a synthetic graph");
  command->require_subcommand(1);

  CLI::App* of_web = add_model(*command, web, "Like a web crawl in URL order", given, chosen);
  add_parsed(*of_web, "--vertices", given->vertices, parse_index, "N", "Number of pages (100000)");
  const auto between = [](double least, double most) {
    return [least, most](const std::string& option, const std::string& text) {
      const double value = parse_real(option, text);
      if (value < least || value > most) {
        throw CLI::ValidationError(option,
                                   fmt::format("'{}' is not from {} to {}", text, least, most));
      }
      return value;
    };
  };
  add_parsed(*of_web, "--degree", given->degree, between(0, 1e6), "D",
             "Average links of a page (10)");
  of_web->footer("Example:\n  baltoro generate web --vertices 1M --degree 20 -o web.k2m");

  CLI::App* of_rmat = add_model(*command, rmat, "R-MAT: scattered, with hubs", given, chosen);
  add_parsed(
      *of_rmat, "--scale", given->scale,
      [](const std::string& option, const std::string& text) {
        const std::uint64_t value = parse_count(option, text);
        if (value > 31) throw CLI::ValidationError(option, "'" + text + "' is more than 31");
        return value;
      },
      "S", "The graph has 2^S vertices (16)");
  add_parsed(*of_rmat, "--edges", given->edges, parse_count, "M",
             "Edges drawn; duplicates are merged (1000000)");
  add_parsed(*of_rmat, "--a", given->a, between(0, 1), "P", "Probability of the upper left (0.57)");
  add_parsed(*of_rmat, "--b", given->b, between(0, 1), "P",
             "Probability of the upper right (0.19)");
  add_parsed(*of_rmat, "--c", given->c, between(0, 1), "P", "Probability of the lower left (0.19)");
  of_rmat->footer("Example:\n  baltoro generate rmat --scale 20 --edges 16M -o rmat.k2m");

  CLI::App* of_uniform = add_model(*command, uniform, "Cells drawn uniformly", given, chosen);
  add_parsed(*of_uniform, "--shape", given->dims, parse_shape, "RxC",
             "Rows and columns (100000x100000)");
  add_parsed(*of_uniform, "--edges", given->edges, parse_count, "M",
             "Cells drawn; duplicates are merged (1000000)");
  of_uniform->footer("Example:\n  baltoro generate uniform --shape 5000x80 --edges 10k -o u.mtx");

  command->footer(
      "Examples:\n"
      "  baltoro generate web --vertices 1M --degree 20 -o web.k2m\n"
      "  baltoro generate rmat --scale 20 --edges 16M -o rmat.k2m\n"
      "  baltoro generate uniform --shape 5000x80 --edges 10k --seed 7 -o uniform.mtx");
}

}  // namespace baltoro::cli
