// From ascending Morton codes of cells to leaves and their patterns.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <span>

#include "base/stored_array.hpp"

namespace baltoro::format {

struct leaf_list {
  base::stored_array<std::uint64_t> codes;     // ascending
  base::stored_array<std::uint64_t> patterns;  // one a code
  std::uint64_t cells = 0;
};

// The leaves of cells whose codes ascend and may repeat. Parallel.
leaf_list gather_leaves(std::span<const std::uint64_t> cells);

// The same for cells that come in batches, one after the other; on one thread.
class leaf_collector {
 public:
  explicit leaf_collector(const base::array_place& place);
  // Adds cells. Codes ascend within and across calls and may repeat.
  void add(std::span<const std::uint64_t> cells);
  // All leaves. The collector is only good to be destroyed afterwards.
  leaf_list finish();

 private:
  void close();

  leaf_list leaves_;
  std::uint64_t code_ = 0;     // of the leaf that is not complete
  std::uint64_t pattern_ = 0;  // what it holds so far; 0 before the first cell
};

}  // namespace baltoro::format
