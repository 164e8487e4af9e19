/// \file
/// \brief What the payload of an adaptive matrix is made of, for reports.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>

namespace baltoro {

/// Containers by kind, and what they hold.
struct payload_parts {
  /// Kinds that a header can name.
  static constexpr unsigned kinds = 16;

  std::uint64_t containers[kinds] = {};  ///< number of containers of each kind
  std::uint64_t positions_bytes = 0;     ///< where leaves are, with the headers
  std::uint64_t contents_bytes = 0;      ///< classes, ids, escapes and padding
};

/// Reads the header of every container. Safe also on a matrix that has not been validated, whose figures
/// then mean little.
payload_parts parts_of(const adaptive_view& a);

/// The name of a kind of containers, for instance "quadtree"; null where there is none.
const char* name_of_container_kind(unsigned kind);

}  // namespace baltoro
