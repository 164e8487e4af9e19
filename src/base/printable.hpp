// Foreign bytes in messages: short, on one line, and harmless to a terminal.
#pragma once

#include <string>
#include <string_view>

namespace baltoro {

// The text between apostrophes. Control characters become \xNN, and what exceeds `limit` bytes is
// replaced by "…".
std::string printable(std::string_view text, std::size_t limit = 60);

}  // namespace baltoro
