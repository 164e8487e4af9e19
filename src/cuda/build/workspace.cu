#include <algorithm>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "cuda/build/compaction.cuh"
#include "cuda/build/workspace.hpp"

namespace baltoro::cuda {
namespace {

constexpr std::uint64_t numbers_bytes = 4096;

std::size_t temporary_bytes_for(std::uint64_t keys) {
  std::size_t sort_bytes = 0;
  std::size_t scan_bytes = 0;
  cub::DoubleBuffer<std::uint64_t> buffers(nullptr, nullptr);
  check(cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, buffers,
                                       static_cast<std::int64_t>(keys), 0, 64, nullptr),
        "DeviceRadixSort");
  std::uint64_t* const counts = nullptr;
  check(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, counts, counts,
                                      static_cast<std::int64_t>(keys + 1), nullptr),
        "DeviceScan");
  return std::max(sort_bytes, scan_bytes);
}

}  // namespace

std::uint64_t workspace::bytes(std::uint64_t keys) {
  return 3 * aligned(8 * keys) + aligned(8 * counts_for(keys)) + numbers_bytes +
         aligned(temporary_bytes_for(keys));
}

std::uint64_t workspace::most_keys(std::uint64_t bytes) {
  if (workspace::bytes(least_keys) > bytes) return 0;
  // What CUB wants grows in leaps: few keys are sorted in another way than many.
  std::uint64_t low = least_keys;
  std::uint64_t high = std::max(low, bytes / 24);
  while (low < high) {
    const std::uint64_t middle = high - (high - low) / 2;
    if (workspace::bytes(middle) <= bytes) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

workspace::workspace(std::uint64_t keys)
    : keys_(keys), memory_(bytes(keys), "construction on the GPU") {
  std::uint64_t offset = 0;
  const auto take = [&](std::uint64_t part) {
    const std::uint64_t at = offset;
    offset += aligned(part);
    return memory_.at<std::uint64_t>(at);
  };
  for (auto& array : arrays_) array = take(8 * keys);
  counts_ = take(8 * counts_for(keys));
  numbers_ = take(numbers_bytes);
  temporary_bytes_ = temporary_bytes_for(keys);
  temporary_ = take(temporary_bytes_);
}

std::uint64_t* workspace::sort(std::uint64_t* values, std::uint64_t* other, std::uint64_t count,
                               unsigned bits, cudaStream_t stream) const {
  cub::DoubleBuffer<std::uint64_t> buffers(values, other);
  std::size_t temporary = temporary_bytes_;
  check(cub::DeviceRadixSort::SortKeys(temporary_, temporary, buffers,
                                       static_cast<std::int64_t>(count), 0, static_cast<int>(bits),
                                       stream),
        "DeviceRadixSort");
  return buffers.Current();
}

void workspace::sort(std::uint64_t count, unsigned bits, cudaStream_t stream) {
  if (sort(arrays_[0], arrays_[1], count, bits, stream) != arrays_[0]) swap(0, 1);
}

}  // namespace baltoro::cuda
