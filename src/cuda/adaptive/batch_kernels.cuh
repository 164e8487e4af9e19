// y = alpha · A⊗x + beta · y for a batch, from the list of a tile's inputs.
//
// A warp takes one unit after another: the inputs of a strip, or a piece of them. Its lanes form groups that share
// a unit's rows of x; a lane adds its part of them up for all eight outputs. What limits this is how many rows
// are under way, so while one is added another is fetched, of the next unit where this one has no more. The
// units of a block are neighbours, which often have rows in common: the first level of cache has these.
#pragma once

#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>
#include <cstring>

#include "cuda/adaptive/batch_list.cuh"
#include "cuda/adaptive/vectors.cuh"
#include "cuda/adaptive/warp.cuh"
#include "cuda/async_copy.cuh"

namespace baltoro::cuda {

// A product's batches. Where more than one value is read at once, a row has less than 4 GiB.
template <class T>
struct batch_operands {
  const T* x;
  T* y;
  std::uint64_t outputs;
  index_t batch;
  T alpha;
  T beta;
  output_marks<T> marks{};
};

// Measured on an H200 among other sizes, rows in registers, and all rows of a round fetched together.
inline constexpr unsigned batch_threads = 128;
inline constexpr unsigned batch_warps = batch_threads / warp::lanes;
inline constexpr unsigned batch_blocks = 7;     // of a multiprocessor, at least
inline constexpr unsigned batch_inputs = 1024;  // of a tile that a block takes
inline constexpr unsigned batch_piece = 128;    // strips that have more are cut to pieces of these
inline constexpr unsigned batch_ahead = 8;      // rows that a lane has under way
inline constexpr unsigned batch_split = 4;      // outputs that are skipped together
static_assert(batch_inputs % batch_piece == 0 && batch_inputs % batch_threads == 0);

// Whether one warp has all inputs of a strip, and writes its outputs in one go.
__device__ __forceinline__ bool is_whole(std::uint32_t begin, std::uint32_t end) {
  return begin != end && begin / batch_inputs == (end - 1) / batch_inputs &&
         end - begin <= batch_piece;
}

// What y holds before the product: zero, or beta · y.
template <template <class> class Ring, class T>
__device__ __forceinline__ T old_output(T value, T beta) {
  if (beta == T{0}) return Ring<T>::zero();
  if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
    return beta * value;
  } else if constexpr (std::is_same_v<Ring<T>, bitwise_or<T>>) {
    return value;
  } else {
    return Ring<T>::value(value);
  }
}

inline constexpr unsigned begin_threads = 256;
inline constexpr unsigned begin_run = 8;  // strips of a warp

// Begins the outputs of those strips that multiply_batch does not write as a whole: the empty ones and those
// that are cut.
template <template <class> class Ring, class T>
__global__ void __launch_bounds__(begin_threads)
    begin_strips(const __grid_constant__ tile_view tile,
                 const __grid_constant__ batch_operands<T> v) {
  const unsigned lane = warp::lane();
  const std::uint32_t strip =
      (blockIdx.x * (begin_threads / warp::lanes) + threadIdx.x / warp::lanes) * begin_run;
  bool begun = false;
  if (lane < begin_run && strip + lane < tile.strips) {
    begun = !is_whole(tile.begin[strip + lane], tile.end(strip + lane));
  }
  for (unsigned left = __ballot_sync(warp::all, begun); left != 0; left &= left - 1) {
    const auto which = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
    const std::uint64_t first = std::uint64_t{tile.first_strip + strip + which} * 8 * v.batch;
    const std::uint64_t last = min(first + std::uint64_t{8} * v.batch, v.outputs * v.batch);
    for (std::uint64_t i = first + lane; i < last; i += warp::lanes) {
      v.y[i] = old_output<Ring>(v.beta == T{0} ? T{} : v.y[i], v.beta);
    }
  }
}

// `Wide` neighbouring values of a row of x or y.
template <class T, unsigned Wide>
struct alignas(sizeof(T) * Wide) row_part {
  T value[Wide];
};

