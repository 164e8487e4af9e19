#include <algorithm>

#include "cuda/build/compaction.cuh"
#include "cuda/build/container_lines.cuh"
#include "cuda/build/container_runs.cuh"
#include "cuda/build/containers.hpp"
#include "format/adaptive/bitmap_tree.hpp"
#include "format/adaptive/choose_kind.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/elias_fano.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/partition.hpp"
#include "format/adaptive/quadtree.hpp"

namespace baltoro::cuda {
namespace {

constexpr unsigned warps_a_block = 4;

// --- Cutting -----------------------------------------------------------------------------------------

__global__ void set_flags(const std::uint32_t* starts, std::uint64_t count, std::uint32_t* flags) {
  const std::uint64_t i = thread_number();
  if (i < count) atomicOr(flags + starts[i] / 32, 1U << (starts[i] % 32));
}

struct code_reader {
  const std::uint64_t* codes;
  BALTORO_HOST_DEVICE constexpr std::uint64_t operator()(std::uint64_t at) const {
    return codes[at];
  }
};

// One step of the partition for each square: marks containers and lists the squares that are left.
__global__ void cut_step(const std::uint64_t* codes, const leaf_square* squares,
                         std::uint32_t count, std::uint32_t most_leaves, std::uint32_t* flags,
                         leaf_square* next, std::uint32_t* next_count) {
  const std::uint64_t i = thread_number();
  if (i >= count) return;
  const leaf_square square = squares[i];
  const format::square_cut cut = format::cut_square(
      code_reader{codes}, square.first, std::uint64_t{square.first} + square.leaves, most_leaves);
  for (unsigned k = 0; k < cut.count; ++k) {
    const auto first = static_cast<std::uint32_t>(cut.pieces[k].first);
    const auto leaves = static_cast<std::uint32_t>(cut.pieces[k].last - cut.pieces[k].first);
    if (cut.pieces[k].is_container) {
      atomicOr(flags + first / 32, 1U << (first % 32));
    } else {
      next[atomicAdd(next_count, 1U)] = {first, leaves};
    }
  }
}

struct begins_container {
  const std::uint32_t* flags;
  __device__ bool operator()(std::uint64_t i) const {
    return ((flags[i / 32] >> (i % 32)) & 1U) != 0;
  }
};

struct keep_first {
  std::uint32_t* first;
  __device__ void operator()(std::uint64_t number, std::uint64_t place) const {
    first[number] = static_cast<std::uint32_t>(place);
  }
};

// --- One container -----------------------------------------------------------------------------------

// What a warp encodes.
struct warp_container {
  const std::uint64_t* codes;
  const std::uint64_t* patterns;
  const std::uint32_t* numbers;
  unsigned leaves;
  unsigned level;
  std::uint64_t corner;

