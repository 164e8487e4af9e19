// Triples on their way from lines to matrices: names become numbers, edges wait by relation.
#pragma once

#include <baltoro/graph.hpp>
#include <baltoro/reader.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/name_dictionary.hpp"
#include "io/triple_lines.hpp"

namespace baltoro::io {

// One triple as it stands in a file.
struct triple_text {
  std::string_view subject;
  std::string_view relation;
  std::string_view object;
  std::uint64_t line = 0;
};

class triple_collector {
 public:
  // The most triples that add() takes at once. As many look-ups of names overlap.
  static constexpr std::size_t batch_triples = 32;
  // More relations than this are taken for a file whose columns are not what they should be.
  static constexpr index_t max_relations = index_t{1} << 20;

  // `options` must outlive the collector. Throws invalid_argument where one is out of its range.
  explicit triple_collector(const read_options& options);

  // Adds triples. A part that equals that of the triple before it, as sorted files have it, costs
  // no look-up. Throws invalid_format where a name is empty, too long, or one too many.
  void add(const triple_lines& lines, std::span<const triple_text> triples);

  // Throws out_of_memory where what is held exceeds the limit of the options. To be called from
  // time to time.
  void check_memory() const;

  // Numbers the vertices and builds the matrices. Everything collected is gone afterwards.
  graph finish();

 private:
  // Edges in blocks that grow with their number: little is spare and nothing is ever copied.
  struct edge_blocks {
    std::vector<std::vector<edge>> blocks;
    std::uint64_t edges = 0;
  };

  // A vertex of the batch that add() is busy with.
  struct expected_name {
    std::string_view name;
    std::uint32_t tag = 0;
    bool repeated = false;  // the same as in the triple before
  };

  void expect(expected_name& expected, std::string_view name, std::string_view before) const;
  index_t vertex(const triple_lines& lines, std::uint64_t line, const expected_name& expected,
                 index_t last, const char* part);
  index_t relation_number(const triple_lines& lines, std::uint64_t line, std::string_view name);
  void append(edge_blocks& edges, edge one);
  void require(std::uint64_t bytes, const char* what) const;
  std::uint64_t held_bytes() const;
  name_table number_vertices();
  shape shape_of(index_t vertices) const;
  matrix build_one(std::span<edge_blocks> parts, shape dims, std::uint64_t beside, bool last);

  const read_options& options_;
  name_dictionary vertices_;
  name_dictionary relations_;
  std::vector<edge_blocks> edges_;  // by relation
  std::uint64_t edge_bytes_ = 0;
  std::uint64_t triples_ = 0;
  index_t last_subject_ = 0;
  index_t last_relation_ = 0;
  index_t last_object_ = 0;
};

// tab_separated_triples.cpp: all lines, each "subject TAB relation TAB object".
void read_tab_separated(triple_lines& lines, triple_collector& triples);

// ntriples.cpp: all lines, in N-Triples.
void read_ntriples(triple_lines& lines, triple_collector& triples);

}  // namespace baltoro::io
