// y = alpha · A⊗x + beta · y for a batch of vectors: containers are expanded into a list of leaves by strip of
// outputs, a tile of strips at a time, and then every leaf meets all vectors.
//
// Reading a row of x or touching one of y moves B values, so what counts is how often that happens: a row of
// x once a leaf that has cells in its column, a row of y once, but for strips that are cut.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cuda/adaptive/leaves.cuh"
#include "cuda/adaptive/vectors.cuh"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"
#include "format/adaptive/strips.hpp"

namespace baltoro::cuda {

// A leaf on its own. For a left product its pattern is transposed: bit 8·i + j adds input j to output i.
struct alignas(16) batch_leaf {
  std::uint32_t output;  // number of its strip of outputs
  std::uint32_t input;
  std::uint64_t pattern;
};

inline constexpr unsigned expand_warps = 2;
inline constexpr unsigned batch_threads = 256;
// Leaves that one group of threads works off in one go.
inline constexpr unsigned batch_run = 64;
// Leaves of a tile.
inline constexpr std::uint64_t batch_tile = 1ULL << 20U;

// A tile of strips on the device.
struct tile_view {
  std::uint32_t first_strip;
  std::uint32_t strips;
  std::uint32_t leaves;
  const std::uint32_t* begin;  // of each strip its first leaf
  batch_leaf* list;            // by strip

