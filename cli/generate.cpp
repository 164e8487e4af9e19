// baltoro generate: synthetic graphs for first steps and benchmarks.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
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
  build_options build;
  std::uint64_t seed = 1;
  // --like
  std::string like;
  std::uint64_t divisor = 1;
  // web, merkle and social
  index_t vertices = 100'000;
  double degree = 10;
  // rmat
  std::uint64_t scale = 16;
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
  // uniform, citation and relation
  std::optional<shape> dims = shape{100'000, 100'000};
  // rmat, uniform, citation and relation
  std::uint64_t edges = 1'000'000;
  relation_options relation;
};

// What is being generated.
struct model {
  const char* name;
  generator (*describe)(const arguments&);
};

// Edges of `degree` links a vertex, as many as there are cells.
std::uint64_t edges_of(const arguments& given) {
  const double cells = static_cast<double>(given.vertices) * given.vertices;
  return static_cast<std::uint64_t>(std::min(given.degree * given.vertices, cells));
}

const model web = {"web", [](const arguments& given) {
                     return generator::web(given.vertices, edges_of(given), given.seed);
                   }};
const model merkle = {"merkle", [](const arguments& given) {
                        return generator::merkle(given.vertices, edges_of(given), given.seed);
                      }};
const model social = {"social", [](const arguments& given) {
                        return generator::social(given.vertices, edges_of(given), given.seed);
                      }};
const model citation = {"citation", [](const arguments& given) {
                          return generator::citation(*given.dims, given.edges, given.seed);
                        }};
const model relation = {"relation", [](const arguments& given) {
                          return generator::relation(*given.dims, given.edges, given.seed,
                                                     given.relation);
                        }};
const model rmat = {
    "rmat", [](const arguments& given) {
      if (given.a + given.b + given.c > 1) {
        throw usage_error(fmt::format("--a, --b and --c: the sum of {}, {} and {} is more than 1",
                                      given.a, given.b, given.c));
      }
      return generator::rmat(static_cast<unsigned>(given.scale), given.edges, given.a, given.b,
                             given.c, given.seed);
    }};
const model uniform = {
    "uniform", [](const arguments& given) {
      if (given.edges != 0 && (given.dims->rows == 0 || given.dims->cols == 0)) {
        throw usage_error(fmt::format("--shape: a {}x{} matrix has no cells to draw",
                                      given.dims->rows, given.dims->cols));
      }
      return generator::uniform(*given.dims, given.edges, given.seed);
    }};
const model stand_in_model = {"stand-in", [](const arguments& given) {
                                return generator::like(given.like, given.divisor, given.seed);
                              }};

// What the options describe. What the library refuses, they have said.
generator describe(const arguments& given, const model& kind) {
  try {
    return kind.describe(given);
  } catch (const invalid_argument& error) {
    throw usage_error(error.what());
  }
}

void run(const arguments& given, const model& kind) {
  const output_format format = resolve(given.output, allowed);
  const generator graph = describe(given, kind);
  if (given.common.json && given.output.is_standard_output()) {
    throw usage_error("--json: standard output holds the graph already");
  }
  require_writable(given.output.file);
  if (given.build.memory_bytes == 0) {
    // A typing error in the number of edges should be told, not felt.
    constexpr double bytes_an_edge = 17;
    require_memory("generate", bytes_an_edge * static_cast<double>(graph.edges()),
                   "ask for fewer edges, or set --memory and sort them on disk");
  }
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const stopwatch watch;
  matrix a;
  {
    build_options options = given.build;
    options.dims = graph.dims();
    options.progress = display.callback();
    builder edges(options);
    std::uint64_t done = 0;
    graph.for_each([&](std::span<const edge> part) {
      done += part.size();
      if (options.progress) options.progress({"generating", done, graph.edges(), "edges"});
      edges.add(part);
    });
    a = edges.finish();
  }
  write_matrix(a, given.output.file, format, display.callback());
  display.clear();
  const double seconds = watch.seconds();
  if (given.common.json) {
    json document = {
        {"output", given.output.file.string()}, {"model", kind.name}, {"seed", given.seed}};
    if (!given.like.empty()) {
      document["stand_in_for"] = given.like;
      document["scale"] = given.divisor;
    }
    document.update(figures(a));
    if (const auto bytes = file_bytes(given.output.file)) document["file_bytes"] = *bytes;
    document["seconds"] = {{"run", seconds}};
    print_json(document);
  } else if (!given.common.quiet && !given.output.is_standard_output()) {
    const std::string what =
        given.like.empty() ? std::string() : fmt::format("a stand-in for {}, ", given.like);
    print(fmt::format("{}: {}{}, made in {:.2f} s\n", printable(given.output.file.string()), what,
                      summary(a), seconds));
  }
}

void add_all_models_know(CLI::App& command, const model& kind,
                         const std::shared_ptr<arguments>& given, action& chosen) {
  add_graph_output(command, given->output, allowed);
  add_parsed(command, "--seed", given->seed, parse_count, "S",
             "Another number gives another graph (1)");
  add_layout(command, given->build.kind);
  add_memory(command, given->build);
  add_common(command, given->common);
  command.callback([given, &kind, &chosen] { chosen = [given, &kind] { run(*given, kind); }; });
}

