// Which kind suits a container.
#pragma once

#include <baltoro/host_device.hpp>

#include <cstdint>
#include <span>

#include "format/adaptive/kinds.hpp"

namespace baltoro::format {

// What the time to decode a kind is worth beyond that of the fastest kind, measured on a GPU.
struct kind_time {
  std::uint32_t container_words;  // words for a container
  std::uint32_t leaf_bits;        // bits for a leaf
};
BALTORO_HOST_DEVICE constexpr kind_time time_of(container_kind kind) {
  switch (kind) {
    case container_kind::quadtree:
      return {2, 8};
    case container_kind::elias_fano:
      return {0, 1};
    case container_kind::bitmap_tree:
    case container_kind::lines:
      return {0, 8};
    case container_kind::runs:
      break;
  }
  return {0, 0};
}

inline constexpr unsigned full_weight = 16;

// The kind that costs least of those that have been offered: its bits, and what its time is worth at a weight of 0 to
// full_weight. Of those that cost the same it is the first, so they are to be offered in the order of their numbers.
class kind_choice {
 public:
  BALTORO_HOST_DEVICE constexpr kind_choice(unsigned leaves, unsigned weight)
      : leaves_(leaves), weight_(weight) {}

  BALTORO_HOST_DEVICE constexpr void offer(container_kind offered, encoded_size size) {
    const kind_time time = time_of(offered);
    const std::uint32_t cost =
        32 * (size.words + time.container_words) + time.leaf_bits * leaves_ * weight_ / full_weight;
    if (cost >= least_) return;
    least_ = cost;
    kind_ = offered;
    size_ = size;
  }
  BALTORO_HOST_DEVICE constexpr container_kind kind() const { return kind_; }
  BALTORO_HOST_DEVICE constexpr encoded_size size() const { return size_; }

 private:
  std::uint32_t leaves_;
  std::uint32_t weight_;
  std::uint32_t least_ = ~0U;
  container_kind kind_ = container_kind::quadtree;
  encoded_size size_{};
};

// What time weighs in a matrix, 0 to full_weight: nothing where leaves hold one or two cells, since positions take
// most of the bits there as it is, everything where they hold eight.
unsigned weigh_time(std::uint64_t cells, std::uint64_t leaves);

// Chooses from all kinds.
// \pre at most 1024 offsets, ascending
kind_choice choose_kind(std::span<const std::uint32_t> offsets, unsigned level, unsigned weight);

// Those positions, sorted by both axes in `keys`, which has room for twice as many.
leaf_positions sort_positions(std::span<const std::uint32_t> offsets, std::uint32_t* keys);

}  // namespace baltoro::format