template <unsigned Wide, class T>
__device__ __forceinline__ const T* row_of(const T* x, std::uint32_t row, index_t batch) {
  if constexpr (Wide == 1) {
    return x + std::uint64_t{row} * batch;
  } else {  // one instruction
    const auto stride = static_cast<std::uint32_t>(batch * sizeof(T));
    return reinterpret_cast<const T*>(reinterpret_cast<const char*>(x) +
                                      std::uint64_t{row} * stride);
  }
}

template <class T, unsigned Wide>
__device__ __forceinline__ void store_part(T* to, const row_part<T, Wide>& part) {
  if constexpr (Wide == 1) {
    *to = part.value[0];
  } else {
    uint4 stored;
    memcpy(&stored, &part, sizeof part);
    *reinterpret_cast<uint4*>(to) = stored;
  }
}

template <template <class> class Ring, class T, unsigned Wide>
__device__ __forceinline__ void add_part(T* to, const row_part<T, Wide>& sum) {
  if constexpr (Wide == 4 && std::is_same_v<Ring<T>, plus_times<float>>) {
    add_four(to, sum.value[0], sum.value[1], sum.value[2], sum.value[3]);
  } else {
#pragma unroll
    for (unsigned k = 0; k < Wide; ++k) accumulate<Ring>(to + k, sum.value[k]);
  }
}

// Marks those of a strip's outputs, of which the first is `first`, that have a term which is no finite number.
template <unsigned Wide>
__device__ __forceinline__ void mark_part(const output_marks<fixed_t>& marks, std::uint64_t first,
                                          index_t batch, std::uint32_t outputs,
                                          const row_part<fixed_t, Wide>& terms) {
#pragma unroll
  for (unsigned k = 0; k < Wide; ++k) {
    const unsigned mark = mark_of(terms.value[k]);
    if (mark == 0) continue;
#pragma unroll 1
    for (unsigned i = 0; i < 8; ++i) {
      if ((outputs >> i & 1U) != 0) marks.add(first + std::uint64_t{i} * batch + k, mark);
    }
  }
}

// A block's inputs in shared memory, and where its units begin.
struct unit_list {
  static constexpr unsigned whole = 1U << 15U;
  static_assert(batch_inputs < whole);

  batch_input inputs[batch_inputs];
  std::uint16_t starts[batch_inputs + 1];  // with `whole` where the unit is a strip on its own
  std::uint16_t begun[batch_warps];        // units that begin among the inputs a warp has read
  unsigned next;                           // the next unit that no warp has taken

  __device__ unsigned start(unsigned unit) const { return starts[unit] & (whole - 1); }

  // Reads `count` inputs from `begin` of the tile on. Returns the number of units. By all threads.
  __device__ unsigned load(const tile_view& tile, unsigned begin, unsigned count) {
    constexpr unsigned rounds = batch_inputs / batch_threads;
    const unsigned own_warp = threadIdx.x / warp::lanes;
    unsigned units[rounds];  // lanes whose inputs begin one
    unsigned wholes = 0;     // rounds in which this lane's is whole
    unsigned total = 0;
#pragma unroll
    for (unsigned k = 0; k < rounds; ++k) {
      const unsigned i = (own_warp * rounds + k) * warp::lanes + warp::lane();
      bool begins = false;
      if (i < count) {
        const batch_input input = tile.list[begin + i];
        inputs[i] = input;
        const bool first = i == 0 || tile.list[begin + i - 1].strip() != input.strip();
        if (first || i % batch_piece == 0) {
          const std::uint32_t from = tile.begin[input.strip()];
          const std::uint32_t to = tile.end(input.strip());
          begins = first || to - from > batch_piece;
          if (is_whole(from, to)) wholes |= 1U << k;
        }
      }
      units[k] = __ballot_sync(warp::all, begins);
      total += popcount(units[k]);
    }
    if (warp::lane() == 0) begun[own_warp] = static_cast<std::uint16_t>(total);
    if (threadIdx.x == 0) next = batch_warps;
    __syncthreads();
    unsigned at = 0;
    unsigned all = 0;
#pragma unroll
    for (unsigned w = 0; w < batch_warps; ++w) {
      if (w < own_warp) at += begun[w];
      all += begun[w];
    }
#pragma unroll
    for (unsigned k = 0; k < rounds; ++k) {
      if ((units[k] >> warp::lane() & 1U) != 0) {
        const unsigned i = (own_warp * rounds + k) * warp::lanes + warp::lane();
        starts[at + popcount(units[k] & warp::lanes_below())] =
            static_cast<std::uint16_t>(i | ((wholes >> k & 1U) != 0 ? whole : 0));
      }
      at += popcount(units[k]);
    }
    if (threadIdx.x == 0) starts[all] = static_cast<std::uint16_t>(count);
    __syncthreads();
    return all;
  }

