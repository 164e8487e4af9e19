#include "io/triple_collector.hpp"

#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "io/vertex_order.hpp"

namespace baltoro::io {

namespace {

constexpr std::uint64_t largest_block = std::uint64_t{1} << 16;
// The least memory that a builder can do with.
constexpr std::uint64_t smallest_build = std::uint64_t{16} << 20;
// Matrices of fewer edges are built without a report.
constexpr std::uint64_t reported_edges = std::uint64_t{1} << 20;

// What a name_table of names in their final order keeps alive.
struct final_names {
  std::vector<std::uint64_t> offsets;
  std::string text;
};

}  // namespace

triple_collector::triple_collector(const read_options& options) : options_(options) {
  // A builder that is not used tells at once what is wrong with its options.
  const builder checked(options.build);
}

void triple_collector::expect(expected_name& expected, std::string_view name,
                              std::string_view before) const {
  expected.name = name;
  expected.repeated = name == before;
  if (expected.repeated) return;
  expected.tag = name_dictionary::tag_of(name);
  vertices_.expect(expected.tag, 0);
}

void triple_collector::add(const triple_lines& lines, std::span<const triple_text> triples) {
  std::array<expected_name, batch_triples> subjects;
  std::array<expected_name, batch_triples> objects;
  std::string_view subject_before;
  std::string_view object_before;
  if (triples_ > 0) {
    subject_before = vertices_[last_subject_];
    object_before = vertices_[last_object_];
  }
  for (std::size_t i = 0; i < triples.size(); ++i) {
    expect(subjects[i], triples[i].subject, subject_before);
    expect(objects[i], triples[i].object, object_before);
    subject_before = triples[i].subject;
    object_before = triples[i].object;
  }
  if (triples.size() > 1) {
    for (const unsigned step : {1U, 2U}) {
      for (std::size_t i = 0; i < triples.size(); ++i) {
        if (!subjects[i].repeated) vertices_.expect(subjects[i].tag, step);
        if (!objects[i].repeated) vertices_.expect(objects[i].tag, step);
      }
    }
  }
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const std::uint64_t line = triples[i].line;
    last_subject_ = vertex(lines, line, subjects[i], last_subject_, "subject");
    if (triples_ == 0 || relations_[last_relation_] != triples[i].relation) {
      last_relation_ = relation_number(lines, line, triples[i].relation);
    }
    last_object_ = vertex(lines, line, objects[i], last_object_, "object");
    append(edges_[last_relation_], {last_subject_, last_object_});
    ++triples_;
  }
}

index_t triple_collector::vertex(const triple_lines& lines, std::uint64_t line,
                                 const expected_name& expected, index_t last, const char* part) {
  const std::string_view name = expected.name;
  if (name.empty()) lines.fail_at(line, fmt::format("the {} is empty", part));
  if (expected.repeated) return last;
  if (name.size() > name_dictionary::max_name_bytes) {
    lines.fail_at(line, fmt::format("the {} is longer than {} bytes: {}", part,
                                    name_dictionary::max_name_bytes, printable(name)));
  }
  const index_t number = vertices_.intern(name, expected.tag);
  if (number == max_dimension - 1) {
    lines.fail_at(line, fmt::format("{} is one vertex too many, {} are the limit", printable(name),
                                    max_dimension - 1));
  }
  return number;
}

index_t triple_collector::relation_number(const triple_lines& lines, std::uint64_t line,
                                          std::string_view name) {
  if (name.empty()) lines.fail_at(line, "the relation is empty");
  if (name.size() > name_dictionary::max_name_bytes) {
    lines.fail_at(line, fmt::format("the relation is longer than {} bytes: {}",
                                    name_dictionary::max_name_bytes, printable(name)));
  }
  const index_t number = relations_.intern(name);
  if (number == edges_.size()) {
    if (edges_.size() == max_relations) {
      lines.fail_at(line, fmt::format("{} is one relation too many, {} are the limit; a line is "
                                      "subject, relation, object",
                                      printable(name), max_relations));
    }
    edges_.emplace_back();
    edge_bytes_ += sizeof(edge_blocks);
  }
  return number;
}

void triple_collector::append(edge_blocks& edges, edge one) {
  auto& blocks = edges.blocks;
  if (blocks.empty() || blocks.back().size() == blocks.back().capacity()) {
    blocks.emplace_back();
    blocks.back().reserve(std::clamp<std::uint64_t>(edges.edges / 4, 4, largest_block));
    edge_bytes_ += blocks.back().capacity() * sizeof(edge) + sizeof(std::vector<edge>);
  }
  blocks.back().push_back(one);
  ++edges.edges;
}

