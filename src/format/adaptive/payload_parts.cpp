#include <baltoro/payload.hpp>

#include <algorithm>

#include "format/adaptive/kinds.hpp"

namespace baltoro {

payload_parts parts_of(const adaptive_view& a) {
  payload_parts parts;
  if (a.payload_words == 0) return parts;
  const std::uint64_t words = a.payload_words - 1;
  std::uint64_t positions = 0;
  for (std::uint64_t i = 0; i < a.containers; ++i) {
    const std::uint64_t base = a.start_bases[i / adaptive_view::containers_per_base];
    if (base >= words || base + a.starts[i] >= words) continue;
    const container_header header{a.payload[base + a.starts[i]]};
    ++parts.containers[header.kind()];
    if (header.kind() >= format::container_kinds) continue;
    positions += 1 + format::kind_of(header.kind()).words(header.leaves(), header.detail());
  }
  positions = std::min(positions, words);
  parts.positions_bytes = sizeof *a.payload * positions;
  parts.contents_bytes = sizeof *a.payload * (a.payload_words - positions);
  return parts;
}

const char* name_of_container_kind(unsigned kind) {
  return kind < format::container_kinds ? format::kind_of(kind).name : nullptr;
}

}  // namespace baltoro
