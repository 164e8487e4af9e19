/// \file
/// \brief From files of any known format to a graph.
///
/// Every reader streams: it holds a few buffers and what the builder holds, whatever the size of
/// the file. Files compressed with gzip or zstd are recognised by their first bytes and read in
/// place. Bad input throws invalid_format, which names the file, the line or byte, and the reason.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/graph.hpp>
#include <baltoro/progress.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace baltoro {

/// The formats that can be read.
enum class file_format : std::uint32_t {
  automatic,      ///< told by the file's name and first bytes
  matrix_market,  ///< Matrix Market coordinate files, 1-based; every stored entry is a cell
  edge_list,      ///< a line an edge: two numbers, then anything; square unless a shape is given
  bvgraph,        ///< WebGraph BVGraph: .graph and .properties, .offsets where there is one
  triples,        ///< subject, relation, object: tab-separated or N-Triples (.nt)
  k2m,            ///< Baltoro's own
};

/// The name of a format as users write it: auto, mtx, edges, bvgraph, triples, k2m.
const char* name_of(file_format format);
/// The format of that name, if there is one.
std::optional<file_format> format_named(std::string_view name);

/// \page triples Triples
///
/// A file of triples is read as a labelled graph: every distinct subject and object is a vertex,
/// every distinct relation a matrix over all vertices. Several files share vertices and relations
/// by name.
///
/// **Tab-separated.** One line a triple: subject, relation and object with one tab between them.
/// Names are bytes and kept as they are, spaces included; none is empty or longer than 1 MiB. Lines
/// end with LF or CR LF. Blank lines are passed over, and so are lines that start with `#` and have
/// no tab; one that starts with `#` and has tabs is a triple. A byte-order mark at the start is
/// passed over.
///
/// **N-Triples**, told by the extension `.nt` (also `.nt.gz`, `.nt.zst`) or, where the extension is
/// not `.tsv`, by a first line that begins with `<` or `_:`. Names are UTF-8 with all escapes
/// decoded. The name of an IRI is the IRI without angle brackets, that of a blank node begins with
/// `_:`. A literal is a vertex as well. Its name is its canonical N-Triples text, for instance
/// `"Bonn"@de` or `"42"^^<http://www.w3.org/2001/XMLSchema#integer>`: only the quotation mark, the
/// backslash, LF and CR are escaped, and the datatype xsd:string is left out. Blank nodes with one
/// label are one vertex, also in several files. RDF 1.1 is read strictly; what only Turtle allows
/// is an error.
///
/// **Result.** The relations come in the order that the vertices are numbered in (by_number falls
/// back to by_bytes for relations that have no number). The union "*" of all comes before them
/// where it is asked for and there is any triple, even if there is one relation only. Without any
/// triple there is one empty relation without a name. The shape is n×n for n vertices, unless a
/// larger one is asked for; then rows and columns beyond n have no names.
///
/// **Memory.** Names and edges are held in memory until all vertices are known: about 8 bytes a
/// triple, and 25 to 35 bytes a name beside its text. Under a memory limit that this exceeds,
/// out_of_memory is thrown.

/// In which order the vertices of triples are numbered.
enum class vertex_order : std::uint32_t {
  automatic,  ///< by_number where all names are one prefix and a decimal number below 2⁶⁴ without
              ///< leading zeros (Q42), by_bytes elsewhere
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
  /// Triples (see \ref triples): how vertices are numbered.
  vertex_order order = vertex_order::automatic;
  /// Triples: whether the union of all relations is built too, as the first relation "*".
  bool with_union = true;
  /// Shape, memory limit, layout, progress and the like.
  build_options build{};
};

/// Reads one or more files into one graph; several inputs are united, vertex i being the same vertex in
/// all of them (triples: vertices of one name).
/// \throws invalid_argument when inputs cannot be combined
/// \throws io_error, invalid_format, out_of_memory
graph read_graph(std::span<const std::filesystem::path> inputs, const read_options& options = {});

/// Reads one file.
graph read_graph(const std::filesystem::path& input, const read_options& options = {});

/// The format of a file, by its name and its first bytes.
/// \throws io_error when it cannot be opened, invalid_format when nothing fits, invalid_argument when
/// it is a stream, whose first bytes could not be read again
file_format detect_format(const std::filesystem::path& input);

}  // namespace baltoro
