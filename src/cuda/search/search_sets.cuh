// Sets of vertices in bits on the device, with a byte for every 1024 vertices that is not 0 where one of
// them is in the set, so that large squares and whole stretches are passed over at the price of a few bytes.
#pragma once

#include <baltoro/adaptive.hpp>

#include <algorithm>
#include <cstdint>

#include "cuda/adaptive/warp.cuh"
#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

struct vertex_set {
  // Vertices of a group: a word for each lane of a warp.
  static constexpr unsigned group = 32 * warp::lanes;

  std::uint32_t* words;  // bit v mod 32 of word v / 32
  std::uint8_t* groups;  // of v / 1024

  // Members among vertices 8·strip to 8·strip + 7.
  __device__ __forceinline__ unsigned byte(std::uint32_t strip) const {
    return __ldg(reinterpret_cast<const std::uint8_t*>(words) + strip);
  }

  // Whether there is a member among the 8·2^level vertices from strip `first` on, a multiple of 2^level.
  __device__ bool any(std::uint32_t first, unsigned level) const {
    constexpr unsigned of_group = 7;  // level of a square as wide as a group
    if (level == 0) return byte(first) != 0;
    if (level == 1) return reinterpret_cast<const std::uint16_t*>(words)[first / 2] != 0;
    if (level <= of_group) {
      const std::uint32_t* const from = words + first / 4;
      for (unsigned i = 0; i < 1U << (level - 2); ++i) {
        if (from[i] != 0) return true;
      }
      return false;
    }
    const std::uint8_t* const from = groups + first / (group / 8);
    for (unsigned i = 0; i < 1U << (level - of_group); i += 2) {
      if (*reinterpret_cast<const std::uint16_t*>(from + i) != 0) return true;
    }
    return false;
  }
};

inline constexpr unsigned settle_warps = 8;
inline constexpr unsigned settle_threads = settle_warps * warp::lanes;

// The sets of a search.
struct search_sets {
  vertex_set active;     // the frontier
  vertex_set changed;    // what the level that is being searched has reached
  vertex_set open;       // what may still be reached
  std::uint32_t groups;  // with vertices

  // Says that the vertices of a strip whose bits are set have been reached.
  __device__ void change(std::uint32_t strip, unsigned members) const {
    const auto* const seen = reinterpret_cast<const volatile std::uint8_t*>(changed.words);
    if ((members & ~static_cast<unsigned>(seen[strip])) == 0) return;
    atomicOr(changed.words + strip / 4, members << (strip % 4 * 8));
    changed.groups[strip / (vertex_set::group / 8)] = 1;
  }

  // Ends a level: what has changed becomes the frontier, and some of it is open no longer. Calls
  // work(first vertex, its bits) for the words that have changed, from all lanes of one warp, which returns
  // those to be closed. The blocks of the grid share the groups, the warps of a block the words of one.
  template <class Work>
  __device__ void settle(const Work& work) const {
    __shared__ std::uint32_t closed[warp::lanes];
    const unsigned lane = warp::lane();
    const unsigned own = threadIdx.x / warp::lanes;
    constexpr unsigned of_warp = warp::lanes / settle_warps;
    for (std::uint32_t first = 0; first * gridDim.x + blockIdx.x < groups; first += warp::lanes) {
      const std::uint32_t at = (first + lane) * gridDim.x + blockIdx.x;
      const bool touched = at < groups && (active.groups[at] | changed.groups[at]) != 0;
      unsigned left = __ballot_sync(warp::all, touched);
      __syncthreads();  // all warps know the same
      for (; left != 0; left &= left - 1) {
        const std::uint32_t group =
            (first + static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1) * gridDim.x +
            blockIdx.x;
        const std::uint32_t word = changed.words[group * warp::lanes + lane];
        for (unsigned i = own * of_warp; i < (own + 1) * of_warp; ++i) {
          const std::uint32_t bits = __shfl_sync(warp::all, word, i);
          const std::uint32_t done = bits == 0 ? 0 : work((group * warp::lanes + i) * 32, bits);
          if (lane == 0) closed[i] = done;
        }
        __syncthreads();
        if (own == 0) advance(group, word, closed[lane]);
        __syncthreads();
      }
    }
  }

 private:
  __device__ void advance(std::uint32_t group, std::uint32_t fresh, std::uint32_t closed) const {
    const std::uint32_t at = group * warp::lanes + warp::lane();
    changed.words[at] = 0;
    active.words[at] = fresh;
    const std::uint32_t left = open.words[at] & ~closed;
    open.words[at] = left;
    const bool any_active = __any_sync(warp::all, fresh != 0) != 0;
    const bool any_open = __any_sync(warp::all, left != 0) != 0;
    if (warp::lane() != 0) return;
    changed.groups[group] = 0;
    active.groups[group] = any_active ? 1 : 0;
    open.groups[group] = any_open ? 1 : 0;
  }
};

// The sets in memory, with room for all of the squares of containers.
class search_sets_memory {
 public:
  // Bytes of the sets of a search among so many vertices.
  static constexpr std::uint64_t bytes(std::uint64_t vertices) {
    return 3 * (words_bytes(vertices) + groups_bytes(vertices));
  }

  // The sets in `bytes(vertices)` bytes that begin there.
  static search_sets at(unsigned char* memory, std::uint64_t vertices) {
    const auto set = [&] {
      const vertex_set result{reinterpret_cast<std::uint32_t*>(memory),
                              reinterpret_cast<std::uint8_t*>(memory + words_bytes(vertices))};
      memory += words_bytes(vertices) + groups_bytes(vertices);
      return result;
    };
    const vertex_set active = set();
    const vertex_set changed = set();
    const vertex_set open = set();
    return {active, changed, open,
            static_cast<std::uint32_t>((vertices + vertex_set::group - 1) / vertex_set::group)};
  }

 private:
  static constexpr std::uint64_t padded(std::uint64_t vertices) {
    constexpr std::uint64_t largest = 8ULL << adaptive_view::max_level;
    return (vertices + largest - 1) / largest * largest;
  }
  static constexpr std::uint64_t words_bytes(std::uint64_t vertices) {
    return aligned(padded(vertices) / 8);
  }
  static constexpr std::uint64_t groups_bytes(std::uint64_t vertices) {
    return aligned(padded(vertices) / vertex_set::group);
  }
};

// Enqueues that all sets are empty, but for the open one, which is full.
void begin_sets(const search_sets& sets, std::uint64_t vertices, cudaStream_t stream);

// Blocks of a kernel that settles.
inline dim3 settle_blocks(const search_sets& sets) {
  constexpr std::uint32_t most = 2048;
  return dim3(std::min(most, sets.groups));
}

}  // namespace baltoro::cuda