  __device__ std::uint32_t end(std::uint32_t strip) const {
    return strip + 1 == strips ? leaves : begin[strip + 1];
  }
};

// Puts the leaves of containers list[0], list[1], … that are in the tile where the plan has room for them.
// `next` starts as a copy of tile.begin.
template <direction Side>
__global__ void __launch_bounds__(expand_warps* warp::lanes)
    expand_containers(const __grid_constant__ device_view a, const __grid_constant__ tile_view tile,
                      const std::uint32_t* list, unsigned count, std::uint32_t* next) {
  __shared__ leaf_space spaces[expand_warps];
  const unsigned slot = blockIdx.x * expand_warps + threadIdx.x / warp::lanes;
  if (slot >= count) return;
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  const std::uint64_t container = list[slot];
  const unsigned number = load_leaves<Side>(a, container, space);
  const unsigned level = a.matrix.level(container);
  const std::uint32_t row = morton::row_of(a.matrix.first_leaf(container)) >> level << level;
  const std::uint32_t col = morton::col_of(a.matrix.first_leaf(container)) >> level << level;
  const std::uint32_t output = Side == direction::right ? row : col;
  const std::uint32_t input = Side == direction::right ? col : row;
  for (unsigned at = warp::lane(); at < number; at += warp::lanes) {
    const unsigned leaf = space.sorted[at];
    const std::uint32_t position = space.positions[leaf];
    const std::uint32_t strip = output + output_strip<Side>(position);
    if (strip - tile.first_strip >= tile.strips) continue;
    const std::uint64_t pattern = space.patterns[leaf];
    tile.list[atomicAdd(next + (strip - tile.first_strip), 1U)] = {
        strip, input + input_strip<Side>(position),
        Side == direction::right ? pattern : format::transpose(pattern)};
  }
}

// `Wide` neighbouring values of a row of x or y.
template <class T, unsigned Wide>
struct row_part {
  T value[Wide];
};

template <class T, unsigned Wide>
__device__ __forceinline__ row_part<T, Wide> load_part(const T* from) {
  row_part<T, Wide> result;
  if constexpr (Wide == 1) {
    result.value[0] = __ldg(from);
  } else {
    static_assert(sizeof result == sizeof(uint4));
    const uint4 loaded = __ldg(reinterpret_cast<const uint4*>(from));
    memcpy(&result, &loaded, sizeof result);
  }
  return result;
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

// A product's batches.
template <class T>
struct batch_operands {
  const T* x;
  T* y;
  std::uint64_t outputs;
  index_t batch;
  T alpha;
  T beta;
};

// Begins the outputs of those strips that multiply_batch does not write as a whole: the empty ones and those
// that two groups share. One block a strip.
template <template <class> class Ring, class T>
__global__ void begin_strips(const __grid_constant__ tile_view tile,
                             const __grid_constant__ batch_operands<T> v) {
  const std::uint32_t begin = tile.begin[blockIdx.x];
  const std::uint32_t end = tile.end(blockIdx.x);
  if (begin != end && begin / batch_run == (end - 1) / batch_run) return;
  const std::uint64_t first = std::uint64_t{tile.first_strip + blockIdx.x} * 8 * v.batch;
  const std::uint64_t last = min(first + std::uint64_t{8} * v.batch, v.outputs * v.batch);
  for (std::uint64_t i = first + threadIdx.x; i < last; i += blockDim.x) {
    v.y[i] = old_output<Ring>(v.beta == T{0} ? T{} : v.y[i], v.beta);
  }
}

// `lanes` threads side by side take batch_run leaves of a tile, each of them `Wide` of the vectors. A strip
// that they have all leaves of is written, one that others have too is added to. blockIdx.y counts slices
// of lanes · Wide vectors from `first_vector` on.
template <template <class> class Ring, class T, unsigned Wide>
__global__ void __launch_bounds__(batch_threads)
    multiply_batch(const __grid_constant__ tile_view tile,
                   const __grid_constant__ batch_operands<T> v, std::uint64_t first_vector,
                   unsigned lanes) {
  const std::uint64_t vector =
      first_vector + (std::uint64_t{blockIdx.y} * lanes + threadIdx.x % lanes) * Wide;
  const unsigned run = blockIdx.x * (batch_threads / lanes) + threadIdx.x / lanes;
  const unsigned begin = run * batch_run;
  if (vector >= v.batch || begin >= tile.leaves) return;
  const unsigned end = min(tile.leaves, begin + batch_run);
  const std::uint64_t batch = v.batch;
  row_part<T, Wide> sums[8];
  std::uint64_t touched = 0;
  batch_leaf next = tile.list[begin];
  std::uint32_t strip = next.output;
  const auto clear = [&] {
    touched = 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
#pragma unroll
      for (unsigned k = 0; k < Wide; ++k) sums[i].value[k] = Ring<T>::zero();
    }
  };
  const auto finish = [&] {
    const std::uint32_t local = strip - tile.first_strip;
    const bool whole = tile.begin[local] >= begin && tile.end(local) <= end;
    const std::uint64_t row = std::uint64_t{strip} * 8;
    T* const to = v.y + row * batch + vector;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      if constexpr (std::is_same_v<Ring<T>, plus_times<T>>) {
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) sums[i].value[k] *= v.alpha;
      }
      T* const at = to + std::uint64_t{i} * batch;
      if (!whole) {
        if ((touched >> (8 * i) & 0xFFU) != 0) add_part<Ring>(at, sums[i]);
      } else if (row + i < v.outputs) {
        if (v.beta != T{0}) {
#pragma unroll
          for (unsigned k = 0; k < Wide; ++k) {
            sums[i].value[k] = Ring<T>::add(old_output<Ring>(at[k], v.beta), sums[i].value[k]);
          }
        }
        store_part(at, sums[i]);
      }
    }
  };
  clear();
  for (unsigned at = begin; at < end; ++at) {
    const batch_leaf leaf = next;
    next = tile.list[min(at + 1, end - 1)];
    if (leaf.output != strip) {
      finish();
      clear();
      strip = leaf.output;
    }
    touched |= leaf.pattern;
    auto columns = static_cast<std::uint32_t>(leaf.pattern | leaf.pattern >> 32U);
    columns |= columns >> 16U;
    columns |= columns >> 8U;
    const T* const from = v.x + std::uint64_t{leaf.input} * 8 * batch + vector;
    row_part<T, Wide> terms[8];
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      if ((columns & (1U << j)) != 0) {
        terms[j] = load_part<T, Wide>(from + std::uint64_t{j} * batch);
      } else {
        terms[j] = {};
      }
    }
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
#pragma unroll
      for (unsigned k = 0; k < Wide; ++k) terms[j].value[k] = Ring<T>::term(terms[j].value[k]);
    }
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const auto bits = static_cast<std::uint32_t>(leaf.pattern >> (8 * i)) & 0xFFU;
      if (bits == 0) continue;
