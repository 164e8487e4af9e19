// baltoro info: the size and the shape of a graph.
#include <baltoro/threads.hpp>

#include <memory>

#include <fmt/format.h>

#include "commands.hpp"
#include "figures.hpp"
#include "input_graph.hpp"
#include "output_file.hpp"

namespace baltoro::cli {
namespace {

struct arguments {
  common_options common;
  input_options input;
};

json info_json(const arguments& given, const open_graph& opened) {
  json document = {{"file", given.input.file.string()},
                   {"format", name_of(opened.format)},
                   {"relation", opened.relation}};
  document.update(figures(opened.matrix));
  if (const auto bytes = file_bytes(given.input.file)) document["file_bytes"] = *bytes;
  document["named_vertices"] = opened.graph.vertices.size();
  if (opened.graph.relations.size() > 1 || !opened.relation.empty()) {
    json relations = json::array();
    for (const relation& each : opened.graph.relations) {
      json entry = {{"name", each.name}};
      entry.update(figures(each.adjacency));
      relations.push_back(std::move(entry));
    }
    document["relations"] = std::move(relations);
  }
  document["seconds"] = {{"read", opened.seconds}};
  return document;
}

std::string level_list(const level_order_view& tree) {
  std::string list;
  for (unsigned level = 0; level < tree.levels; ++level) {
    list += (level == 0 ? "" : " ") + std::to_string(tree.nodes_at(level));
  }
  return list;
}

std::string info_text(const arguments& given, const open_graph& opened) {
  const matrix& a = opened.matrix;
  const matrix_bytes bytes = a.bytes();
  const auto file = file_bytes(given.input.file);
  table facts("ll");
  facts.row({"file", fmt::format("{} ({}{})", printable(given.input.file.string()),
                                 name_of(opened.format), file ? ", " + size_text(*file) : "")});
  if (!opened.relation.empty()) facts.row({"relation", printable(opened.relation)});
  facts.row({"rows x columns", grouped(a.rows()) + " x " + grouped(a.cols())});
  facts.row({"non-zeros", grouped(a.nnz())});
  facts.row({"layout", name_of(a.kind())});
  facts.row({"levels", std::to_string(a.tree().levels)});
  facts.row({"nodes", grouped(a.tree().nodes())});
  facts.row({"a level", level_list(a.tree())});
  facts.row({"bits an edge", fmt::format("{:.4f}", a.bits_per_edge())});
  facts.row(
      {"bytes", fmt::format("{}: tree {}, directory {}, table {}", grouped(bytes.total()),
                            grouped(bytes.tree), grouped(bytes.directory), grouped(bytes.table))});
  facts.row({"as CSR",
             fmt::format("{} bytes, {:.1f} times as many", grouped(csr_bytes(a)),
                         static_cast<double>(csr_bytes(a)) / static_cast<double>(bytes.total()))});
  std::string text = facts.text();
  if (opened.graph.relations.size() > 1) {
    table relations("lrrrr");
    relations.row({"relation", "non-zeros", "nodes", "bytes", "bits an edge"});
    for (const relation& each : opened.graph.relations) {
      const matrix& m = each.adjacency;
      relations.row({printable(each.name), grouped(m.nnz()), grouped(m.tree().nodes()),
                     grouped(m.bytes().total()), fmt::format("{:.4f}", m.bits_per_edge())});
    }
    text += "\n" + relations.text();
  }
  return text;
}

void run(const arguments& given) {
  const thread_limit limit(given.common.threads);
  progress_display display(given.common.quiet);
  const open_graph opened = open(given.input, display, check::header, left_out::first);
  if (given.common.json) {
    print_json(info_json(given, opened));
  } else {
    print(info_text(given, opened));
  }
}

}  // namespace

void add_info(CLI::App& app, action& chosen) {
  auto given = std::make_shared<arguments>();
  CLI::App* command = app.add_subcommand("info", "Show shape, size and levels of a graph");
  add_input(*command, given->input);
  add_common(*command, given->common);
  command->footer(
      "Of a .k2m file only the header is read, so this is immediate however large the file is.\n"
      "\nExamples:\n"
      "  baltoro info web.k2m\n"
      "  baltoro info web.k2m --json | jq .bits_per_edge\n"
      "  baltoro info knowledge.tsv.gz --relation P106");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
