#include "format/adaptive/streamed.hpp"

#include <algorithm>

#include <tbb/parallel_for.h>

#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

streamed_containers streamed_in(const adaptive_view& a) {
  constexpr std::uint64_t each = 1U << 14U;
  std::vector<std::vector<std::uint32_t>> pieces((a.containers + each - 1) / each);
  tbb::parallel_for(std::size_t{0}, pieces.size(), [&](std::size_t piece) {
    const std::uint64_t end = std::min(a.containers, each * (piece + 1));
    for (std::uint64_t i = each * piece; i < end; ++i) {
      const container_header header{*a.payload_of(i)};
      if (!is_streamed(static_cast<container_kind>(header.kind()))) {
        pieces[piece].push_back(static_cast<std::uint32_t>(i));
      }
    }
  });
  streamed_containers result;
  for (const auto& piece : pieces) {
    result.others.insert(result.others.end(), piece.begin(), piece.end());
  }
  result.any = result.others.size() < a.containers;
  if (!result.any) result.others.clear();
  return result;
}

}  // namespace baltoro::format
