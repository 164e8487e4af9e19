// What the leaves of a container hold, decoded by one warp, 32 leaves at a time.
#pragma once

#include <baltoro/adaptive.hpp>

#include <cstdint>

#include "cuda/adaptive/warp.cuh"
#include "format/adaptive/bits.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::cuda {

// A matrix in device memory with what kernels look up often.
struct device_view {
  adaptive_view matrix;
  std::uint32_t first[leaf_classes::count];  // patterns of each class
  std::uint32_t widths = 0;                  // of their ids, a byte a class
  bool escapes;                              // whether class 3 has none

  explicit device_view(const adaptive_view& a) : matrix(a), escapes(a.classes.escapes()) {
    for (unsigned c = 0; c < leaf_classes::count; ++c) {
      first[c] = static_cast<std::uint32_t>(a.classes.first(c));
      widths |= a.classes.bits(c) << (8 * c);
    }
  }
};

class content_reader {
 public:
  // All lanes of a warp begin together.
  __device__ content_reader(const device_view& a, const std::uint32_t* words, unsigned leaves)
      : a_(a), leaves_(leaves) {
    const unsigned lane = warp::lane();
    if (warp::lanes * lane < leaves) {
      low_ = words[2 * lane];
      high_ = words[2 * lane + 1];
    }
    const unsigned own = popcount(low_ & ~high_) | popcount(high_ & ~low_) << 10U |
                         popcount(low_ & high_) << 20U;
    const unsigned sum = warp::inclusive_sum(own);
    before_ = sum - own;
    const unsigned totals = warp::of_last(sum);
    begin1_ = (leaves - of(totals, 1) - of(totals, 2) - of(totals, 3)) * width(0);
    begin2_ = begin1_ + of(totals, 1) * width(1);
    begin3_ = begin2_ + of(totals, 2) * width(2);
    ids_ = words + format::class_words(leaves);
    escapes_ = a.escapes ? of(totals, 3) : 0;
  }

  // Leaves whose patterns are escapes.
  __device__ unsigned escapes() const { return escapes_; }

  // The pattern of leaf 32·chunk + lane of the dictionary; 0 for an escape and beyond the last leaf. All
  // lanes call it together.
  __device__ __forceinline__ std::uint64_t named(unsigned chunk) const {
    const place at = find(chunk);
    if (!at.inside || (a_.escapes && at.of_class == 3)) return 0;
    const unsigned begin = at.of_class == 0   ? 0
                           : at.of_class == 1 ? begin1_
                           : at.of_class == 2 ? begin2_
                                              : begin3_;
    const unsigned first = at.of_class == 0   ? a_.first[0]
                           : at.of_class == 1 ? a_.first[1]
                           : at.of_class == 2 ? a_.first[2]
                                              : a_.first[3];
    const unsigned bits = width(at.of_class);
    const std::uint32_t id = format::read_bits(ids_, begin + at.rank * bits, bits);
    return __ldg(reinterpret_cast<const unsigned long long*>(a_.matrix.dictionary) + first + id);
  }

  // Calls put(leaf, pattern) for the escapes. All lanes call it together.
  template <class Put>
  __device__ void for_each_escape(const Put& put) const {
    const std::uint32_t* const words = ids_ + format::words_for(begin3_);
    // The nibbles of all roots come first, then those of all quarters, then those of all blocks.
    unsigned quarters = 0;
    for (unsigned at = warp::lane(); 8 * at < escapes_; at += warp::lanes) {
      const unsigned rest = escapes_ - 8 * at;
      quarters += popcount(rest >= 8 ? words[at] : words[at] & ((1U << (4 * rest)) - 1));
    }
    unsigned next_quarter = escapes_;
    unsigned next_block = escapes_ + warp::of_last(warp::inclusive_sum(quarters));
    for (unsigned chunk = 0; warp::lanes * chunk < leaves_; ++chunk) {
      const place at = find(chunk);
      const bool active = at.inside && at.of_class == 3;
      if (!__any_sync(warp::all, active)) continue;
      const std::uint32_t root = active ? format::read_nibble(words, at.rank) : 0;
      const unsigned quarter_sum = warp::inclusive_sum(popcount(root));
      unsigned quarter = next_quarter + quarter_sum - popcount(root);
      next_quarter += warp::of_last(quarter_sum);
      std::uint32_t nodes = 0;  // the nibbles of the four quarters, those that are empty 0
      for (unsigned q = 0; q < 4; ++q) {
        if ((root >> q & 1U) != 0) nodes |= format::read_nibble(words, quarter++) << (4 * q);
      }
      const unsigned block_sum = warp::inclusive_sum(popcount(nodes));
      unsigned block = next_block + block_sum - popcount(nodes);
      next_block += warp::of_last(block_sum);
      std::uint64_t pattern = 0;
      for (; nodes != 0; nodes &= nodes - 1) {
        const auto b = static_cast<unsigned>(__ffs(static_cast<int>(nodes))) - 1;
        pattern |= format::block_cells(format::read_nibble(words, block++), b / 4, b % 4);
      }
      if (active) put(warp::lanes * chunk + warp::lane(), pattern);
    }
  }

 private:
  // What a lane knows of leaf 32·chunk + lane.
  struct place {
    unsigned of_class;
    unsigned rank;  // among the leaves of its class
    bool inside;    // there is such a leaf
  };

  // The count of class 1, 2 or 3 in a packed word.
  __device__ static unsigned of(unsigned packed, unsigned c) {
    return (packed >> (10 * (c - 1))) & 1023U;
  }
  __device__ unsigned width(unsigned c) const { return (a_.widths >> (8 * c)) & 0xFFU; }

  __device__ __forceinline__ place find(unsigned chunk) const {
    const unsigned lane = warp::lane();
    const std::uint32_t low = __shfl_sync(warp::all, low_, chunk);
    const std::uint32_t high = __shfl_sync(warp::all, high_, chunk);
    const unsigned before = __shfl_sync(warp::all, before_, chunk);
    const bool is_low = (low >> lane & 1U) != 0;
    const bool is_high = (high >> lane & 1U) != 0;
    const unsigned c = static_cast<unsigned>(is_low) + 2 * static_cast<unsigned>(is_high);
    const std::uint32_t same = (is_low ? low : ~low) & (is_high ? high : ~high);
    const unsigned others = of(before, 1) + of(before, 2) + of(before, 3);
    const unsigned earlier = c == 0 ? warp::lanes * chunk - others : of(before, c);
    return {c, earlier + popcount(same & warp::lanes_below()),
            warp::lanes * chunk + lane < leaves_};
  }

  const device_view& a_;
  unsigned leaves_;
  std::uint32_t low_ = 0;   // of the class planes, this lane's 32 leaves
  std::uint32_t high_ = 0;
  unsigned before_;         // leaves of classes 1 to 3 before those, packed
  unsigned begin1_;         // first bit of the ids of classes 1, 2 and 3
  unsigned begin2_;
  unsigned begin3_;
  unsigned escapes_;
  const std::uint32_t* ids_;
};

}  // namespace baltoro::cuda