  __device__ warp_container(const leaf_batch& batch, const container_space& space,
                            std::uint64_t number) {
    const std::uint32_t first = space.first[number];
    codes = batch.codes + first;
    patterns = batch.patterns + first;
    numbers = space.numbers + first;
    leaves = space.first[number + 1] - first;
    level = format::common_level(codes[0], codes[leaves - 1]);
    corner = codes[0] >> (2 * level) << (2 * level);
  }
  __device__ std::uint32_t offset(unsigned i) const {
    return static_cast<std::uint32_t>(codes[i] - corner);
  }
};

__device__ void sort_leaves(line_space& lines, const warp_container& c, format::line_axis axis) {
  sort_by_line(lines, c.leaves, axis, [&](unsigned i) { return c.offset(i); });
}

// The level, from 0 at the leaves, above which two leaves share their ancestors.
__device__ unsigned differing_levels(std::uint32_t a, std::uint32_t b) {
  return format::common_level(a, b) - 1;
}

// The same as on the CPU: format::choose_kind(). Leaves `lines` sorted by rows.
__device__ format::kind_choice choose_kind(const warp_container& c, unsigned weight,
                                           line_space& lines) {
  using format::container_kind;
  format::kind_choice best(c.leaves, weight);
  const unsigned below = format::levels_below_bitmap(c.level);
  std::uint32_t nodes = 0;
  std::uint32_t nodes_below = 0;
  for (unsigned i = 1 + lane_number(); i < c.leaves; i += 32) {
    const unsigned levels = differing_levels(c.offset(i - 1), c.offset(i));
    nodes += levels;
    nodes_below += levels < below ? levels : below;
  }
  nodes = c.level + sum_of_warp(nodes);
  nodes_below = below + sum_of_warp(nodes_below);
  std::uint32_t line_words = ~0U;
  std::uint32_t line_detail = 0;
  for (const format::line_axis axis : {format::line_axis::columns, format::line_axis::rows}) {
    sort_leaves(lines, c, axis);
    const std::uint32_t size = format::words_for(count_line_bits(lines, c.leaves, c.level));
    if (size > format::max_line_words || size >= line_words) continue;
    line_words = size;
    line_detail = format::lines_detail::of(axis, size).value;
  }
  if (nodes <= format::max_quadtree_nodes) {
    best.offer(container_kind::quadtree, {format::words_for(4ULL * nodes), nodes});
  }
  // Every lane tries one number of low bits.
  const std::uint32_t low = lane_number();
  const std::uint32_t last = format::row_value(line_key_of(lines.keys[c.leaves - 1]), c.level);
  const std::uint32_t upper = format::words_for(std::uint64_t{last >> low} + c.leaves);
  const bool can = low <= format::max_low_bits && upper <= format::max_upper_words;
  const auto detail = format::elias_fano_detail::of(low, upper);
  const std::uint32_t shortest = least_of_warp(can ? detail.words(c.leaves) << 5U | low : ~0U);
  if (shortest != ~0U) {
    best.offer(container_kind::elias_fano,
               {shortest >> 5U, __shfl_sync(~0U, detail.value, shortest & 31U)});
  }
  if (nodes_below <= format::max_quadtree_nodes) {
    best.offer(container_kind::bitmap_tree,
               {format::bitmap_words + format::words_for(4ULL * nodes_below), nodes_below});
  }
  if (line_words != ~0U) best.offer(container_kind::lines, {line_words, line_detail});
  const run_facts facts = find_runs(lines, c.leaves);
  if (facts.rows <= format::max_run_rows && facts.runs <= format::max_runs) {
    const auto how = format::runs_detail::of(facts.range, facts.runs, facts.rows);
    best.offer(container_kind::runs, {how.words(c.leaves), how.value});
  }
  return best;
}

// Leaves of each class.
struct class_counts {
  std::uint32_t of[leaf_classes::count] = {};
  // Adds those of 32 leaves.
  __device__ void add(bool valid, unsigned leaf_class) {
    for (unsigned k = 0; k < leaf_classes::count; ++k) {
      of[k] += count_bits(__ballot_sync(~0U, valid && leaf_class == k));
    }
  }
  __device__ std::uint32_t bits_before(unsigned leaf_class, const leaf_classes& classes) const {
    std::uint32_t bits = 0;
    for (unsigned k = 0; k < leaf_class; ++k) bits += of[k] * classes.bits(k);
    return bits;
  }
};

__device__ class_counts count_classes(const warp_container& c, const format::class_bounds& bounds) {
  class_counts counts;
  for_each_of_warp(c.leaves, [&](unsigned i, bool valid) {
    counts.add(valid, valid ? bounds.class_of(c.numbers[i]) : 0);
  });
  return counts;
}

__device__ std::uint32_t measure_contents(const warp_container& c, const leaf_classes& classes) {
  const class_counts counts = count_classes(c, format::class_bounds(classes));
  std::uint32_t escaped = 0;
  for (unsigned i = lane_number(); i < c.leaves; i += 32) {
    if (c.numbers[i] != format::leaf_name::escaped) continue;
    escaped += static_cast<std::uint32_t>(format::escape_bits(classes, c.patterns[i]));
  }
  return format::class_words(c.leaves) +
         format::words_for(counts.bits_before(leaf_classes::count, classes)) +
         format::words_for(sum_of_warp(escaped));
}

template <class Batch>
__global__ void measure(const __grid_constant__ Batch batch,
                        const __grid_constant__ container_space space, std::uint64_t containers,
                        const __grid_constant__ leaf_classes classes, unsigned weight) {
  __shared__ line_space lines[warps_a_block];
  const std::uint64_t number = warp_number();
  if (number >= containers) {
    if (number == containers && lane_number() == 0) space.begins[containers] = 0;
    return;
  }
  const warp_container c(batch, space, number);
  const format::kind_choice best = choose_kind(c, weight, lines[threadIdx.x / 32]);
  const std::uint32_t contents = measure_contents(c, classes);
  if (lane_number() != 0) return;
  space.begins[number] = 1 + best.size().words + contents;
  space.places[number] = c.codes[0] << 4U | c.level;
  space.choices[number] =
      container_header::of(c.leaves, static_cast<unsigned>(best.kind()), best.size().detail).word;
}

// --- Encoding ----------------------------------------------------------------------------------------

// The nibbles of the levels above leaves, level by level from the top. Returns the nodes.
__device__ void encode_nodes(const warp_container& c, unsigned levels, std::uint32_t* to) {
  std::uint32_t node = 0;
  for (unsigned height = levels; height >= 1; --height) {
    for_each_of_warp(c.leaves, [&](unsigned i, bool valid) {
      const std::uint32_t offset = valid ? c.offset(i) : 0;
      // The levels on which this leaf has another ancestor than the one before it.
      const unsigned levels_of_its_own = !valid   ? 0
                                         : i == 0 ? levels + 1
                                                  : 1 + differing_levels(c.offset(i - 1), offset);
      const unsigned heads = __ballot_sync(~0U, levels_of_its_own > height);
      if (levels_of_its_own >= height) {
        const std::uint32_t at =
            node + count_bits(heads & (lanes_before() | 1U << lane_number())) - 1;
        put_bits(to, 4 * at + ((offset >> (2 * (height - 1))) & 3U), 1);
      }
      node += count_bits(heads);
    });
  }
}

// After sort_by_line() by rows.
__device__ void encode_elias_fano(const line_space& lines, const warp_container& c,
                                  format::elias_fano_detail how, std::uint32_t* to) {
  const std::uint32_t low = how.low_bits();
  std::uint32_t* const upper = to + how.lower_words(c.leaves);
  for (unsigned i = lane_number(); i < c.leaves; i += 32) {
    const std::uint32_t value = format::row_value(line_key_of(lines.keys[i]), c.level);
    put_bits(to, i * low, value & ((1U << low) - 1));
    put_bits(upper, (value >> low) + i, 1);
  }
}

// Whether a kind numbers its leaves by lines, not by code.
__device__ bool is_by_lines(format::container_kind kind) {
  return kind == format::container_kind::elias_fano || kind == format::container_kind::lines ||
         kind == format::container_kind::runs;
}

// Returns the words that they take. Leaves `lines` in the order of the kind where that is by lines.
__device__ std::uint32_t encode_positions(const warp_container& c, container_header header,
                                          line_space& lines, std::uint32_t* to) {
  switch (static_cast<format::container_kind>(header.kind())) {
    case format::container_kind::quadtree:
      encode_nodes(c, c.level, to);
      return format::words_for(4ULL * header.detail());
    case format::container_kind::elias_fano: {
      const format::elias_fano_detail how{header.detail()};
      sort_leaves(lines, c, format::line_axis::rows);
      encode_elias_fano(lines, c, how, to);
      return how.words(c.leaves);
    }
    case format::container_kind::bitmap_tree: {
      const unsigned below = format::levels_below_bitmap(c.level);
      for (unsigned i = lane_number(); i < c.leaves; i += 32) {
        put_bits(to, c.offset(i) >> (2 * below), 1);
      }
      encode_nodes(c, below, to + format::bitmap_words);
      return format::bitmap_words + format::words_for(4ULL * header.detail());
    }
    case format::container_kind::lines: {
      const format::lines_detail how{header.detail()};
      sort_leaves(lines, c, how.axis());
      encode_lines(lines, c.leaves, c.level, to);
      return how.words();
    }
    case format::container_kind::runs: {
      const format::runs_detail how{header.detail()};
      sort_leaves(lines, c, format::line_axis::rows);
      encode_runs(lines, c.leaves, how, to);
      return how.words(c.leaves);
    }
  }
  return 0;
}

// leaf_at(k) is the leaf with number k in the container.
template <class LeafAt>
__device__ void encode_contents(const warp_container& c, const leaf_classes& classes,
                                const LeafAt& leaf_at, std::uint32_t* to) {
  const format::class_bounds bounds(classes);
  const class_counts all = count_classes(c, bounds);
  std::uint32_t* const ids = to + format::class_words(c.leaves);
  class_counts done;
  for_each_of_warp(c.leaves, [&](unsigned k, bool valid) {
    const std::uint32_t number = valid ? c.numbers[leaf_at(k)] : 0;
    const unsigned of = valid ? bounds.class_of(number) : 0;
    const unsigned low = __ballot_sync(~0U, valid && (of & 1U) != 0);
    const unsigned high = __ballot_sync(~0U, valid && (of & 2U) != 0);
    if (lane_number() == 0) {
      to[k / 32 * 2] = low;
      to[k / 32 * 2 + 1] = high;
    }
    const unsigned same = ((of & 1U) != 0 ? low : ~low) & ((of & 2U) != 0 ? high : ~high);
    if (valid && classes.bits(of) != 0) {
      const std::uint32_t before = done.of[of] + count_bits(same & lanes_before());
      put_bits(ids, all.bits_before(of, classes) + before * classes.bits(of),
               static_cast<std::uint32_t>(number - bounds.first[of]));
    }
    done.add(valid, of);
  });
  if (!classes.escapes() || all.of[3] == 0) return;
  std::uint32_t* const escapes =
      ids + format::words_for(all.bits_before(leaf_classes::count, classes));
  std::uint32_t at = 0;
  for (unsigned part = 0; part < format::escape_parts; ++part) {
    for_each_of_warp(c.leaves, [&](unsigned k, bool valid) {
      format::escape_part some;
      if (valid && c.numbers[leaf_at(k)] == format::leaf_name::escaped) {
        some = format::part_of_escape(classes, c.patterns[leaf_at(k)], part);
      }
      const std::uint32_t up_to = sum_up_to_lane(some.bits);
      const std::uint32_t begin = at + up_to - some.bits;
      put_bits(escapes, begin, static_cast<std::uint32_t>(some.value));
      put_bits(escapes, begin + 32, static_cast<std::uint32_t>(some.value >> 32U));
      at += __shfl_sync(~0U, up_to, 31);
    });
  }
}

template <class Batch>
__global__ void encode(const __grid_constant__ Batch batch,
                       const __grid_constant__ container_space space, std::uint64_t containers,
                       const __grid_constant__ leaf_classes classes) {
  __shared__ line_space lines[warps_a_block];
  const std::uint64_t number = warp_number();
  if (number >= containers) return;
  const warp_container c(batch, space, number);
  line_space& own = lines[threadIdx.x / 32];
  const container_header header{space.choices[number]};
  std::uint32_t* const to = static_cast<std::uint32_t*>(space.large) + space.begins[number];
  if (lane_number() == 0) to[0] = header.word;
  const std::uint32_t positions = encode_positions(c, header, own, to + 1);
  std::uint32_t* const contents = to + 1 + positions;
  if (is_by_lines(static_cast<format::container_kind>(header.kind()))) {
    encode_contents(
        c, classes, [&](unsigned k) { return leaf_of(own.keys[k]); }, contents);
  } else {
    encode_contents(
        c, classes, [](unsigned k) { return k; }, contents);
  }
}

dim3 blocks_for_containers(std::uint64_t containers) {
  return dim3(static_cast<unsigned>((containers + warps_a_block - 1) / warps_a_block));
}

}  // namespace

container_space::container_space(void* memory, std::uint64_t most) : leaves(most) {
  auto* at = static_cast<unsigned char*>(memory);
  const auto take = [&](std::uint64_t bytes) {
    unsigned char* const part = at;
    at += aligned(bytes);
    return part;
  };
  places = reinterpret_cast<std::uint64_t*>(take(8 * most));
  begins = reinterpret_cast<std::uint64_t*>(take(8 * (most + 1)));
  numbers = reinterpret_cast<std::uint32_t*>(take(4 * most));
  first = reinterpret_cast<std::uint32_t*>(take(4 * (most + 1)));
  choices = reinterpret_cast<std::uint32_t*>(take(4 * most));
  flags = reinterpret_cast<std::uint32_t*>(take(4 * ((most + 31) / 32)));
  large = take(4 * words_a_leaf * most);
}

std::uint64_t cut_squares(const leaf_batch& batch, std::span<const leaf_square> squares,
                          std::span<const std::uint32_t> starts, std::uint32_t most_leaves,
                          const container_space& space, const workspace& work, staging& transfer,
                          cudaStream_t stream) {
  check(cudaMemsetAsync(space.flags, 0, 4 * ((batch.leaves + 31) / 32), stream), "cudaMemsetAsync");
  // Squares that are to be cut have two leaves or more each, so half of the leaves bounds them.
  auto* here = static_cast<leaf_square*>(space.large);
  leaf_square* there = here + space.leaves;
  auto* const count = reinterpret_cast<std::uint32_t*>(work.numbers());
  if (!starts.empty()) {
    auto* const on_device = reinterpret_cast<std::uint32_t*>(there);
    transfer.upload(on_device, starts.data(), starts.size_bytes());
    launch(set_flags, blocks_for_threads(starts.size()), dim3(compaction_threads), 0, stream,
           on_device, starts.size(), space.flags);
  }
  transfer.upload(here, squares.data(), squares.size_bytes());
  for (auto left = static_cast<std::uint32_t>(squares.size()); left != 0;) {
    check(cudaMemsetAsync(count, 0, sizeof *count, stream), "cudaMemsetAsync");
    launch(cut_step, blocks_for_threads(left), dim3(compaction_threads), 0, stream, batch.codes,
           here, left, most_leaves, space.flags, there, count);
    left = read_value(count, stream);
    std::swap(here, there);
  }
  const std::uint64_t containers = compact(begins_container{space.flags}, keep_first{space.first},
                                           batch.leaves, work.compaction(), stream);
  const auto end = static_cast<std::uint32_t>(batch.leaves);
  copy_to_device(space.first + containers, &end, sizeof end, stream);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return containers;
}

std::uint64_t measure_containers(const leaf_batch& batch, std::uint64_t containers,
                                 const leaf_classes& classes, unsigned weight,
                                 const container_space& space, const workspace& work,
                                 cudaStream_t stream) {
  launch(measure<leaf_batch>, blocks_for_containers(containers + 1), dim3(32 * warps_a_block), 0,
         stream, batch, space, containers, classes, weight);
  const compaction_space scan = work.compaction();
  std::size_t bytes = scan.scan_bytes;
  check(cub::DeviceScan::ExclusiveSum(scan.scan, bytes, space.begins, space.begins,
                                      static_cast<std::int64_t>(containers + 1), stream),
        "DeviceScan");
  return read_value(space.begins + containers, stream);
}

void encode_containers(const leaf_batch& batch, std::uint64_t containers, std::uint64_t words,
                       const leaf_classes& classes, const container_space& space,
                       cudaStream_t stream) {
  check(cudaMemsetAsync(space.large, 0, 4 * words, stream), "cudaMemsetAsync");
  launch(encode<leaf_batch>, blocks_for_containers(containers), dim3(32 * warps_a_block), 0, stream,
         batch, space, containers, classes);
}

}  // namespace baltoro::cuda
