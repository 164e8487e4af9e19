/// \file
/// \brief The file format `.k2m`, specified in docs/format.md.
#pragma once

#include <baltoro/graph.hpp>

#include <filesystem>

namespace baltoro {

/// How much a loaded file is checked.
enum class check {
  header,  ///< header, tables and sizes: immediate however large the file is
  full,    ///< checksums of all sections and matrix::validate of every relation: reads everything
};

/// Writes a graph. The file appears whole or not at all: it is written beside its place and
/// renamed.
/// \throws io_error when it cannot be written; what stood there before is then untouched
void save_k2m(const graph& g, const std::filesystem::path& file);

/// Writes a graph of one relation without names.
void save_k2m(const matrix& a, const std::filesystem::path& file);

/// Maps a file into memory. Opening does not read the matrices; pages come as they are used.
/// \throws io_error when the file cannot be opened or mapped
/// \throws invalid_format when it is not a sound .k2m file; with check::header only what the header
/// and the tables say is checked, and the file must be trusted
graph load_k2m(const std::filesystem::path& file, check how_much = check::full);

}  // namespace baltoro
