// A level of a search over CSR. A warp takes a word of 32 vertices, those in the frontier to push from or those
// that are open to pull to.
#pragma once

#include <cstdint>

#include "cuda/search/search_sets.cuh"
#include "cuda/search/search_tables.cuh"

namespace baltoro::bench {

namespace warp = cuda::warp;

// Rows of one CSR in device memory.
template <class Offset>
struct csr_rows {
  const Offset* begin;
  const index_t* columns;
};

// Whether a kernel is to run: always, or where the edges out of the frontier are many or are few.
struct when {
  const unsigned long long* frontier_edges;  // null: always
  unsigned long long limit;
  bool many;
  __device__ bool holds() const {
    return frontier_edges == nullptr || (*frontier_edges > limit) == many;
  }
};

__device__ inline bool has(const cuda::vertex_set& set, index_t v) {
  return (__ldg(set.words + v / 32) >> (v % 32) & 1U) != 0;
}

// Calls work(word, its number) for the words of a set that are not 0, one warp a word.
template <class Work>
__device__ void for_each_word(const cuda::vertex_set& set, std::uint32_t groups, const Work& work) {
  const std::uint32_t warps = gridDim.x * (blockDim.x / warp::lanes);
  for (std::uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) / warp::lanes;
       at < groups * warp::lanes; at += warps) {
    if (set.words[at] != 0) work(set.words[at], at);
  }
}

// The first vertex of a word; to be called while bits are left.
__device__ inline index_t first_of(std::uint32_t bits, std::uint32_t word) {
  return 32 * word + static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
}

template <class Offset>
__global__ void count_frontier_edges(const __grid_constant__ cuda::search_sets sets,
                                     const __grid_constant__ csr_rows<Offset> out,
                                     unsigned long long* edges) {
  for_each_word(sets.active, sets.groups, [&](std::uint32_t bits, std::uint32_t word) {
    if ((bits >> warp::lane() & 1U) == 0) return;
    const index_t v = 32 * word + warp::lane();
    atomicAdd(edges, static_cast<unsigned long long>(out.begin[v + 1] - out.begin[v]));
  });
}

// Tables: lanes are eight edges at a time, and four words of 128 sources each.
template <class Offset>
__global__ void push_tables(const __grid_constant__ cuda::search_sets sets,
                            const __grid_constant__ csr_rows<Offset> out,
                            const __grid_constant__ cuda::search_tables tables,
                            const __grid_constant__ when run) {
  if (!run.holds()) return;
  constexpr unsigned slice = cuda::search_tables::slice;
  const unsigned edge = warp::lane() / slice;
  for_each_word(sets.active, sets.groups, [&](std::uint32_t bits, std::uint32_t word) {
    for (; bits != 0; bits &= bits - 1) {
      const index_t u = first_of(bits, word);
      const Offset end = out.begin[u + 1];
      for (unsigned first = 0; first < tables.words; first += slice) {
        const unsigned w = first + warp::lane() % slice;
        const std::uint32_t seen =
            w < tables.words ? __ldg(tables.seen + std::uint64_t{u} * tables.words + w) : 0;
        for (Offset from = out.begin[u]; from < end; from += warp::lanes / slice) {
          const Offset at = from + edge;
          const index_t v = at < end ? __ldg(out.columns + at) : 0;
          bool fresh = false;
          if (at < end && seen != 0 && has(sets.open, v)) {
            std::uint32_t* const to = tables.next + std::uint64_t{v} * tables.words + w;
            const std::uint32_t more = seen & ~*static_cast<const volatile std::uint32_t*>(to);
            fresh = more != 0;
            if (fresh) atomicOr(to, more);
          }
          const unsigned found = __ballot_sync(warp::all, fresh) >> (slice * edge);
          if (warp::lane() % slice == 0 && (found & ((1U << slice) - 1)) != 0) {
            sets.change(v / 8, 1U << (v % 8));
          }
        }
      }
    }
  });
}

