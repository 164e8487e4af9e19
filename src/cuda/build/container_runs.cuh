// The kind `runs` for the warp that encodes a container, whose leaves are sorted by rows.
#pragma once

#include <cstdint>

#include "cuda/build/container_lines.cuh"
#include "cuda/build/warp.cuh"
#include "format/adaptive/runs.hpp"

namespace baltoro::cuda {

struct run_facts {
  std::uint32_t first_row;
  std::uint32_t rows;       // from the first to the last one
  std::uint32_t first_col;  // the smallest in which a run starts
  std::uint32_t range;      // from there to the greatest
  std::uint32_t runs;
};

// After sort_by_line() by rows.
__device__ inline run_facts find_runs(const line_space& space, unsigned leaves) {
  constexpr std::uint32_t far = 0xFFFF;
  std::uint32_t runs = 0;
  std::uint32_t least = far;
  std::uint32_t most = 0;
  for (unsigned i = lane_number(); i < leaves; i += 32) {
    const std::uint32_t before = i == 0 ? 0 : line_key_of(space.keys[i - 1]);
    if (!format::starts_run(i, line_key_of(space.keys[i]), before)) continue;
    const std::uint32_t col = place_of(space.keys[i]);
    ++runs;
    least = col < least ? col : least;
    most = col > most ? col : most;
  }
  least = least_of_warp(least);
  most = far - least_of_warp(far - most);
  const std::uint32_t first_row = line_of(space.keys[0]);
  return {first_row, line_of(space.keys[leaves - 1]) - first_row + 1, least, most - least,
          sum_of_warp(runs)};
}

// Writes them into words that are zero.
__device__ inline void encode_runs(const line_space& space, unsigned leaves,
                                   format::runs_detail how, std::uint32_t* to) {
  const run_facts facts = find_runs(space, leaves);
  if (lane_number() == 0) to[0] = facts.first_row | facts.first_col << 16U;
  std::uint32_t* const flags = to + how.flags_begin();
  std::uint32_t* const places = to + how.places_begin(leaves);
  unsigned runs = 0;
  for_each_of_warp(leaves, [&](unsigned i, bool valid) {
    const std::uint32_t key = valid ? line_key_of(space.keys[i]) : 0;
    const std::uint32_t before = valid && i != 0 ? line_key_of(space.keys[i - 1]) : 0;
    const bool new_row = valid && format::starts_row(i, key, before);
    const bool new_run = valid && format::starts_run(i, key, before);
    const unsigned row_starts = __ballot_sync(~0U, new_row);
    const unsigned run_starts = __ballot_sync(~0U, new_run);
    if (lane_number() == 0) {
      flags[i / 32 * 2] = row_starts;
      flags[i / 32 * 2 + 1] = run_starts;
    }
    if (new_row) put_bits(to + 1, (key >> 16U) - facts.first_row, 1);
    if (new_run) {
      put_bits(places, (runs + count_bits(run_starts & lanes_before())) * how.place_bits(),
               (key & 0xFFFFU) - facts.first_col);
    }
    runs += count_bits(run_starts);
  });
}

}  // namespace baltoro::cuda