CLI::App* add_model(CLI::App& command, const model& kind, const std::string& description,
                    const std::shared_ptr<arguments>& given, action& chosen) {
  CLI::App* result = command.add_subcommand(kind.name, description);
  add_all_models_know(*result, kind, given, chosen);
  return result;
}

// Parses a number within bounds.
auto between(double least, double most) {
  return [least, most](const std::string& option, const std::string& text) {
    const double value = parse_real(option, text);
    if (value < least || value > most) {
      throw CLI::ValidationError(option,
                                 fmt::format("'{}' is not from {} to {}", text, least, most));
    }
    return value;
  };
}

void add_vertices(CLI::App& command, arguments& given, const std::string& what) {
  add_parsed(command, "--vertices", given.vertices, parse_index, "N",
             fmt::format("Number of {} (100000)", what));
  add_parsed(command, "--degree", given.degree, between(0, 1e6), "D",
             "Average links of each of them (10)");
}

void add_cells(CLI::App& command, arguments& given, const std::string& what) {
  add_parsed(command, "--shape", given.dims, parse_shape, "RxC",
             "Rows and columns (100000x100000)");
  add_parsed(command, "--edges", given.edges, parse_count, "M", fmt::format("{} (1000000)", what));
}

// Stand-ins have no subcommand: generate --like NAME.
void add_like(CLI::App& command, const std::shared_ptr<arguments>& given, action& chosen) {
  std::string names;
  for (const stand_in& s : stand_ins()) {
    if (!names.empty()) names += names.size() - names.rfind('\n') > 60 ? ",\n" : ", ";
    names += s.name;
  }
  const CLI::Option* like =
      command
          .add_option("--like", given->like,
                      "Makes a stand-in, of the shape and structure of a graph of the\n"
                      "literature and with none of its edges: " +
                          names)
          ->type_name("NAME");
  add_parsed(command, "--scale", given->divisor, parse_count, "K",
             "With --like: divides rows, columns and edges (1)");
  add_all_models_know(command, stand_in_model, given, chosen);
  // Where a model is named, it has its own.
  CLI::Option* output = command.get_option("-o");
  output->required(false);
  command.callback([given, &command, like, output, &chosen] {
    if (!command.get_subcommands().empty()) {
      if (like->count() != 0) throw CLI::ExcludesError("--like", "a model");
      return;
    }
    if (like->count() == 0) {
      std::string models;
      for (const CLI::App* each : command.get_subcommands(nullptr)) {
        models += (models.empty() ? "" : ", ") + each->get_name();
      }
      throw CLI::RequiredError("A model (" + models + ") or --like NAME");
    }
    if (output->count() == 0) throw CLI::RequiredError("--output");
    chosen = [given] { run(*given, stand_in_model); };
  });
}

}  // namespace

void add_generate(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("generate", "Make a synthetic graph");
  command->require_subcommand(0, 1);

  CLI::App* of_web = add_model(*command, web, "Like a web crawl in URL order", given, chosen);
  add_vertices(*of_web, *given, "pages");
  of_web->footer("Example:\n  baltoro generate web --vertices 1M --degree 20 -o web.k2m");

  CLI::App* of_merkle = add_model(
      *command, merkle, "Like version histories: commits, trees and files", given, chosen);
  add_vertices(*of_merkle, *given, "commits, trees and files");
  of_merkle->footer("Example:\n  baltoro generate merkle --vertices 1M --degree 27 -o git.k2m");

  CLI::App* of_social = add_model(
      *command, social, "Like a social network in an order by communities", given, chosen);
  add_vertices(*of_social, *given, "members");
  of_social->footer("Example:\n  baltoro generate social --vertices 1M --degree 15 -o social.k2m");

  CLI::App* of_citation =
      add_model(*command, citation, "Like citations, in order of time", given, chosen);
  add_cells(*of_citation, *given, "Citations");
  of_citation->footer(
      "Example:\n  baltoro generate citation --shape 1000000x1500000 --edges 20M -o cites.k2m");

  CLI::App* of_relation =
      add_model(*command, relation, "Like a relation of many things to few values", given, chosen);
  add_cells(*of_relation, *given, "Cells");
  add_parsed(*of_relation, "--repeat", given->relation.repeat, between(0, 1), "P",
             "Probability that a row is like the one before (0.5)");
  add_parsed(*of_relation, "--skew", given->relation.skew, between(0, 2), "S",
             "Exponent of Zipf's law for the columns (1)");
  of_relation->footer(
      "Example:\n  baltoro generate relation --shape 10000000x1700 --edges 10M -o country.k2m");

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
  add_cells(*of_uniform, *given, "Cells drawn; duplicates are merged");
  of_uniform->footer("Example:\n  baltoro generate uniform --shape 5000x80 --edges 10k -o u.mtx");

  add_like(*command, given, chosen);

  command->footer(
      "Graphs larger than memory are sorted on disk with --memory. Examples:\n"
      "  baltoro generate web --vertices 1M --degree 20 -o web.k2m\n"
      "  baltoro generate relation --shape 10000000x1700 --edges 10M -o relation.k2m\n"
      "  baltoro generate --like swh --scale 64 -o swh.k2m");
}

}  // namespace baltoro::cli
