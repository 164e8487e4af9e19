// From leaves on the device to the payloads of their containers: the steps that follow when the dictionary is
// known. One warp works off a container.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>
#include <span>

#include "cuda/build/staging.hpp"
#include "cuda/build/workspace.hpp"

namespace baltoro::cuda {

// Leaves [first, first + leaves) of a batch.
struct leaf_square {
  std::uint32_t first;
  std::uint32_t leaves;
};

// What is made of a batch of leaves, in device memory.
struct container_space {
  // Bytes for so many leaves, and the most leaves that so many bytes do for. No leaf takes more than 8 words of
  // payload: that is what one alone in its container takes.
  static constexpr std::uint64_t bytes_a_leaf = 64;
  static constexpr std::uint64_t words_a_leaf = 8;
  static constexpr std::uint64_t fixed_bytes = 4096;
  static constexpr std::uint64_t most_leaves(std::uint64_t bytes) {
    return bytes < fixed_bytes ? 0 : (bytes - fixed_bytes) / bytes_a_leaf;
  }

  container_space(void* memory, std::uint64_t leaves);

  std::uint64_t leaves;    // most
  std::uint64_t* places;   // of each container
  std::uint64_t* begins;   // of each container, in words; one more is the end
  std::uint32_t* numbers;  // of each leaf, in the dictionary
  std::uint32_t* first;    // leaf of each container; one more is the end
  std::uint32_t* choices;  // of each container: its header
  std::uint32_t* flags;    // a bit a leaf: whether a container begins with it
  void* large;             // payloads; before that, squares to be cut or a table of the dictionary
};

struct leaf_batch {
  const std::uint64_t* codes;
  const std::uint64_t* patterns;
  std::uint64_t leaves;  // at least 1
};

// Looks the patterns up in a dictionary on the host, a part of it at a time.
void find_numbers(const leaf_batch& batch, std::span<const std::uint64_t> dictionary,
                  const container_space& space, staging& transfer, cudaStream_t stream);

// Cuts squares into containers. Those that begin at `starts` have been cut already. Returns how many there are.
std::uint64_t cut_squares(const leaf_batch& batch, std::span<const leaf_square> squares,
                          std::span<const std::uint32_t> starts, std::uint32_t most_leaves,
                          const container_space& space, const workspace& work, staging& transfer,
                          cudaStream_t stream);

// Chooses how containers are encoded where time has that weight (format::weigh_time()); returns the words that they
// take.
std::uint64_t measure_containers(const leaf_batch& batch, std::uint64_t containers,
                                 const leaf_classes& classes, unsigned weight,
                                 const container_space& space, const workspace& work,
                                 cudaStream_t stream);

// Encodes them into space.large.
void encode_containers(const leaf_batch& batch, std::uint64_t containers, std::uint64_t words,
                       const leaf_classes& classes, const container_space& space,
                       cudaStream_t stream);

// The distinct patterns of some leaves, ascending.
struct distinct_patterns {
  std::uint64_t count;
  const std::uint64_t* patterns;
  const std::uint64_t* firsts;  // where each begins in the sorted list of all
};
// Of patterns in one of three arrays, all of which are overwritten.
distinct_patterns count_distinct(std::uint64_t* patterns, std::uint64_t* other,
                                 std::uint64_t* third, std::uint64_t leaves, const workspace& work,
                                 cudaStream_t stream);

}  // namespace baltoro::cuda
