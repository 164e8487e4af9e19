// Container kind `bitmap_tree`: like `quadtree`, but the three levels at the top are one bitmap of 64
// squares, in the order of their Morton codes. About as many bits, and three steps less to decode.
//
// Two words hold the bitmap, its squares 2^(level − 3) leaves a side. In a container of level 3 or less
// the squares are the leaves. Otherwise nibbles follow, level by level: the squares of the bitmap are
// nodes 0 to t − 1, and the children of node v are the nodes t + rank(v), …. Its detail is the number
// of nibbles.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>

namespace baltoro::format {

// Levels that the bitmap stands for.
inline constexpr unsigned bitmap_levels = 3;
// Words of the bitmap.
inline constexpr std::uint32_t bitmap_words = 2;

// Levels of nibbles below the bitmap.
BALTORO_HOST_DEVICE constexpr unsigned levels_below_bitmap(unsigned level) {
  return level > bitmap_levels ? level - bitmap_levels : 0;
}

}  // namespace baltoro::format