template <class Offset>
__global__ void pull_tables(const __grid_constant__ cuda::search_sets sets,
                            const __grid_constant__ csr_rows<Offset> in,
                            const __grid_constant__ cuda::search_tables tables,
                            const __grid_constant__ when run) {
  if (!run.holds()) return;
  constexpr unsigned slice = cuda::search_tables::slice;
  constexpr unsigned edges = warp::lanes / slice;
  constexpr unsigned edges_before_a_look = 4 * edges;
  const auto gather = [](std::uint32_t value) {
    for (unsigned apart = slice; apart < warp::lanes; apart *= 2) {
      value |= __shfl_sync(warp::all, value, warp::lane() ^ apart);
    }
    return value;
  };
  for_each_word(sets.open, sets.groups, [&](std::uint32_t bits, std::uint32_t word) {
    for (; bits != 0; bits &= bits - 1) {
      const index_t v = first_of(bits, word);
      const Offset end = in.begin[v + 1];
      for (unsigned first = 0; first < tables.words; first += slice) {
        const unsigned w = first + warp::lane() % slice;
        std::uint32_t* const to = tables.next + std::uint64_t{v} * tables.words + w;
        const std::uint32_t before = w < tables.words ? *to : 0;
        const std::uint32_t wanted = w < tables.words ? tables.full(w) & ~before : 0;
        std::uint32_t found = 0;
        for (Offset from = in.begin[v]; from < end;) {
          const Offset stop = end - from < edges_before_a_look ? end : from + edges_before_a_look;
          for (; from < stop; from += edges) {
            const Offset at = from + warp::lane() / slice;
            if (at >= stop) continue;
            const index_t u = __ldg(in.columns + at);
            if (wanted != 0 && has(sets.active, u)) {
              found |= __ldg(tables.seen + std::uint64_t{u} * tables.words + w);
            }
          }
          from = stop;
          found = gather(found);
          if (__any_sync(warp::all, (wanted & ~found) != 0) == 0) break;
        }
        const bool fresh = (found & wanted) != 0;
        if (fresh && warp::lane() < slice) *to = before | (found & wanted);
        if (__any_sync(warp::all, fresh) != 0 && warp::lane() == 0) {
          sets.change(v / 8, 1U << (v % 8));
        }
      }
    }
  });
}

// One set of sources: pushing, lanes are edges of one vertex; pulling, each has a vertex of its own and stops
// at the first edge from the frontier.
template <class Offset>
__global__ void push_bits(const __grid_constant__ cuda::search_sets sets,
                          const __grid_constant__ csr_rows<Offset> out,
                          const __grid_constant__ when run) {
  if (!run.holds()) return;
  for_each_word(sets.active, sets.groups, [&](std::uint32_t bits, std::uint32_t word) {
    for (; bits != 0; bits &= bits - 1) {
      const index_t u = first_of(bits, word);
      const Offset end = out.begin[u + 1];
      for (Offset at = out.begin[u] + warp::lane(); at < end; at += warp::lanes) {
        const index_t v = __ldg(out.columns + at);
        if (has(sets.open, v)) sets.change(v / 8, 1U << (v % 8));
      }
    }
  });
}

template <class Offset>
__global__ void pull_bits(const __grid_constant__ cuda::search_sets sets,
                          const __grid_constant__ csr_rows<Offset> in,
                          const __grid_constant__ when run) {
  if (!run.holds()) return;
  for_each_word(sets.open, sets.groups, [&](std::uint32_t bits, std::uint32_t word) {
    const index_t v = 32 * word + warp::lane();
    bool found = false;
    if ((bits >> warp::lane() & 1U) != 0) {
      const Offset end = in.begin[v + 1];
      for (Offset at = in.begin[v]; at < end && !found; ++at) {
        found = has(sets.active, __ldg(in.columns + at));
      }
    }
    const unsigned fresh = __ballot_sync(warp::all, found);
    if (fresh != 0 && warp::lane() == 0) {
      sets.changed.words[word] = fresh;
      sets.changed.groups[word / warp::lanes] = 1;
    }
  });
}

}  // namespace baltoro::bench