#pragma unroll
      for (unsigned j = 0; j < 8; ++j) {
        if ((bits & (1U << j)) == 0) continue;
#pragma unroll
        for (unsigned k = 0; k < Wide; ++k) {
          sums[i].value[k] = Ring<T>::add(sums[i].value[k], terms[j].value[k]);
        }
      }
    }
  }
  finish();
}

// A batch's work as the host has planned it, and what it needs on the device beside matrix and vectors.
class batch_plan {
 public:
  batch_plan(const adaptive_view& a, direction side)
      : plan_(format::plan_strips(a, side, batch_tile)),
        begin_bytes_(aligned(4 * plan_.begin.size())),
        list_bytes_(aligned(4 * plan_.containers.size())),
        next_bytes_(aligned(4 * plan_.most_strips())),
        leaves_bytes_(aligned(sizeof(batch_leaf) * plan_.most_leaves())) {}

  std::uint64_t bytes() const { return begin_bytes_ + list_bytes_ + next_bytes_ + leaves_bytes_; }

  // Allocates, uploads and waits; does nothing when it was done.
  void prepare() {
    if (memory_.bytes() == bytes()) return;
    memory_ = device_memory(bytes(), "scratch of the products");
    const stream upload;
    copy_to_device(memory_.data(), plan_.begin.data(), 4 * plan_.begin.size(), upload.get());
    copy_to_device(memory_.at<std::uint32_t>(begin_bytes_), plan_.containers.data(),
                   4 * plan_.containers.size(), upload.get());
    upload.wait();
  }

  // Enqueues y = alpha · A⊗x + beta · y.
  template <template <class> class Ring, direction Side, class T>
  void run(cudaStream_t stream, const device_view& matrix, const batch_operands<T>& v) const {
    constexpr unsigned quad = 16 / sizeof(T);
    constexpr std::uint64_t most_slices = 65535;
    const auto fits = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    const bool wide = v.batch % quad == 0 && fits(v.x) && fits(v.y);
    const unsigned each = wide ? quad : 1;
    // As many threads a leaf as there are parts of a row, at most a warp.
    const unsigned lanes =
        std::min<unsigned>(warp::lanes, std::bit_ceil((v.batch + each - 1) / each));
    const std::uint64_t slices = (std::uint64_t{v.batch} + each * lanes - 1) / (each * lanes);
    auto* const next = memory_.at<std::uint32_t>(begin_bytes_ + list_bytes_);
    auto* const list = memory_.at<batch_leaf>(begin_bytes_ + list_bytes_ + next_bytes_);
    for (const format::strip_tile& t : plan_.tiles) {
      const tile_view tile{t.first_strip, t.strips, static_cast<std::uint32_t>(t.leaves),
                           memory_.at<std::uint32_t>(4 * std::uint64_t{t.first_strip}), list};
      launch(begin_strips<Ring, T>, dim3(t.strips), dim3(batch_threads), 0, stream, tile, v);
      if (t.leaves == 0) continue;
      check(cudaMemcpyAsync(next, tile.begin, 4 * std::uint64_t{t.strips}, cudaMemcpyDeviceToDevice,
                            stream),
            "cudaMemcpyAsync");
      const auto containers = static_cast<unsigned>(t.containers);
      launch(expand_containers<Side>, dim3((containers + expand_warps - 1) / expand_warps),
             dim3(expand_warps * warp::lanes), 0, stream, matrix, tile,
             memory_.at<std::uint32_t>(begin_bytes_ + 4 * t.first_container), containers, next);
      const std::uint64_t runs = (t.leaves + batch_run - 1) / batch_run;
      const unsigned groups = batch_threads / lanes;
      for (std::uint64_t slice = 0; slice < slices; slice += most_slices) {
        const dim3 blocks(static_cast<unsigned>((runs + groups - 1) / groups),
                          static_cast<unsigned>(std::min(most_slices, slices - slice)));
        launch(wide ? multiply_batch<Ring, T, quad> : multiply_batch<Ring, T, 1>, blocks,
               dim3(batch_threads), 0, stream, tile, v, slice * each * lanes, lanes);
      }
    }
  }

 private:
  format::strip_plan plan_;
  std::uint64_t begin_bytes_;
  std::uint64_t list_bytes_;
  std::uint64_t next_bytes_;
  std::uint64_t leaves_bytes_;
  device_memory memory_;
};

}  // namespace baltoro::cuda