  // The next unit of this warp.
  __device__ unsigned take() {
    unsigned unit = 0;
    if (warp::lane() == 0) unit = atomicAdd(&next, 1U);
    return __shfl_sync(warp::all, unit, 0);
  }
};

// The sums of a unit, and to where they go.
template <template <class> class Ring, class T, unsigned Wide>
struct unit_sums {
  row_part<T, Wide> sums[8];
  unsigned touched;  // outputs with a term

  __device__ __forceinline__ void clear() {
    touched = 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
#pragma unroll
      for (unsigned k = 0; k < Wide; ++k) sums[i].value[k] = Ring<T>::zero();
    }
  }

  __device__ __forceinline__ void add(std::uint32_t outputs, row_part<T, Wide> terms) {
    touched |= outputs;
#pragma unroll
    for (unsigned k = 0; k < Wide; ++k) terms.value[k] = Ring<T>::term(terms.value[k]);
#pragma unroll
    for (unsigned part = 0; part < 8; part += batch_split) {
      if ((outputs & (((1U << batch_split) - 1) << part)) == 0) continue;
#pragma unroll
      for (unsigned i = part; i < part + batch_split; ++i) {
        if ((outputs & (1U << i)) == 0) continue;
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) {
          sums[i].value[k] = Ring<T>::add(sums[i].value[k], terms.value[k]);
        }
      }
    }
  }

  // Adds the groups of a warp up. Each keeps some of the outputs, from `first` on; returns their number. Groups
  // that have none get 0.
  __device__ __forceinline__ unsigned share(unsigned lanes, unsigned& first) {
    first = 0;
    if (lanes == warp::lanes) return 8;
    exchange<4>(16, first);
    if (lanes == 16) return 4;
    exchange<2>(8, first);
    if (lanes == 8) return 2;
    exchange<1>(4, first);
    for (unsigned distance = 2; distance >= lanes; distance /= 2) {
      touched |= __shfl_sync(warp::all, touched, warp::lane() ^ distance);
#pragma unroll
      for (unsigned k = 0; k < Wide; ++k) {
        sums[0].value[k] = Ring<T>::add(
            sums[0].value[k], __shfl_sync(warp::all, sums[0].value[k], warp::lane() ^ distance));
      }
    }
    return (warp::lane() % 4) < lanes ? 1 : 0;
  }

 private:
  // Keeps Half of 2 · Half outputs, and gives those that the lane at that distance keeps.
  template <unsigned Half>
  __device__ __forceinline__ void exchange(unsigned distance, unsigned& first) {
    const bool upper = (warp::lane() & distance) != 0;
    if (upper) first += Half;
    touched |= __shfl_sync(warp::all, touched, warp::lane() ^ distance);
#pragma unroll
    for (unsigned i = 0; i < Half; ++i) {
#pragma unroll
      for (unsigned k = 0; k < Wide; ++k) {
        const T give = upper ? sums[i].value[k] : sums[Half + i].value[k];
        const T keep = upper ? sums[Half + i].value[k] : sums[i].value[k];
        sums[i].value[k] =
            Ring<T>::add(keep, __shfl_sync(warp::all, give, warp::lane() ^ distance));
      }
    }
  }
};

