// A level of searches from many sources, whose tables have a bit for every source and vertex: one warp a
// container, and in it one lane for each word of eight vertices and 128 sources.
// A leaf reads eight vertices side by side, which at 128 sources is one line of a cache.
#pragma once

#include <cstdint>

#include "cuda/search/search_tables.cuh"
#include "cuda/search/wanted_leaves.cuh"

namespace baltoro::cuda {

// Works off sorted leaves of a container. A lane has word lane mod 4 of the slice for vertex lane / 4 of the
// strip: of the outputs that it gathers, and of the inputs that it reads for all lanes.
template <direction Side>
class table_spreader {
 public:
  __device__ table_spreader(const leaf_space& space, const container_place& at,
                            const search_sets& sets, const search_tables& tables)
      : space_(space), at_(at), sets_(sets), tables_(tables) {}

  __device__ void run(unsigned leaves, unsigned first_word) {
    word_ = first_word + warp::lane() % search_tables::slice;
    mine_ = word_ < tables_.words;
    loaded next = load(0);
    strip_ = next.strip;
    gathered_ = 0;
    for (unsigned i = 0; i < leaves; ++i) {
      const loaded leaf = next;
      if (i + 1 < leaves) next = load(i + 1);
      if (leaf.strip != strip_) {
        finish();
        strip_ = leaf.strip;
        gathered_ = 0;
      }
      add(leaf);
    }
    finish();
  }

 private:
  static constexpr unsigned slice = search_tables::slice;

  struct loaded {
    unsigned strip;         // of the outputs
    std::uint64_t pattern;  // byte i: the inputs of output i
    unsigned inputs;        // that have cells
    std::uint32_t seen;     // this lane's word of its input
  };

  __device__ __forceinline__ std::uint64_t index(std::uint32_t strip) const {
    return (std::uint64_t{strip} * 8 + warp::lane() / slice) * tables_.words + word_;
  }

  __device__ __forceinline__ loaded load(unsigned at) const {
    const unsigned leaf = space_.sorted[at];
    const std::uint32_t position = space_.positions[leaf];
    loaded result;
    result.strip = output_strip<Side>(position);
    result.pattern = space_.patterns[leaf];
    auto inputs = static_cast<std::uint32_t>(result.pattern | result.pattern >> 32U);
    inputs |= inputs >> 16U;
    result.inputs = (inputs | inputs >> 8U) & 0xFFU;
    result.seen = 0;
    if (mine_ && (result.inputs >> (warp::lane() / slice) & 1U) != 0) {
      result.seen = __ldg(tables_.seen + index(at_.input + input_strip<Side>(position)));
    }
    return result;
  }

  // All lanes have the same leaf, so that they stay together.
  __device__ __forceinline__ void add(const loaded& leaf) {
    const auto own = static_cast<unsigned>(leaf.pattern >> (warp::lane() / slice * 8)) & 0xFFU;
    for (unsigned left = leaf.inputs; left != 0; left &= left - 1) {
      const auto input = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
      const std::uint32_t seen =
          __shfl_sync(warp::all, leaf.seen, input * slice + warp::lane() % slice);
      if ((own >> input & 1U) != 0) gathered_ |= seen;
    }
  }

  __device__ __forceinline__ void finish() const {
    bool fresh = false;
    if (mine_ && gathered_ != 0) {
      std::uint32_t* const to = tables_.next + index(at_.output + strip_);
      const std::uint32_t bits = gathered_ & ~*static_cast<const volatile std::uint32_t*>(to);
      fresh = bits != 0;
      if (fresh) atomicOr(to, bits);
    }
    const unsigned of_warp = __ballot_sync(warp::all, fresh);
    if (of_warp != 0 && warp::lane() == 0) sets_.change(at_.output + strip_, vertices_of(of_warp));
  }

  const leaf_space& space_;
  const container_place& at_;
  const search_sets& sets_;
  const search_tables& tables_;
  unsigned word_ = 0;
  bool mine_ = false;
  unsigned strip_ = 0;
  std::uint32_t gathered_ = 0;
};

inline constexpr unsigned spread_warps = 2;

template <direction Side>
__global__ void __launch_bounds__(spread_warps* warp::lanes)
    spread_tables(const __grid_constant__ device_view a, const __grid_constant__ search_sets sets,
                  const __grid_constant__ container_list list,
                  const __grid_constant__ search_tables tables) {
  __shared__ leaf_space spaces[spread_warps];
  leaf_space& space = spaces[threadIdx.x / warp::lanes];
  for (std::uint32_t container = list.next(); container != ~0U; container = list.next()) {
    const container_place at = place_of<Side>(a.matrix, container);
    const unsigned leaves = for_each_wanted_leaf<Side>(
        a, sets, container, at, space,
        [&](unsigned leaf, unsigned inputs, unsigned outputs, std::uint64_t pattern) {
          const std::uint64_t cells = pattern & cells_between<Side>(inputs, outputs);
          space.patterns[leaf] = Side == direction::right ? cells : format::transpose(cells);
        });
    __syncwarp();
    const unsigned wanted = sort_leaves<Side>(
        leaves, at.level, space, [&](unsigned leaf) { return space.patterns[leaf] != 0; });
    __syncwarp();
    if (wanted != 0) {
      table_spreader<Side> spreader(space, at, sets, tables);
      for (unsigned word = 0; word < tables.words; word += search_tables::slice) {
        spreader.run(wanted, word);
      }
    }
    __syncwarp();  // before the next container takes the space
  }
}

}  // namespace baltoro::cuda
