// baltoro info: the size and the shape of a graph.
#include <baltoro/payload.hpp>
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

void add_facts(table& facts, const matrix& a, const level_order_view& tree) {
  const matrix_bytes bytes = a.bytes();
  facts.row({"levels", std::to_string(tree.levels)});
  facts.row({"nodes", grouped(tree.nodes())});
  facts.row({"a level", level_list(tree)});
  facts.row({"bits an edge", fmt::format("{:.4f}", a.bits_per_edge())});
  facts.row(
      {"bytes", fmt::format("{}: tree {}, directory {}, table {}", grouped(bytes.total()),
                            grouped(bytes.tree), grouped(bytes.directory), grouped(bytes.table))});
}

std::string width_list(const leaf_classes& classes) {
  std::string list;
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    list += (c == 0 ? "" : " ") + (c == 3 && classes.escapes()
                                       ? (classes.escapes_by_rows() ? "rows" : "raw")
                                       : std::to_string(classes.width[c]));
  }
  return list;
}

void add_facts(table& facts, const matrix& a, const adaptive_view& view) {
  const matrix_bytes bytes = a.bytes();
  const payload_parts parts = parts_of(view);
  std::string kinds;
  for (unsigned kind = 0; name_of_container_kind(kind) != nullptr; ++kind) {
    kinds += fmt::format("{} {} {}", kind == 0 ? ":" : ",", name_of_container_kind(kind),
                         grouped(parts.containers[kind]));
  }
  const auto bits = [&](std::uint64_t part) {
    return a.nnz() == 0 ? 0.0 : 8.0 * static_cast<double>(part) / static_cast<double>(a.nnz());
  };
  facts.row({"leaves", grouped(view.leaves)});
  facts.row({"containers", grouped(view.containers) + kinds});
  facts.row({"patterns", grouped(view.patterns)});
  facts.row({"bits of an id", width_list(view.classes)});
  facts.row({"bits an edge",
             fmt::format("{:.4f}: containers {:.4f}, positions {:.4f}, contents {:.4f}, dictionary "
                         "{:.4f}",
                         a.bits_per_edge(), bits(bytes.containers), bits(parts.positions_bytes),
                         bits(parts.contents_bytes), bits(bytes.dictionary))});
  facts.row({"bytes",
             fmt::format("{}: containers {}, payload {}, dictionary {}, table {}",
                         grouped(bytes.total()), grouped(bytes.containers), grouped(bytes.payload),
                         grouped(bytes.dictionary), grouped(bytes.table))});
}

// What the size of a matrix is made of, by layout: nodes or leaves.
std::string parts_text(const matrix& a) {
  return a.kind() == layout::adaptive ? grouped(a.adaptive().leaves) + " leaves"
                                      : grouped(a.tree().nodes()) + " nodes";
}

std::string info_text(const arguments& given, const open_graph& opened) {
  const matrix& a = opened.matrix;
  const auto file = file_bytes(given.input.file);
  table facts("ll");
  facts.row({"file", fmt::format("{} ({}{})", printable(given.input.file.string()),
                                 name_of(opened.format), file ? ", " + size_text(*file) : "")});
  if (!opened.relation.empty()) facts.row({"relation", printable(opened.relation)});
  facts.row({"rows x columns", grouped(a.rows()) + " x " + grouped(a.cols())});
  facts.row({"non-zeros", grouped(a.nnz())});
  facts.row({"layout", name_of(a.kind())});
  if (a.kind() == layout::adaptive) {
    add_facts(facts, a, a.adaptive());
  } else {
    add_facts(facts, a, a.tree());
  }
  facts.row({"as CSR", fmt::format("{} bytes, {:.1f} times as many", grouped(csr_bytes(a)),
                                   static_cast<double>(csr_bytes(a)) /
                                       static_cast<double>(a.bytes().total()))});
  std::string text = facts.text();
  if (opened.graph.relations.size() > 1) {
    table relations("lrrrr");
    relations.row({"relation", "non-zeros", "made of", "bytes", "bits an edge"});
    for (const relation& each : opened.graph.relations) {
      const matrix& m = each.adjacency;
      relations.row({printable(each.name), grouped(m.nnz()), parts_text(m),
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
      "Of a .k2m file only the header is read, so this is immediate however large the file is;\n"
      "of the layout adaptive also the first word of every container.\n"
      "\nExamples:\n"
      "  baltoro info web.k2m\n"
      "  baltoro info web.k2m --json | jq .bits_per_edge\n"
      "  baltoro info knowledge.tsv.gz --relation P106");
  command->callback([given, &chosen] { chosen = [given] { run(*given); }; });
}

}  // namespace baltoro::cli
