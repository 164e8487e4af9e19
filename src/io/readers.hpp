// The readers of graph formats, one function a format. reader.cpp chooses among them.
//
// A reader streams: edges go to the sink in batches while the file is read. It returns the shape
// the file states; formats that state none return nothing, and the shape follows from the edges.
#pragma once

#include <baltoro/reader.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace baltoro::io {

// Where edges go. add() is never called from two threads at once.
class edge_sink {
 public:
  virtual ~edge_sink() = default;
  virtual void add(std::span<const edge> edges) = 0;
};

// matrix_market.cpp
std::optional<shape> read_matrix_market(const std::filesystem::path& file, edge_sink& sink,
                                        const read_options& options);

// edge_list.cpp
std::optional<shape> read_edge_list(const std::filesystem::path& file, edge_sink& sink,
                                    const read_options& options);

// bvgraph.cpp. `file` is the basename, the .graph or the .properties file. Edges come row by row,
// columns ascending. The .offsets file, where there is one, only makes it faster: whatever it
// holds, the edges are the same.
std::optional<shape> read_bvgraph(const std::filesystem::path& file, edge_sink& sink,
                                  const read_options& options);

// triples.cpp. Reads all files, since vertices are numbered once all names are known.
graph read_triples(std::span<const std::filesystem::path> files, const read_options& options);

}  // namespace baltoro::io
