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
  // Of each class: its first pattern, and below that its width in 8 bits, which for escapes is 1: they are counted.
  std::uint32_t of_class[leaf_classes::count];
  bool escapes;  // whether class 3 has no ids

  explicit device_view(const adaptive_view& a) : matrix(a), escapes(a.classes.escapes()) {
    static_assert(leaf_classes::max_patterns <= 1U << 24U);
    for (unsigned c = 0; c < leaf_classes::count; ++c) {
      const std::uint32_t width = c == 3 && escapes ? 1 : a.classes.bits(c);
      of_class[c] = static_cast<std::uint32_t>(a.classes.first(c)) << 8U | width;
    }
  }
  __device__ unsigned width(unsigned c) const { return of_class[c] & 0xFFU; }
};

class content_stream;

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
    const unsigned ones = popcount(low_ & ~high_);
    const unsigned twos = popcount(high_ & ~low_);
    const unsigned threes = popcount(low_ & high_);
    const unsigned sum = warp::inclusive_sum(ones | twos << 10U | threes << 20U);
    const unsigned totals = warp::of_last(sum);
    const unsigned all_ones = totals & 1023U;
    const unsigned all_twos = totals >> 10U & 1023U;
    const unsigned all_threes = totals >> 20U;
    const unsigned begin1 = (leaves - all_ones - all_twos - all_threes) * a.width(0);
    const unsigned begin2 = begin1 + all_ones * a.width(1);
    const unsigned begin3 = begin2 + all_twos * a.width(2);
    const unsigned ones_before = (sum & 1023U) - ones;
    const unsigned twos_before = (sum >> 10U & 1023U) - twos;
    const unsigned threes_before = (sum >> 20U) - threes;
    const unsigned zeros_before = warp::lanes * lane - ones_before - twos_before - threes_before;
    begin01_ = zeros_before * a.width(0) | (begin1 + ones_before * a.width(1)) << 16U;
    begin23_ = (begin2 + twos_before * a.width(2)) |
               (a.escapes ? threes_before : begin3 + threes_before * a.width(3)) << 16U;
    ids_ = words + format::class_words(leaves);
    escape_words_ = ids_ + format::words_for(begin3);
    escapes_ = a.escapes ? all_threes : 0;
  }

  // Leaves whose patterns are escapes.
  __device__ unsigned escapes() const { return escapes_; }

  // The pattern of leaf 32·chunk + lane of the dictionary; 0 for an escape and beyond the last leaf. All
  // lanes call it together.
  __device__ __forceinline__ std::uint64_t named(unsigned chunk) const {
    const place at = find(chunk);
    const std::uint32_t one = at.is_low ? a_.of_class[1] : a_.of_class[0];
    const std::uint32_t two = at.is_low ? a_.of_class[3] : a_.of_class[2];
    const std::uint32_t of_class = at.is_high ? two : one;
    const unsigned width = of_class & 0xFFU;
    const unsigned bit = at.begin + at.rank * width;
    const bool escaped = a_.escapes && at.is_low && at.is_high;
    std::uint64_t pattern = 0;
    if (at.inside && !escaped) {
      const std::uint32_t id = (of_class >> 8U) + format::read_bits(ids_, bit, width);
      pattern = __ldg(reinterpret_cast<const unsigned long long*>(a_.matrix.dictionary) + id);
    }
    return pattern;
  }

  // Reads from leaf `begin` on. All lanes call it together, each with a `begin`.
  __device__ content_stream stream(unsigned begin) const;

  // Writes the number of leaf 32·chunk + lane where it is the next escape: list[e] becomes the leaf of escape
  // e. All lanes call it together.
  __device__ __forceinline__ void list_escape(unsigned chunk, std::uint16_t* list) const {
    const place at = find(chunk);
    if (at.is_low && at.is_high) {
      list[at.begin + at.rank] = static_cast<std::uint16_t>(warp::lanes * chunk + warp::lane());
    }
  }

  // Calls put(e, pattern) for escape e, 32 of them at a time. All lanes call it together.
  template <class Put>
  __device__ __forceinline__ void for_each_escape(const Put& put) const {
    const bool by_rows = a_.matrix.classes.escapes_by_rows();
    unsigned next = escapes_;  // byte of a difference, or nibble of a quarter
    unsigned next_block = by_rows ? 0 : escapes_ + count_quarters();
    for (unsigned first = 0; first < escapes_; first += warp::lanes) {
      const unsigned escape = first + warp::lane();
      const std::uint64_t pattern =
          by_rows ? escape_by_rows(escape, next) : escape_tree(escape, next, next_block);
      if (escape < escapes_) put(escape, pattern);
    }
  }

 private:
  // The nibbles of all roots come first, then those of all quarters, then those of all blocks.
  __device__ unsigned count_quarters() const {
    unsigned quarters = 0;
    for (unsigned at = warp::lane(); 8 * at < escapes_; at += warp::lanes) {
      const unsigned rest = escapes_ - 8 * at;
      const std::uint32_t word = escape_words_[at];
      quarters += popcount(rest >= 8 ? word : word & ((1U << (4 * rest)) - 1));
    }
    return warp::of_last(warp::inclusive_sum(quarters));
  }

  __device__ std::uint64_t escape_tree(unsigned escape, unsigned& next_quarter,
                                       unsigned& next_block) const {
    const std::uint32_t* const words = escape_words_;
    const std::uint32_t root = escape < escapes_ ? format::read_nibble(words, escape) : 0;
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
    return pattern;
  }

  __device__ std::uint64_t escape_by_rows(unsigned escape, unsigned& next) const {
    const std::uint32_t rows = escape < escapes_ ? format::read_byte(escape_words_, escape) : 0;
    const unsigned sum = warp::inclusive_sum(popcount(rows));
    unsigned byte = next + sum - popcount(rows);
    next += warp::of_last(sum);
    std::uint64_t differences = 0;
    for (std::uint32_t left = rows; left != 0; left &= left - 1) {
      const auto row = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
      differences |= std::uint64_t{format::read_byte(escape_words_, byte++)} << (8 * row);
    }
    return format::from_row_differences(differences);
  }

  // What a lane knows of leaf 32·chunk + lane.
  struct place {
    bool is_low;  // its class, in two bits
    bool is_high;
    unsigned begin;  // the chunk's first bit in the stream of that class; of escapes, the first one
    unsigned rank;   // among the leaves of the chunk and the class
    bool inside;     // whether there is such a leaf
  };

  __device__ __forceinline__ place find(unsigned chunk) const {
    const unsigned lane = warp::lane();
    const std::uint32_t low = __shfl_sync(warp::all, low_, chunk);
    const std::uint32_t high = __shfl_sync(warp::all, high_, chunk);
    const std::uint32_t begin01 = __shfl_sync(warp::all, begin01_, chunk);
    const std::uint32_t begin23 = __shfl_sync(warp::all, begin23_, chunk);
    const bool is_low = (low >> lane & 1U) != 0;
    const bool is_high = (high >> lane & 1U) != 0;
    const std::uint32_t same = (is_low ? low : ~low) & (is_high ? high : ~high);
    const std::uint32_t begins = is_high ? begin23 : begin01;
    return {is_low, is_high, is_low ? begins >> 16U : begins & 0xFFFFU,
            popcount(same & warp::lanes_below()), warp::lanes * chunk + lane < leaves_};
  }

  const device_view& a_;
  unsigned leaves_;
  std::uint32_t low_ = 0;  // of the class planes, this lane's 32 leaves
  std::uint32_t high_ = 0;
  std::uint32_t begin01_;  // where the ids of these leaves begin, 16 bits a class
  std::uint32_t begin23_;
  unsigned escapes_;
  const std::uint32_t* ids_;
  const std::uint32_t* escape_words_;
};

