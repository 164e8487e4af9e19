// Which containers of a matrix a product can read leaf after leaf.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <vector>

namespace baltoro::format {

struct streamed_containers {
  bool any = false;  // whether there are some
  std::vector<std::uint32_t>
      others;  // those that are not; left empty where there are none that are
};

// Reads the header of every container, on all cores.
streamed_containers streamed_in(const adaptive_view& a);

}  // namespace baltoro::format
