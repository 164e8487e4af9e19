// What must hold of every graph of triples that a reader lets through.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/reader.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "io/readers.hpp"

namespace baltoro::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Reads the file and checks the graph. Errors that a user would see are fine.
inline void check_triples(const std::filesystem::path& file, const read_options& options) {
  graph g;
  try {
    g = io::read_triples({&file, 1}, options);
  } catch (const error&) {
    return;
  }
  require(!g.relations.empty(), "there is a relation");
  std::uint64_t sum = 0;
  for (const relation& r : g.relations) {
    std::string reason;
    require(r.adjacency.validate(&reason), reason.c_str());
    require(r.adjacency.rows() == g.vertices.size(), "a row a vertex");
    if (r.name != "*") sum += r.adjacency.nnz();
  }
  for (index_t i = 0; i < g.vertices.size(); ++i) require(!g.vertices[i].empty(), "names");
  if (options.with_union && g.relations.size() > 1) {
    require(g.at().nnz() <= sum, "the union has no edge of its own");
    require(g.relations.size() != 2 || g.at().nnz() == sum, "one relation is its union");
  }
}

}  // namespace baltoro::fuzz