// Groups of `lanes` threads, each thread with `Wide` of the vectors. A strip that is one unit is written, others
// are added to. blockIdx.y counts slices of lanes · Wide vectors from `first_vector` on.
template <template <class> class Ring, class T, unsigned Wide>
__global__ void __launch_bounds__(batch_threads, batch_blocks)
    multiply_batch(const __grid_constant__ tile_view tile,
                   const __grid_constant__ batch_operands<T> v, std::uint64_t first_vector,
                   unsigned lanes) {
  using part = row_part<T, Wide>;
  constexpr unsigned ahead = batch_ahead;
  __shared__ unit_list list;
  __shared__ part ring[ahead * batch_threads];  // of each lane its part of the rows under way
  const unsigned begin = blockIdx.x * batch_inputs;
  const unsigned units = list.load(tile, begin, min(batch_inputs, tile.inputs - begin));
  unsigned unit = threadIdx.x / warp::lanes;
  if (unit >= units) return;
  const unsigned group = warp::lane() / lanes;
  const unsigned groups = warp::lanes / lanes;
  std::uint64_t vector =
      first_vector + (std::uint64_t{blockIdx.y} * lanes + threadIdx.x % lanes) * Wide;
  const bool stores = vector < v.batch;
  if (!stores) vector = v.batch - Wide;  // does what another does
  const T* const x = v.x + vector;
  unit_sums<Ring, T, Wide> s;
  std::uint32_t outputs[ahead];
  const auto fetch = [&](unsigned k, unsigned at, unsigned end) {
    batch_input input{0, 0};
    if (at < end) input = list.inputs[at];
    outputs[k] = input.outputs & 0xFFU;
    const T* const from = row_of<Wide>(x, input.row, v.batch);
    part* const slot = &ring[k * batch_threads + threadIdx.x];
    if (outputs[k] != 0) copy_async<sizeof(part)>(slot, from);
    end_copy_group();
  };
  bool marks = false;  // whether there is anything to mark
  if constexpr (is_fixed<T>) marks = *v.marks.any != 0;
  const auto consume = [&](unsigned k) {
    wait_for_copies<ahead - 1>();
    if (outputs[k] == 0) return;
    const part& terms = ring[k * batch_threads + threadIdx.x];
    if constexpr (is_fixed<T>) {
      if (marks) {
        const std::uint64_t strip = tile.first_strip + list.inputs[list.start(unit)].strip();
        mark_part(v.marks, strip * 8 * v.batch + vector, v.batch, outputs[k], terms);
      }
    }
    s.add(outputs[k], terms);
  };
  const auto finish = [&](unsigned which) {
    const std::uint64_t strip = tile.first_strip + list.inputs[list.start(which)].strip();
    const bool whole = (list.starts[which] & unit_list::whole) != 0;
    unsigned first = 0;
    const unsigned own = s.share(lanes, first);
    if (!stores) return;
    const std::uint64_t row = strip * 8 + first;
    T* const to = v.y + row * v.batch + vector;
    const unsigned touched = s.touched >> first;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      if (i >= own) break;
      if constexpr (std::is_same_v<Ring<T>, plus_times<T>> && !is_fixed<T>) {
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) s.sums[i].value[k] *= v.alpha;
      }
      T* const at = to + std::uint64_t{i} * v.batch;
      if (!whole) {
        if ((touched & (1U << i)) != 0) add_part<Ring>(at, s.sums[i]);
      } else if (row + i < v.outputs) {
        if (v.beta != T{0}) {
#pragma unroll
          for (unsigned k = 0; k < Wide; ++k) {
            s.sums[i].value[k] = Ring<T>::add(old_output<Ring>(at[k], v.beta), s.sums[i].value[k]);
          }
        }
        store_part(at, s.sums[i]);
      }
    }
  };
  unsigned first = list.start(unit);
  unsigned end = list.start(unit + 1);
#pragma unroll
  for (unsigned k = 0; k < ahead; ++k) fetch(k, first + k * groups + group, end);
  s.clear();
  while (true) {
    // What is fetched while these rows are added.
    first += ahead * groups;
    unsigned next = unit;
    if (first >= end) {
      next = list.take();
      first = end = 0;
      if (next < units) {
        first = list.start(next);
        end = list.start(next + 1);
      }
    }
#pragma unroll
    for (unsigned k = 0; k < ahead; ++k) {
      consume(k);
      fetch(k, first + k * groups + group, end);
    }
    if (next == unit) continue;
    finish(unit);
    if (next >= units) break;
    s.clear();
    unit = next;
  }
}

}  // namespace baltoro::cuda
