// The leaves of a container read one after the other, each lane of a warp a stretch of them.
//
// For kinds whose leaves are numbered row by row. A lane keeps where it is in every stream of the payload in
// registers; shared memory holds only what stretches begin with, and where escapes are.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>

#include <cstdint>

#include "cuda/adaptive/contents.cuh"
#include "cuda/adaptive/warp.cuh"
#include "format/adaptive/bits.hpp"
#include "format/adaptive/elias_fano.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/runs.hpp"

namespace baltoro::cuda {

// Shared memory of one warp.
struct stream_space {
  union {
    std::uint16_t rows[adaptive_view::max_leaves];  // runs: those that have leaves
    std::uint32_t starts[warp::lanes];              // elias_fano: see there
  };
  std::uint32_t escapes[adaptive_view::max_leaves];  // row << 16 | column
};

// The leaves that a lane reads.
struct stretch {
  unsigned each;   // leaves of a whole stretch
  unsigned begin;  // the first of this lane's
  unsigned count;

  __device__ static stretch of(unsigned leaves) {
    const unsigned each = (leaves + warp::lanes - 1) / warp::lanes;
    const unsigned begin = min(leaves, each * warp::lane());
    return {each, begin, min(each, leaves - begin)};
  }
};

// Where a leaf is in its container, counted in leaves.
struct leaf_place {
  unsigned row;
  unsigned col;
};

class runs_stream {
 public:
  __device__ runs_stream(const std::uint32_t* words, std::uint32_t detail, unsigned leaves,
                         unsigned /*level*/, const stretch& own, stream_space& space) {
    const unsigned lane = warp::lane();
    const format::runs_detail how{detail};
    const std::uint32_t* const flags = words + how.flags_begin();
    const std::uint32_t first = words[0];
    const std::uint32_t with_leaves = lane < how.row_words() ? words[1 + lane] : 0;
    std::uint32_t row_starts = 0;  // of this lane's 32 leaves
    std::uint32_t run_starts = 0;
    if (warp::lanes * lane < leaves) {
      row_starts = flags[2 * lane];
      run_starts = flags[2 * lane + 1];
    }
    unsigned rows = 0;
    for (unsigned word = 0; word < how.row_words(); ++word) {
      const std::uint32_t set = __shfl_sync(warp::all, with_leaves, word);
      if ((set >> lane & 1U) != 0) {
        space.rows[rows + popcount(set & warp::lanes_below())] =
            static_cast<std::uint16_t>((first & 0xFFFFU) + warp::lanes * word + lane);
      }
      rows += popcount(set);
    }
    const unsigned starts = popcount(row_starts) | popcount(run_starts) << 16U;
    const unsigned before = warp::inclusive_sum(starts) - starts;
    const unsigned word = own.begin / warp::lanes;
    const unsigned bit = own.begin % warp::lanes;
    const unsigned base = __shfl_sync(warp::all, before, word);
    const std::uint32_t these_rows = __shfl_sync(warp::all, row_starts, word);
    const std::uint32_t these_runs = __shfl_sync(warp::all, run_starts, word);
    row_starts_ = __funnelshift_r(these_rows, __shfl_sync(warp::all, row_starts, word + 1), bit);
    run_starts_ = __funnelshift_r(these_runs, __shfl_sync(warp::all, run_starts, word + 1), bit);
    const std::uint32_t below = (1U << bit) - 1;
    next_row_ = space.rows + (base & 0xFFFFU) + popcount(these_rows & below);
    const unsigned runs = (base >> 16U) + popcount(these_runs & below);
    places_ = words + how.places_begin(leaves);
    place_bits_ = how.place_bits();
    next_place_ = runs * place_bits_;
    first_col_ = first >> 16U;
    __syncwarp();
    // The row and the run under way where none starts.
    if (own.count != 0 && (row_starts_ & 1U) == 0) row_ = next_row_[-1];
    if (own.count != 0 && (run_starts_ & 1U) == 0) {
      const auto since =
          bit + static_cast<unsigned>(__clz(static_cast<int>(these_runs & below))) - 31;
      col_ = first_col_ + since - 1 +
             format::read_bits(places_, next_place_ - place_bits_, place_bits_);
    }
  }

  __device__ __forceinline__ leaf_place next() {
    if ((row_starts_ & 1U) != 0) row_ = *next_row_++;
    ++col_;
    if ((run_starts_ & 1U) != 0) {
      col_ = first_col_ + format::read_bits(places_, next_place_, place_bits_);
      next_place_ += place_bits_;
    }
    row_starts_ >>= 1U;
    run_starts_ >>= 1U;
    return {row_, col_};
  }

  // Where the payload goes on after the positions.
  __device__ static const std::uint32_t* end(const std::uint32_t* words, std::uint32_t detail,
                                             unsigned leaves) {
    return words + format::runs_detail{detail}.words(leaves);
  }