// What at most 32 leaves in a row hold, one after the other.
class content_stream {
 public:
  static constexpr unsigned none = ~0U;
  struct content {
    std::uint64_t pattern;  // 0 for an escape
    unsigned escape;        // its number among the escapes of the container, or none
  };

  __device__ __forceinline__ content next() {
    const bool is_low = (low_ & 1U) != 0;
    const bool is_high = (high_ & 1U) != 0;
    low_ >>= 1U;
    high_ >>= 1U;
    const std::uint32_t one = is_low ? a_.of_class[1] : a_.of_class[0];
    const std::uint32_t two = is_low ? a_.of_class[3] : a_.of_class[2];
    const std::uint32_t of_class = is_high ? two : one;
    const unsigned width = of_class & 0xFFU;
    const std::uint32_t both = is_high ? at23_ : at01_;
    const unsigned bit = is_low ? both >> 16U : both & 0xFFFFU;
    const unsigned step = is_low ? width << 16U : width;
    if (is_high) {
      at23_ += step;
    } else {
      at01_ += step;
    }
    if (a_.escapes && is_low && is_high) return {0, bit};
    const std::uint32_t id = (of_class >> 8U) + format::read_bits(ids_, bit, width);
    return {__ldg(reinterpret_cast<const unsigned long long*>(a_.matrix.dictionary) + id), none};
  }

 private:
  friend class content_reader;

  __device__ content_stream(const device_view& a, const std::uint32_t* ids) : a_(a), ids_(ids) {}

  const device_view& a_;
  const std::uint32_t* ids_;
  std::uint32_t low_;  // of the class planes, from the next leaf on
  std::uint32_t high_;
  std::uint32_t at01_;  // the next bit in the stream of each class, or escape, 16 bits a class
  std::uint32_t at23_;
};

__device__ inline content_stream content_reader::stream(unsigned begin) const {
  const unsigned word = begin / warp::lanes;
  const unsigned bit = begin % warp::lanes;
  const std::uint32_t low = __shfl_sync(warp::all, low_, word);
  const std::uint32_t high = __shfl_sync(warp::all, high_, word);
  const std::uint32_t next_low = __shfl_sync(warp::all, low_, word + 1);
  const std::uint32_t next_high = __shfl_sync(warp::all, high_, word + 1);
  const std::uint32_t before = (1U << bit) - 1;
  content_stream result(a_, ids_);
  result.low_ = __funnelshift_r(low, next_low, bit);
  result.high_ = __funnelshift_r(high, next_high, bit);
  result.at01_ = __shfl_sync(warp::all, begin01_, word) +
                 popcount(~low & ~high & before) * a_.width(0) +
                 (popcount(low & ~high & before) * a_.width(1) << 16U);
  result.at23_ = __shfl_sync(warp::all, begin23_, word) +
                 popcount(~low & high & before) * a_.width(2) +
                 (popcount(low & high & before) * a_.width(3) << 16U);
  return result;
}

}  // namespace baltoro::cuda
