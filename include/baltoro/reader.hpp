/// \file
/// \brief From files of any known format to a graph.
///
/// Every reader streams: it holds a few buffers and what the builder holds, whatever the size of the
/// file. Files compressed with gzip or zstd are recognised by their first bytes and read in place.
/// Bad input throws invalid_format, which names the file, the line or byte, and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include <baltoro/builder.hpp>
#include <baltoro/graph.hpp>
#include <baltoro/progress.hpp>
#include <baltoro/types.hpp>

namespace baltoro {

/// The formats that can be read.
enum class file_format : std::uint32_t {
  automatic,      ///< told by the file's name and first bytes
  matrix_market,  ///< Matrix Market coordinate files, 1-based; every stored entry is a cell
  edge_list,      ///< a line an edge: two numbers, then anything
  bvgraph,        ///< WebGraph BVGraph: .graph and .properties, .offsets where there is one
  triples,        ///< subject, relation, object: tab-separated or N-Triples (.nt)
  k2m,            ///< Baltoro's own
};

/// The name of a format as users write it: auto, mtx, edges, bvgraph, triples, k2m.
const char* name_of(file_format format);
/// The format of that name, if there is one.
std::optional<file_format> format_named(std::string_view name);

/// In which order the vertices of triples are numbered.
enum class vertex_order : std::uint32_t {
  automatic,   ///< by_number where all names are one prefix and a number (Q42), by_bytes elsewhere
  by_bytes,    ///< ascending bytes of the name
  by_number,   ///< ascending number after the common prefix
  first_seen,  ///< as they occur, subject before object
};

/// How files are read and what is built of them.
struct read_options {
  /// The format of all inputs.
  file_format format = file_format::automatic;
  /// Edge lists: the number of the first vertex, 0 or 1.
  index_t index_base = 0;
  /// Edge lists: lines to pass over at the start, for instance a header.
  std::uint64_t skip_lines = 0;
  /// Triples: how vertices are numbered.
  vertex_order order = vertex_order::automatic;
  /// Triples: whether the union of all relations is built too, as the first relation "*".
  bool with_union = true;
  /// Shape, memory limit, layout, progress and the like.
  build_options build;
};

/// Reads one or more files into one graph; several inputs are united, vertex i being the same vertex
/// in all of them (triples: vertices of one name).
/// \throws invalid_argument when inputs cannot be combined, or an option does not suit the format
/// \throws io_error, invalid_format, out_of_memory
graph read_graph(std::span<const std::filesystem::path> inputs, const read_options& options = {});

/// Reads one file.
graph read_graph(const std::filesystem::path& input, const read_options& options = {});

/// The format of a file, by its name and its first bytes.
/// \throws io_error when it cannot be opened, invalid_format when nothing fits
file_format detect_format(const std::filesystem::path& input);

}  // namespace baltoro