 private:
  std::uint32_t row_starts_;  // whether the next leaf starts a row, and those after it
  std::uint32_t run_starts_;
  const std::uint16_t* next_row_;
  const std::uint32_t* places_;
  std::uint32_t place_bits_;
  std::uint32_t next_place_;
  std::uint32_t first_col_;
  unsigned row_ = 0;  // of the leaf before
  unsigned col_ = 0;
};

class elias_fano_stream {
 public:
  __device__ elias_fano_stream(const std::uint32_t* words, std::uint32_t detail, unsigned leaves,
                               unsigned level, const stretch& own, stream_space& space)
      : lower_(words), level_(level) {
    const format::elias_fano_detail how{detail};
    const std::uint32_t* const upper = words + how.lower_words(leaves);
    // Of each stretch: the upper word with the bit of its first leaf, and the leaves in words before.
    unsigned total = 0;
    for (unsigned first = 0; first < how.upper_words(); first += warp::lanes) {
      const unsigned at = first + warp::lane();
      const unsigned here = at < how.upper_words() ? popcount(upper[at]) : 0;
      const unsigned sum = warp::inclusive_sum(here);
      const unsigned before = total + sum - here;
      unsigned number = (before + own.each - 1) / own.each;
      for (; number * own.each < before + here; ++number) {
        space.starts[number] = at | before << 16U;
      }
      total += warp::of_last(sum);
    }
    __syncwarp();
    low_bits_ = how.low_bits();
    next_low_ = own.begin * low_bits_;
    if (own.count == 0) return;
    const std::uint32_t start = space.starts[warp::lane()];
    upper_ = upper + (start & 0xFFFFU);
    word_ = *upper_;
    for (unsigned before = start >> 16U; before != own.begin; ++before) word_ &= word_ - 1;
    base_ = warp::lanes * (start & 0xFFFFU) - own.begin;
  }

  __device__ __forceinline__ leaf_place next() {
    while (word_ == 0) {
      word_ = *++upper_;
      base_ += warp::lanes;
    }
    const unsigned high = base_ + static_cast<unsigned>(__ffs(static_cast<int>(word_))) - 1;
    word_ &= word_ - 1;
    --base_;
    const std::uint32_t value = high << low_bits_ | format::read_bits(lower_, next_low_, low_bits_);
    next_low_ += low_bits_;
    return {value >> level_, value & ((1U << level_) - 1)};
  }

  __device__ static const std::uint32_t* end(const std::uint32_t* words, std::uint32_t detail,
                                             unsigned leaves) {
    return words + format::elias_fano_detail{detail}.words(leaves);
  }

 private:
  const std::uint32_t* upper_ = nullptr;  // the word with the next bit, or one before it
  const std::uint32_t* lower_;
  std::uint32_t word_ = 0;  // what is left of it
  unsigned base_ = 0;       // its first bit less the number of the next leaf
  std::uint32_t low_bits_;
  std::uint32_t next_low_;
  unsigned level_;
};

// A leaf of a stretch.
struct stream_leaf {
  leaf_place at;
  std::uint64_t pattern;  // 0 for an escape
};

template <class Positions>
class leaf_stream {
 public:
  __device__ leaf_stream(const Positions& positions, const content_stream& contents,
                         std::uint32_t* escapes)
      : positions_(positions), contents_(contents), escapes_(escapes) {}

  // Writes down where escapes are. \pre fewer leaves than the stretch has were read
  __device__ __forceinline__ stream_leaf next() {
    const leaf_place at = positions_.next();
    const content_stream::content content = contents_.next();
    if (content.escape != content_stream::none) escapes_[content.escape] = at.row << 16U | at.col;
    return {at, content.pattern};
  }

 private:
  Positions positions_;
  content_stream contents_;
  std::uint32_t* escapes_;
};

// Where a container is of a kind that is streamed, calls use(stream, count) with this lane's leaves, then
// put(place, pattern) for leaves that are escapes. All lanes of a warp call it together.
template <class Use, class Put>
__device__ __forceinline__ void with_stream(const device_view& a, std::uint64_t container,
                                            stream_space& space, const Use& use, const Put& put) {
  const std::uint32_t* const words = a.matrix.payload_of(container);
  const container_header header{*words};
  const unsigned leaves = header.leaves();
  const auto kind = static_cast<format::container_kind>(header.kind());
  if (!format::is_streamed(kind)) return;
  const bool runs = kind == format::container_kind::runs;
  const std::uint32_t* const rest =
      runs ? runs_stream::end(words + 1, header.detail(), leaves)
           : elias_fano_stream::end(words + 1, header.detail(), leaves);
  const content_reader contents(a, rest, leaves);
  const stretch own = stretch::of(leaves);
  const auto read = [&]<class Positions>(Positions* /*type*/) {
    const Positions positions(words + 1, header.detail(), leaves, a.matrix.level(container), own,
                              space);
    use(leaf_stream<Positions>(positions, contents.stream(own.begin), space.escapes), own.count);
  };
  if (runs) {
    read(static_cast<runs_stream*>(nullptr));
  } else {
    read(static_cast<elias_fano_stream*>(nullptr));
  }
  if (contents.escapes() == 0) return;
  __syncwarp();
  contents.for_each_escape([&](unsigned escape, std::uint64_t pattern) {
    const std::uint32_t at = space.escapes[escape];
    put(leaf_place{at >> 16U, at & 0xFFFFU}, pattern);
  });
}

}  // namespace baltoro::cuda
