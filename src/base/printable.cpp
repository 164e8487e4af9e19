#include "base/printable.hpp"

#include <fmt/format.h>

namespace baltoro {

std::string printable(std::string_view text, std::size_t limit) {
  std::size_t shown = text.size();
  if (shown > limit) {
    shown = limit;
    // Not in the middle of a UTF-8 sequence.
    while (shown > 0 && (static_cast<unsigned char>(text[shown]) & 0xC0U) == 0x80U) --shown;
  }
  std::string out = "'";
  for (const char c : text.substr(0, shown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  if (shown < text.size()) out += "…";
  out += '\'';
  return out;
}

}  // namespace baltoro
