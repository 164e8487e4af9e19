// The device memory that construction works in: one allocation, whose size is known before anything runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "cuda/check.hpp"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

// What a compaction counts in.
struct compaction_space {
  std::uint64_t* counts = nullptr;
  void* scan = nullptr;
  std::size_t scan_bytes = 0;
};

// Copies one value to the host and waits for it.
template <class T>
T read_value(const T* from, cudaStream_t stream) {
  T value;
  copy_to_host(&value, from, sizeof value, stream);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return value;
}

// Three arrays of 8 bytes a key, and what sorting and scanning need beside them.
class workspace {
 public:
  // The fewest keys that a workspace is made for: what is fixed in size needs that many.
  static constexpr std::uint64_t least_keys = 8192;
  // Bytes that a workspace for so many keys takes.
  static std::uint64_t bytes(std::uint64_t keys);
  // The most keys that so many bytes do for; 0 where they do not for the fewest.
  static std::uint64_t most_keys(std::uint64_t bytes);

  workspace() = default;
  explicit workspace(std::uint64_t keys);

  std::uint64_t keys() const { return keys_; }
  std::uint64_t bytes() const { return memory_.bytes(); }
  // One of the arrays. 0 holds what a step works on, the others are free, until swap() says otherwise.
  std::uint64_t* array(unsigned which) const { return arrays_[which]; }
  // All three, one after the other in some order, each rounded up to a multiple of 256 bytes.
  void* arrays() const { return memory_.data(); }
  std::uint64_t arrays_bytes() const { return 3 * aligned(8 * keys_); }
  void swap(unsigned one, unsigned other) { std::swap(arrays_[one], arrays_[other]); }
  compaction_space compaction() const { return {counts_, temporary_, temporary_bytes_}; }
  // A few numbers: 4 KiB.
  std::uint64_t* numbers() const { return numbers_; }

  // Sorts values in one of two arrays, both of which are overwritten, and returns the one that holds the result.
  std::uint64_t* sort(std::uint64_t* values, std::uint64_t* other, std::uint64_t count,
                      unsigned bits, cudaStream_t stream) const;
  // Sorts array 0 by the low bits of its keys; array 1 is overwritten.
  void sort(std::uint64_t count, unsigned bits, cudaStream_t stream);

 private:
  std::uint64_t keys_ = 0;
  device_memory memory_;
  std::array<std::uint64_t*, 3> arrays_{};
  std::uint64_t* counts_ = nullptr;
  std::uint64_t* numbers_ = nullptr;
  void* temporary_ = nullptr;
  std::size_t temporary_bytes_ = 0;
};

}  // namespace baltoro::cuda
