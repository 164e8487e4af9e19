// baltoro verify: check every byte of a graph and count its cells anew.
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "input_graph.hpp"
#include "text.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
};

// What the cells themselves say, whatever the header claims.
struct census {
  std::uint64_t nnz = 0;
  std::uint64_t checksum = 0;  // Σ row · cols + col modulo 2^64
  std::uint64_t diagonal = 0;
};

// Edges between two reports of progress.
constexpr std::uint64_t report_edges = 1U << 20U;

census count(const matrix& a, progress_display& display) {
  census result;
  const progress_callback progress = display.callback();
  a.for_each([&](std::span<const edge> cells) {
    for (const edge& cell : cells) {
      result.checksum += std::uint64_t{cell.row} * a.cols() + cell.col;
      result.diagonal += cell.row == cell.col ? 1 : 0;
    }
    result.nnz += cells.size();
    if (progress && result.nnz / report_edges != (result.nnz - cells.size()) / report_edges) {
      progress({"counting", result.nnz, a.nnz(), "edges"});
    }
  });
  display.clear();
  return result;
}

// `checked` says that opening the file has looked at the trees already.
census verify(const std::string& file, const relation& each, bool checked,
              progress_display& display) {
  const std::string place = each.name.empty() ? std::string() : "relation " + each.name;
  std::string reason;
  if (!checked && !each.adjacency.validate(&reason)) throw invalid_format(file, place, reason);
  const census found = count(each.adjacency, display);
  if (found.nnz != each.adjacency.nnz()) {
    throw invalid_format(
        file, place,
        fmt::format("{} non-zeros are stated, but there are {}", each.adjacency.nnz(), found.nnz));
  }
  return found;
}

json to_json(const matrix& a, const census& found) {
  return {{"rows", a.rows()},
          {"cols", a.cols()},
          {"nnz", found.nnz},
          {"checksum", found.checksum},
          {"diagonal", found.diagonal}};
}

void run(const arguments& given) {
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  input_options input = given.input;
  input.trust = false;
  const open_graph opened = open(input, display, check::full, left_out::first);
  const std::string file = given.input.file.string();

  table found_table("lrrrrr");
  found_table.row({"relation", "rows", "columns", "non-zeros", "diagonal", "checksum"});
  json relations = json::array();
  json document = {{"file", file}, {"format", name_of(opened.format)}, {"sound", true}};
  document["relation"] = opened.relation;
  for (const relation& each : opened.graph.relations) {
    const matrix& a = each.adjacency;
    const census found = verify(file, each, opened.format == file_format::k2m, display);
    if (each.name == opened.relation) document.update(to_json(a, found));
    json entry = {{"name", each.name}};
    entry.update(to_json(a, found));
    relations.push_back(std::move(entry));
    found_table.row({each.name.empty() ? "(only one)" : printable(each.name), grouped(a.rows()),
                     grouped(a.cols()), grouped(found.nnz), grouped(found.diagonal),
                     std::to_string(found.checksum)});
  }
  if (given.common.json) {
    if (relations.size() > 1 || !opened.relation.empty()) document["relations"] = relations;
    print_json(document);
  } else {
    print(fmt::format("{}: sound\n{}", printable(file), found_table.text()));
  }
}

}  // namespace

void add_verify(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("verify", "Check a whole graph and count its cells anew");
  add_input(*command, given->input);
  add_common(*command, given->common);
  command->remove_option(command->get_option("--trust"));
  command->footer(
      "Checks all checksums of a .k2m file and that its trees are sound, then visits every cell.\n"
      "The checksum is the sum of row * columns + column over all cells, modulo 2^64.\n"
      "\nExamples:\n"
      "  baltoro verify web.k2m\n"
      "  baltoro verify web.mtx --json | jq .checksum");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
