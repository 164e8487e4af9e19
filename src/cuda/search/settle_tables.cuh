// The end of a level of searches from many sources.
#pragma once

#include <cstdint>

#include "cuda/search/search_sets.cuh"
#include "cuda/search/search_tables.cuh"

namespace baltoro::cuda {

// Counts pairs: words of bits are added bit by bit, up to `most` of them.
class bit_counter {
 public:
  static constexpr unsigned most = 255;

  __device__ __forceinline__ void add(std::uint32_t bits) {
#pragma unroll
    for (unsigned p = 0; p < planes; ++p) {
      const std::uint32_t carry = sums_[p] & bits;
      sums_[p] ^= bits;
      bits = carry;
    }
  }
  __device__ unsigned count(unsigned bit) const {
    unsigned result = 0;
#pragma unroll
    for (unsigned p = 0; p < planes; ++p) result |= (sums_[p] >> bit & 1U) << p;
    return result;
  }

 private:
  static constexpr unsigned planes = 8;
  std::uint32_t sums_[planes] = {};
};

// Distances bit by bit: bit p of the distance of a pair is in plane p, laid out as the tables are.
struct distance_planes {
  static constexpr unsigned most = 31;
  std::uint32_t* plane[most];
  unsigned count;  // 0: no distances are kept
};

// Sources of one search.
inline constexpr unsigned most_sources = 256;

// Ends a level: what it has reached becomes the frontier and is counted, counts[k] for source k. Lanes are
// shared out as in table_spreader.
class table_settler {
 public:
  __device__ table_settler(const search_tables& tables, const distance_planes& planes,
                           std::uint32_t distance, unsigned* counts)
      : tables_(tables), planes_(planes), distance_(distance), counts_(counts) {}

  // Takes 32 vertices and returns those that all sources have seen.
  __device__ std::uint32_t take(std::uint32_t vertex, std::uint32_t bits) {
    if (added_ + strips > bit_counter::most) flush();
    added_ += strips;
    std::uint32_t open = 0;
#pragma unroll
    for (unsigned s = 0; s < slices; ++s) {
      if (s * search_tables::slice >= tables_.words) break;
      const unsigned word = word_of(s);
#pragma unroll
      for (unsigned strip = 0; strip < strips; ++strip) {
        if ((bits >> (8 * strip) & 0xFFU) == 0) continue;
        bool still_open = false;
        if ((bits >> (8 * strip + own_) & 1U) != 0 && word < tables_.words) {
          const std::uint64_t at =
              (std::uint64_t{vertex} + 8 * strip + own_) * tables_.words + word;
          const std::uint32_t now = tables_.next[at];
          const std::uint32_t fresh = now & ~tables_.seen[at];
          still_open = now != tables_.full(word);
          if (fresh != 0) {
            tables_.seen[at] = now;
            counters_[s].add(fresh);
            keep_distances(at, fresh);
          }
        }
        open |= vertices_of(__ballot_sync(warp::all, still_open)) << (8 * strip);
      }
    }
    return bits & ~open;
  }

  // Hands the counts over.
  __device__ void flush() {
    if (added_ == 0) return;
    added_ = 0;
#pragma unroll
    for (unsigned s = 0; s < slices; ++s) {
      if (word_of(s) >= tables_.words) continue;
      for (unsigned i = 0; i < 32; ++i) {
        // Lanes of the same word begin at different bits.
        const unsigned bit = (i + 4 * own_) % 32;
        const unsigned count = counters_[s].count(bit);
        if (count != 0) atomicAdd(counts_ + 32 * word_of(s) + bit, count);
      }
      counters_[s] = {};
    }
  }

 private:
  static constexpr unsigned strips = 4;  // of a word of vertices
  static constexpr unsigned slices = most_sources / 32 / search_tables::slice;

  __device__ static unsigned word_of(unsigned s) {
    return s * search_tables::slice + warp::lane() % search_tables::slice;
  }
  __device__ void keep_distances(std::uint64_t at, std::uint32_t fresh) const {
    for (unsigned p = 0; p < planes_.count; ++p) {
      if ((distance_ >> p & 1U) != 0) planes_.plane[p][at] |= fresh;
    }
  }

  const search_tables& tables_;
  const distance_planes& planes_;
  std::uint32_t distance_;
  unsigned* counts_;
  unsigned own_ = warp::lane() / search_tables::slice;
  unsigned added_ = 0;
  bit_counter counters_[slices];
};

static __global__ void __launch_bounds__(settle_threads)
    settle_tables(const __grid_constant__ search_sets sets,
                  const __grid_constant__ search_tables tables,
                  const __grid_constant__ distance_planes planes, std::uint32_t distance,
                  std::uint32_t* counts) {
  __shared__ unsigned of_block[most_sources];
  for (unsigned k = threadIdx.x; k < most_sources; k += settle_threads) of_block[k] = 0;
  __syncthreads();
  table_settler settler(tables, planes, distance, of_block);
  sets.settle([&](std::uint32_t vertex, std::uint32_t bits) { return settler.take(vertex, bits); });
  settler.flush();
  __syncthreads();
  for (unsigned k = threadIdx.x; k < tables.sources; k += settle_threads) {
    if (of_block[k] != 0) atomicAdd(counts + k, of_block[k]);
  }
}

}  // namespace baltoro::cuda
