// Stand-ins beside the graphs they stand for: a Markdown table of every statistic that they have to match.
//
// stand_ins [--most-edges=M] [--memory-mib=B] [--threads=N] [NAME...]: builds the stand-ins named, or all, at
// full size, or where that has more than M edges at the smallest scale that has not. With --memory-mib
// edges are sorted on disk beyond that.
#include <baltoro/baltoro.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace {

using namespace baltoro;

struct settings {
  std::uint64_t most_edges = ~0ULL;
  std::uint64_t memory_bytes = 0;
  unsigned threads = 0;
  std::vector<std::string> names;
};

settings parse(int argc, char** argv) {
  settings given;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&] { return std::stoull(argument.substr(argument.find('=') + 1)); };
    if (argument.starts_with("--most-edges=")) {
      given.most_edges = value();
    } else if (argument.starts_with("--memory-mib=")) {
      given.memory_bytes = value() << 20U;
    } else if (argument.starts_with("--threads=")) {
      given.threads = static_cast<unsigned>(value());
    } else if (argument.starts_with("-")) {
      throw std::invalid_argument("unknown option " + argument);
    } else {
      given.names.push_back(argument);
    }
  }
  return given;
}

// "5.82 / 5.70 (-2 %)": what the paper has, what the stand-in has, and the difference.
std::string beside(double paper, double ours) {
  return fmt::format("{:.2f} / {:.2f} ({:+.0f} %)", paper, ours, 100 * (ours / paper - 1));
}

void show(const stand_in& s, const settings& given) {
  const std::uint64_t scale =
      std::max<std::uint64_t>(1, (s.edges + given.most_edges - 1) / given.most_edges);
  const generator graph = generator::like(s.name, scale);
  builder edges({.dims = graph.dims(), .memory_bytes = given.memory_bytes});
  graph.for_each([&](std::span<const edge> part) { edges.add(part); });
  const matrix a = edges.finish();
  const level_order_view& tree = a.tree();
  const auto nnz = static_cast<double>(a.nnz());
  // The blocks of 4×4 cells are the nodes above the leaves.
  const auto blocks = static_cast<double>(tree.nodes_at(tree.levels - 2));
  // Few columns, so that the non-zeros of one are many: where section 5.4 gives their number.
  const bool narrow = s.dims.cols <= 16'384;
  const double paper_edges = static_cast<double>(s.edges);
  fmt::print("| {} | {} | {} × {} | {:.2f} M | {} | {} | {} | {} | {} |\n", s.name, scale, a.rows(),
             a.cols(), nnz / 1e6, beside(s.nodes_per_edge, static_cast<double>(tree.nodes()) / nnz),
             beside(4 * s.nodes_per_edge, a.bits_per_edge()),
             beside(s.edges_per_block, nnz / blocks),
             beside(paper_edges / s.dims.rows, nnz / a.rows()),
             narrow ? beside(paper_edges / s.dims.cols, nnz / a.cols()) : "");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const settings given = parse(argc, argv);
    const thread_limit limit(given.threads);
    fmt::print(
        "Paper / stand-in (difference).\n\n"
        "| stand-in for | scale | shape | edges | nodes/edge | bits/edge | edges/4×4 block | "
        "edges/row | edges/column |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n");
    for (const stand_in& s : stand_ins()) {
      if (given.names.empty() ||
          std::find(given.names.begin(), given.names.end(), s.name) != given.names.end()) {
        show(s, given);
      }
    }
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "stand_ins: %s\n", failure.what());
    return 1;
  }
}
