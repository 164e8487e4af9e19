// The leaves of a container, decoded in the best vector instructions that the processor has.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

namespace baltoro::cpu {

// Leaf i is in row `row` + places[i] / 2^16 and column `col` + places[i] % 2^16, counted in leaves, and holds
// patterns[i].
struct decoded_leaves {
  std::uint64_t row = 0;
  std::uint64_t col = 0;
  std::span<const std::uint32_t> places;
  std::span<const std::uint64_t> patterns;
};

// Decodes a container of a valid matrix, about 150 KiB of buffers a thread. What it returns is good until the
// thread decodes the next one.
decoded_leaves decode_leaves(const adaptive_view& a, std::uint64_t container);

}  // namespace baltoro::cpu
