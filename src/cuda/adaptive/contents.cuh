// What the leaves of a container hold, decoded by one warp, 32 leaves at a time.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>

#include "cuda/adaptive/warp.cuh"
#include "format/adaptive/bits.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::cuda {

class content_reader {
 public:
  // All lanes of a warp begin together.
  __device__ content_reader(const adaptive_view& a, const std::uint32_t* words, unsigned leaves)
      : a_(a), leaves_(leaves) {
    const unsigned lane = warp::lane();
    const unsigned chunks = (leaves + warp::lanes - 1) / warp::lanes;
    if (lane < chunks) {
      low_ = words[2 * lane];
      high_ = words[2 * lane + 1];
    }
    const unsigned own = popcount(low_ & ~high_) | popcount(high_ & ~low_) << 10U |
                         popcount(low_ & high_) << 20U;
    const unsigned sum = warp::inclusive_sum(own);
    before_ = sum - own;
    const unsigned totals = warp::of_last(sum);
    begin_[0] = 0;
    begin_[1] = (leaves - of(totals, 1) - of(totals, 2) - of(totals, 3)) * a.classes.bits(0);
    begin_[2] = begin_[1] + of(totals, 1) * a.classes.bits(1);
    begin_[3] = begin_[2] + of(totals, 2) * a.classes.bits(2);
    ids_ = words + format::class_words(leaves);
    if (!a.classes.escapes()) return;
    escapes_ = ids_ + format::words_for(begin_[3]);
    escape_count_ = of(totals, 3);
    unsigned quarters = 0;
    for (unsigned at = lane; 8 * at < escape_count_; at += warp::lanes) {
      const unsigned rest = escape_count_ - 8 * at;
      quarters += popcount(rest >= 8 ? escapes_[at] : escapes_[at] & ((1U << (4 * rest)) - 1));
    }
    next_quarter_ = escape_count_;
    next_block_ = escape_count_ + warp::of_last(warp::inclusive_sum(quarters));
  }

  // The pattern of leaf 32·chunk + lane; 0 beyond the last one. All lanes call it together, with
  // chunks 0, 1, 2, … in order.
  __device__ std::uint64_t pattern(unsigned chunk) {
    const unsigned lane = warp::lane();
    const std::uint32_t low = __shfl_sync(warp::all, low_, chunk);
    const std::uint32_t high = __shfl_sync(warp::all, high_, chunk);
    const unsigned before = __shfl_sync(warp::all, before_, chunk);
    const unsigned c = ((low >> lane) & 1U) | ((high >> lane) & 1U) << 1U;
    const std::uint32_t same = ((c & 1U) != 0 ? low : ~low) & ((c & 2U) != 0 ? high : ~high);
    const unsigned earlier =
        c == 0 ? warp::lanes * chunk - of(before, 1) - of(before, 2) - of(before, 3)
               : of(before, c);
    const unsigned rank = earlier + popcount(same & warp::lanes_below());
    const bool inside = warp::lanes * chunk + lane < leaves_;
    const bool escaped = a_.classes.escapes() && c == 3;
    std::uint64_t result = 0;
    if (inside && !escaped) {
      const unsigned begin = c == 0 ? 0 : c == 1 ? begin_[1] : c == 2 ? begin_[2] : begin_[3];
      const std::uint32_t width = a_.classes.width[c];
      const std::uint32_t id = format::read_bits(ids_, begin + rank * width, width);
      result = __ldg(reinterpret_cast<const unsigned long long*>(a_.dictionary) +
                     a_.classes.first(c) + id);
    }
    if (__any_sync(warp::all, escaped && inside)) {
      const std::uint64_t own = escape(escaped && inside, rank);
      if (escaped && inside) result = own;
    }
    return result;
  }

 private:
  // The count of class 1, 2 or 3 in a packed word.
  __device__ static unsigned of(unsigned packed, unsigned c) {
    return (packed >> (10 * (c - 1))) & 1023U;
  }

  // The pattern of escape `rank`, by a descent of its tree of three levels.
  __device__ std::uint64_t escape(bool active, unsigned rank) {
    const std::uint32_t root = active ? format::read_nibble(escapes_, rank) : 0;
    const unsigned quarters = popcount(root);
    const unsigned quarter_sum = warp::inclusive_sum(quarters);
    unsigned quarter = next_quarter_ + quarter_sum - quarters;
    next_quarter_ += warp::of_last(quarter_sum);
    std::uint32_t nodes = 0;  // the nibbles of the four quarters, those that are empty 0
    for (unsigned q = 0; q < 4; ++q) {
      if ((root >> q & 1U) != 0) nodes |= format::read_nibble(escapes_, quarter++) << (4 * q);
    }
    const unsigned blocks = popcount(nodes);
    const unsigned block_sum = warp::inclusive_sum(blocks);
    unsigned block = next_block_ + block_sum - blocks;
    next_block_ += warp::of_last(block_sum);
    std::uint64_t pattern = 0;
    for (; nodes != 0; nodes &= nodes - 1) {
      const auto at = static_cast<unsigned>(__ffs(static_cast<int>(nodes))) - 1;
      pattern |= format::block_cells(format::read_nibble(escapes_, block++), at / 4, at % 4);
    }
    return pattern;
  }

  const adaptive_view& a_;
  unsigned leaves_;
  std::uint32_t low_ = 0;    // of the class planes, this lane's 32 leaves
  std::uint32_t high_ = 0;
  unsigned before_;          // leaves of classes 1 to 3 before those, packed
  unsigned begin_[4];        // first bit of each class's ids
  const std::uint32_t* ids_;
  const std::uint32_t* escapes_ = nullptr;
  unsigned escape_count_ = 0;
  unsigned next_quarter_ = 0;  // nibbles of the escapes that earlier chunks have not used
  unsigned next_block_ = 0;
};

}  // namespace baltoro::cuda
