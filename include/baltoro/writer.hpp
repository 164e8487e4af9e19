/// \file
/// \brief From a matrix back to text files that other tools read.
#pragma once

#include <baltoro/matrix.hpp>
#include <baltoro/progress.hpp>

#include <filesystem>

namespace baltoro {

/// Writes a Matrix Market file (coordinate pattern general, 1-based), rows ascending, then columns.
/// The file appears whole or not at all; the name "-" is standard output.
/// \throws io_error when it cannot be written
void write_matrix_market(const matrix& a, const std::filesystem::path& file,
                         const progress_callback& progress = {});

/// Writes an edge list, "row TAB column" a line, 0-based, rows ascending, then columns.
/// The file appears whole or not at all; the name "-" is standard output.
/// \throws io_error when it cannot be written
void write_edge_list(const matrix& a, const std::filesystem::path& file,
                     const progress_callback& progress = {});

}  // namespace baltoro
