// Patterns of leaves: the distinct ones, and their numbers in a dictionary.
#include <algorithm>
#include <bit>

#include "cuda/build/compaction.cuh"
#include "cuda/build/containers.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::cuda {
namespace {

struct keep_pattern {
  const std::uint64_t* sorted;
  std::uint64_t* patterns;
  std::uint64_t* firsts;
  __device__ void operator()(std::uint64_t number, std::uint64_t place) const {
    patterns[number] = sorted[place];
    firsts[number] = place;
  }
};

// Open addressing, as on the CPU; 0 is a free place, for no leaf is empty.
struct pattern_table {
  std::uint64_t* patterns;
  std::uint32_t* numbers;
  std::uint64_t mask;
  unsigned shift;
  __device__ std::uint64_t place_of(std::uint64_t pattern) const {
    return shift == 64 ? 0 : format::hash_of_pattern(pattern) >> shift;
  }
};

__global__ void fill_table(pattern_table table, const std::uint64_t* entries, std::uint64_t count,
                           std::uint32_t first_number) {
  const std::uint64_t i = thread_number();
  if (i >= count) return;
  std::uint64_t at = table.place_of(entries[i]);
  while (atomicCAS(reinterpret_cast<unsigned long long*>(table.patterns + at), 0ULL,
                   static_cast<unsigned long long>(entries[i])) != 0) {
    at = (at + 1) & table.mask;
  }
  table.numbers[at] = first_number + static_cast<std::uint32_t>(i);
}

__global__ void look_up(pattern_table table, const std::uint64_t* patterns, std::uint64_t count,
                        std::uint32_t* numbers) {
  const std::uint64_t i = thread_number();
  if (i >= count) return;
  const std::uint64_t pattern = patterns[i];
  for (std::uint64_t at = table.place_of(pattern); table.patterns[at] != 0;
       at = (at + 1) & table.mask) {
    if (table.patterns[at] != pattern) continue;
    numbers[i] = table.numbers[at];
    return;
  }
}

}  // namespace

distinct_patterns count_distinct(std::uint64_t* patterns, std::uint64_t* other,
                                 std::uint64_t* third, std::uint64_t leaves, const workspace& work,
                                 cudaStream_t stream) {
  const std::uint64_t* const sorted = work.sort(patterns, other, leaves, 64, stream);
  std::uint64_t* const distinct = sorted == patterns ? other : patterns;
  const std::uint64_t count =
      compact(first_of_equal{sorted, 0}, keep_pattern{sorted, distinct, third}, leaves,
              work.compaction(), stream);
  return {count, distinct, third};
}

void find_numbers(const leaf_batch& batch, std::span<const std::uint64_t> dictionary,
                  const container_space& space, staging& transfer, cudaStream_t stream) {
  static_assert(format::leaf_name::escaped == ~std::uint32_t{0});
  check(cudaMemsetAsync(space.numbers, 0xFF, 4 * batch.leaves, stream), "cudaMemsetAsync");
  // Places take 12 bytes, and half as many entries 8 each.
  constexpr std::uint64_t bytes_a_place = 16;
  const std::uint64_t places =
      std::min(std::bit_ceil(2 * dictionary.size() + 2),
               std::bit_floor(4 * container_space::words_a_leaf * space.leaves / bytes_a_place));
  const std::uint64_t entries_at_once = places / 2;
  auto* const entries = static_cast<std::uint64_t*>(space.large);
  pattern_table table{};
  table.patterns = entries + entries_at_once;
  table.numbers = reinterpret_cast<std::uint32_t*>(table.patterns + places);
  table.mask = places - 1;
  table.shift = static_cast<unsigned>(64 - std::countr_zero(places));
  for (std::uint64_t first = 0; first < dictionary.size(); first += entries_at_once) {
    const std::uint64_t count = std::min(entries_at_once, dictionary.size() - first);
    check(cudaMemsetAsync(table.patterns, 0, 8 * places, stream), "cudaMemsetAsync");
    transfer.upload(entries, dictionary.data() + first, 8 * count);
    launch(fill_table, blocks_for_threads(count), dim3(compaction_threads), 0, stream, table,
           entries, count, static_cast<std::uint32_t>(first));
    launch(look_up, blocks_for_threads(batch.leaves), dim3(compaction_threads), 0, stream, table,
           batch.patterns, batch.leaves, space.numbers);
  }
}

}  // namespace baltoro::cuda
