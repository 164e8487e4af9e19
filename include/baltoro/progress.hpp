/// \file
/// \brief How long operations say how far they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace baltoro {

/// One report of a long operation.
struct progress_event {
  std::string_view stage;   ///< what is being done, for instance "reading" or "sorting"
  std::uint64_t done = 0;   ///< units finished
  std::uint64_t total = 0;  ///< units in all, 0 where nobody can know
  std::string_view unit;    ///< what is counted: "bytes", "edges"
};

/// Called from time to time, from one thread at a time, never more than a few hundred times a
/// second. An exception thrown from it ends the operation, cleanly. An empty function asks for no
/// reports.
using progress_callback = std::function<void(const progress_event&)>;

}  // namespace baltoro