std::uint64_t triple_collector::held_bytes() const {
  return vertices_.held_bytes() + relations_.held_bytes() + edge_bytes_;
}

void triple_collector::require(std::uint64_t bytes, const char* what) const {
  const std::uint64_t limit = options_.build.memory_bytes;
  if (limit == 0 || bytes <= limit) return;
  throw out_of_memory(
      what, bytes, limit,
      fmt::format("raise the memory limit: {} triples and {} names are held in memory until all "
                  "vertices are known",
                  triples_, vertices_.size()));
}

void triple_collector::check_memory() const { require(held_bytes(), "reading triples"); }

name_table triple_collector::number_vertices() {
  const index_t count = vertices_.size();
  const std::uint64_t text_bytes = vertices_.text_bytes();
  require(held_bytes() + count * ordering_bytes_per_name, "ordering vertices");
  require(held_bytes() + text_bytes + count * (2 * sizeof(index_t) + sizeof(std::uint64_t)),
          "numbering vertices");

  const auto names = std::make_shared<final_names>();
  std::vector<index_t> final_number(count);
  {
    const std::vector<index_t> in_order = ordered(vertices_, options_.order);
    names->offsets.reserve(std::size_t{count} + 1);
    names->offsets.push_back(0);
    names->text.reserve(text_bytes);
    for (index_t i = 0; i < count; ++i) {
      final_number[in_order[i]] = i;
      names->text += vertices_[in_order[i]];
      names->offsets.push_back(names->text.size());
    }
  }
  vertices_ = name_dictionary();
  for (edge_blocks& part : edges_) {
    for (auto& block : part.blocks) {
      for (edge& one : block) one = {final_number[one.row], final_number[one.col]};
    }
  }
  if (count == 0) return {};
  return {names->offsets, names->text, names};
}

shape triple_collector::shape_of(index_t vertices) const {
  const shape dims = options_.build.dims.value_or(shape{vertices, vertices});
  if (dims.rows < vertices || dims.cols < vertices) {
    throw invalid_argument(fmt::format("shape {}x{} is too small: the triples have {} vertices",
                                       dims.rows, dims.cols, vertices));
  }
  return dims;
}

matrix triple_collector::build_one(std::span<edge_blocks> parts, shape dims, std::uint64_t beside,
                                   bool last) {
  build_options options = options_.build;
  options.dims = dims;
  if (options.memory_bytes != 0) {
    const std::uint64_t held = held_bytes() + beside;
    require(held + smallest_build, "building matrices");
    options.memory_bytes -= held;
  }
  // Thousands of small relations are built in no time; nobody wants to hear of each.
  std::uint64_t edges = 0;
  for (const edge_blocks& part : parts) edges += part.edges;
  if (edges < reported_edges) options.progress = {};
  builder one(std::move(options));
  for (edge_blocks& part : parts) {
    for (auto& block : part.blocks) {
      one.add(block);
      if (!last) continue;
      edge_bytes_ -= block.capacity() * sizeof(edge);
      block = {};
    }
  }
  return one.finish();
}

graph triple_collector::finish() {
  // A shape that is too small is told before the work, not after it.
  const shape dims = shape_of(vertices_.size());
  const bool with_union = options_.with_union && triples_ > 0;
  graph result;
  result.vertices = number_vertices();

  vertex_order relation_order = options_.order;
  if (relation_order == vertex_order::by_number) relation_order = vertex_order::automatic;
  const std::vector<index_t> in_order = ordered(relations_, relation_order);

  std::uint64_t beside = result.vertices.text().size() + result.vertices.offsets().size_bytes();
  if (with_union) result.relations.push_back({"*", matrix()});
  for (const index_t number : in_order) {
    const std::span<edge_blocks> own(&edges_[number], 1);
    result.relations.push_back(
        {std::string(relations_[number]), build_one(own, dims, beside, !with_union)});
    beside += result.relations.back().adjacency.bytes().total();
  }
  if (with_union) result.relations.front().adjacency = build_one(edges_, dims, beside, true);
  if (result.relations.empty()) {
    result.relations.push_back({std::string(), build_one({}, dims, beside, true)});
  }
  edges_.clear();
  return result;
}

}  // namespace baltoro::io
