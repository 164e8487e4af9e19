// The format of a file, told by its name and its first bytes.
#pragma once

#include <baltoro/reader.hpp>

#include <filesystem>
#include <string_view>

namespace baltoro::io {

// The format that a name gives away whatever the file holds: its extension after one of .gz, .zst
// is taken off. `automatic` where it says nothing.
file_format format_by_name(const std::filesystem::path& file);

// The format that the first bytes (unpacked) of a file show, `automatic` where they show none.
// `whole` says whether the file ends with them.
file_format format_by_content(std::string_view start, bool whole);

}  // namespace baltoro::io
