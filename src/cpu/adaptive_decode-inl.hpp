// Decoding a container for products, once for each instruction set: like format::decoded_container, but
// without branches that depend on the data, and with places in rows and columns. Included by
// adaptive_kernel.cpp and adaptive_leaves.cpp.
#if defined(BALTORO_CPU_ADAPTIVE_DECODE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BALTORO_CPU_ADAPTIVE_DECODE_INL
#undef BALTORO_CPU_ADAPTIVE_DECODE_INL
#else
#define BALTORO_CPU_ADAPTIVE_DECODE_INL
#endif

#include <baltoro/adaptive.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include <hwy/highway.h>

#include "cpu/adaptive_decode_tables.hpp"
#include "format/adaptive/bitmap_tree.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/elias_fano.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/lines.hpp"
#include "format/adaptive/pattern.hpp"
#include "format/adaptive/quadtree.hpp"
#include "format/adaptive/runs.hpp"

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#include <immintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace baltoro::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The 64 bits from word `at` on.
HWY_INLINE std::uint64_t load_words(const std::uint32_t* words, std::uint64_t at) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t both;  // GCC 12 does not join the two loads by itself
    std::memcpy(&both, words + at, sizeof both);
    return both;
  } else {
    return words[at] | std::uint64_t{words[at + 1]} << 32U;
  }
}

// Fills the bits that a mask has set, from the low one up, with those of a value.
HWY_INLINE std::uint64_t deposit(std::uint64_t value, std::uint64_t mask) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
  return _pdep_u64(value, mask);
#else
  std::uint64_t result = 0;
  for (; mask != 0; mask &= mask - 1, value >>= 1U) {
    result |= (mask & (0 - mask)) & (0 - (value & 1U));
  }
  return result;
#endif
}

// Swaps the bits that `from` has set with those `Distance` further up.
template <int Distance, class D, class V = hn::Vec<D>>
HWY_INLINE V swap_bits(D d, V x, hn::TFromD<D> from) {
  const V differ = hn::And(hn::Xor(x, hn::ShiftRight<Distance>(x)), hn::Set(d, from));
  return hn::Xor(x, hn::Xor(differ, hn::ShiftLeft<Distance>(differ)));
}

// Cells in Morton order, as patterns.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V patterns_of_morton(D d, V cells) {
  cells = swap_bits<8>(d, cells, 0x0000'FF00'0000'FF00ULL);
  cells = swap_bits<2>(d, cells, 0x0C0C'0C0C'0C0C'0C0CULL);
  return swap_bits<4>(d, cells, 0x00F0'00F0'00F0'00F0ULL);
}

// format::transpose of each.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V transposed(D d, V patterns) {
  patterns = swap_bits<7>(d, patterns, 0x00AA'00AA'00AA'00AAULL);
  patterns = swap_bits<14>(d, patterns, 0x0000'CCCC'0000'CCCCULL);
  return swap_bits<28>(d, patterns, 0x0000'0000'F0F0'F0F0ULL);
}

// Leaves by their number in the container.
using leaf_numbers = std::span<const std::uint16_t>;

// The leaves of one container, row-major in memory: leaf i is at places()[i], row · 2^16 + column counted
// in leaves from the container's corner, and holds patterns()[i].
class container_leaves {
 public:
  HWY_NOINLINE void load(const adaptive_view& a, std::uint64_t container) {
    const std::uint32_t* words = a.payload_of(container);
    if (container + 1 == a.containers) words = copy_last(a, words);
    const container_header header{*words++};
    const unsigned level = a.level(container);
    const std::uint64_t corner = a.first_leaf(container) >> (2 * level) << (2 * level);
    row_ = morton::row_of(corner);
    col_ = morton::col_of(corner);
    size_ = header.leaves();
    // What is read beyond the last leaf, in whole vectors.
    std::fill_n(patterns_ + size_, 8, 0);
    switch (static_cast<format::container_kind>(header.kind())) {
      case format::container_kind::quadtree:
        codes_[0] = 0;
        words = descend(words, header.detail(), 1);
        break;
      case format::container_kind::elias_fano:
        words = load_elias_fano(words, level, header.detail());
        break;
      case format::container_kind::bitmap_tree:
        words = load_bitmap_tree(words, header.detail());
        break;
      case format::container_kind::lines:
        words = load_lines(words, level, header.detail());
        break;
      case format::container_kind::runs:
        words = load_runs(words, header.detail());
        break;
    }
    load_contents(a, words);
  }

  // Turns all patterns around their diagonals.
  HWY_NOINLINE void transpose() {
    const hn::CappedTag<std::uint64_t, 8> d;
    for (std::size_t i = 0; i < size_; i += hn::Lanes(d)) {
      hn::Store(transposed(d, hn::Load(d, patterns_ + i)), d, patterns_ + i);
    }
  }

  // Turns all patterns around their diagonals, where asked for, and sorts the leaves by the number of
  // their cells.
  template <bool Transpose>
  HWY_NOINLINE void sort_by_cells() {
    const hn::CappedTag<std::uint64_t, 8> d;
    const hn::CappedTag<std::uint16_t, 8> d16;
    const auto one = hn::Set(d, 1);
    std::uint16_t* ends[kinds];
    for (unsigned kind = 0; kind < kinds; ++kind) ends[kind] = sorted_[kind];
    for (std::size_t at = 0; at < size_; at += 8) {
      unsigned single = 0;  // a bit for each of eight patterns
      unsigned few = 0;     // those of one or two cells
      for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
        auto x = hn::Load(d, patterns_ + at + k);
        if constexpr (Transpose) {
          x = transposed(d, x);
          hn::Store(x, d, patterns_ + at + k);
        }
        const auto without_one = hn::And(x, hn::Sub(x, one));
        const auto without_two = hn::And(without_one, hn::Sub(without_one, one));
        single |= mask_bits(d, hn::Eq(without_one, hn::Zero(d))) << k;
        few |= mask_bits(d, hn::Eq(without_two, hn::Zero(d))) << k;
      }
      const unsigned used = size_ - at >= 8 ? 255U : (1U << (size_ - at)) - 1;
      const unsigned of_kind[kinds] = {single & used, few & ~single & used, ~few & used};
      const auto first = hn::Set(d16, static_cast<std::uint16_t>(at));
      for (unsigned kind = 0; kind < kinds; ++kind) {
        const std::uint16_t* const places = decode_tables.places[of_kind[kind]].data();
        for (std::size_t k = 0; k < 8; k += hn::Lanes(d16)) {
          hn::StoreU(hn::Add(first, hn::Load(d16, places + k)), d16, ends[kind] + k);
        }
        ends[kind] += std::popcount(of_kind[kind]);
      }
    }
    for (unsigned kind = 0; kind < kinds; ++kind) {
      counts_[kind] = static_cast<std::size_t>(ends[kind] - sorted_[kind]);
    }
  }

  // After sort_by_cells(): the leaves of one cell, of two, and the others.
  leaf_numbers single() const { return {sorted_[0], counts_[0]}; }
  leaf_numbers pairs() const { return {sorted_[1], counts_[1]}; }
  leaf_numbers others() const { return {sorted_[2], counts_[2]}; }

  std::size_t size() const { return size_; }
  // The row and the column of the corner, in leaves.
  std::uint64_t row() const { return row_; }
  std::uint64_t col() const { return col_; }
  const std::uint32_t* places() const { return places_; }
  const std::uint64_t* patterns() const { return patterns_; }
  // The same, the lowest byte of each first.
  const std::uint8_t* pattern_bytes() const {
    static_assert(std::endian::native == std::endian::little);
    return reinterpret_cast<const std::uint8_t*>(patterns_);
  }

 private:
  static constexpr std::size_t max_leaves = 1024;  // what a header can say
  static constexpr std::size_t max_payload =
      2048;                                   // containers_per_base of them are below 2^16 words
  static constexpr std::size_t padding = 16;  // what is written or read in whole vectors

  static constexpr unsigned kinds = 3;  // of leaves, for sort_by_cells()

  template <class D, class M>
  static HWY_INLINE unsigned mask_bits(D d, M mask) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    (void)d;
    return mask.raw;
#else
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, mask, bits);
    return bits[0];
#endif
  }

  // Words are read up to two beyond a payload's end, but the matrix has one of padding.
  const std::uint32_t* copy_last(const adaptive_view& a, const std::uint32_t* from) {
    const auto count = static_cast<std::size_t>(a.payload + a.payload_words - from);
    std::uint32_t* const end = std::copy_n(from, std::min(count, max_payload), last_);
    std::fill_n(end, padding, 0);
    return last_;
  }

  HWY_NOINLINE const std::uint32_t* load_bitmap_tree(const std::uint32_t* words,
                                                     std::uint32_t nodes) {
    std::uint32_t top = 0;
    for (std::uint64_t left = load_words(words, 0); left != 0; left &= left - 1) {
      const auto square = static_cast<std::uint64_t>(std::countr_zero(left));
      codes_[top++] = morton::row_of(square) << 16U | morton::col_of(square);
    }
    return descend(words + format::bitmap_words, nodes, top);
  }

  // A level's places are made of those of the level above, at first of the `top` ones in codes_: every node
  // appends its children.
  HWY_NOINLINE const std::uint32_t* descend(const std::uint32_t* words, std::uint32_t nodes,
                                            std::uint32_t top) {
    const hn::CappedTag<std::uint32_t, 4> d;
    std::uint32_t* next = codes_ + top;
    std::fill_n(codes_ + nodes + size_, 8, 0);
    const std::uint32_t* node = codes_;
    const std::uint32_t* const end = words + format::words_for(4ULL * nodes);
    // Beyond the last node a word is zero: nodes without children.
    for (; words != end; ++words) {
      std::uint32_t nibbles = *words;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
      // Every node has a child, so that `next` is never nearer afterwards.
      if (next - node >= 4) {
        next = append_children(node, nibbles & 0xFFFFU, next);
        next = append_children(node + 4, nibbles >> 16U, next);
        node += 8;
        continue;
      }
#endif
      for (unsigned k = 0; k < 8; ++k, nibbles >>= 4U) {
        const std::uint32_t nibble = nibbles & 15U;
        const std::uint32_t* const children = decode_tables.children[nibble].data();
        const auto corner = hn::Set(d, *node++ << 1U);
        for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
          hn::StoreU(hn::Add(corner, hn::Load(d, children + at)), d, next + at);
        }
        next += std::popcount(nibble);
      }
    }
    places_ = codes_ + nodes;
    return end;
  }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  // The children of four nodes.
  static HWY_INLINE std::uint32_t* append_children(const std::uint32_t* nodes,
                                                   std::uint32_t nibbles, std::uint32_t* to) {
    const __m512i parents = _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
        _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(nodes))));
    const __m512i children =
        _mm512_add_epi32(_mm512_slli_epi32(parents, 1),
                         _mm512_broadcast_i32x4(_mm_setr_epi32(0, 1, 1 << 16, (1 << 16) + 1)));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(nibbles), children));
    return to + std::popcount(nibbles);
  }
#endif

  // Writes to ones_ where bits are set in the words from `word` on, at least `wanted` of them.
  HWY_INLINE void find_ones(const std::uint32_t* word, const std::uint32_t* end,
                            std::size_t wanted) {
    const hn::CappedTag<std::uint16_t, 8> d;
    std::uint16_t* set = ones_;
    unsigned base = 0;
    for (; word != end && set < ones_ + wanted; ++word) {
      for (unsigned shift = 0; shift < 32; shift += 8, base += 8) {
        const std::uint32_t byte = (*word >> shift) & 255U;
        const std::uint16_t* const places = decode_tables.places[byte].data();
        const auto first = hn::Set(d, static_cast<std::uint16_t>(base));
        for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
          hn::StoreU(hn::Add(first, hn::Load(d, places + k)), d, set + k);
        }
        set += std::popcount(byte);
      }
    }
  }

  HWY_NOINLINE const std::uint32_t* load_lines(const std::uint32_t* words, unsigned level,
                                               std::uint32_t detail) {
    const format::lines_detail how{detail};
    const std::uint32_t* const end = words + how.words();
    const auto leaves = static_cast<std::uint32_t>(size_);
    find_ones(words, end, 2 * leaves);
    const std::uint16_t* const places = ones_ + leaves;
    // Leaves of one line are ones without a zero between. No branch depends on where lines end.
    std::uint32_t lines = 0;
    line_of_[0] = 0;
    for (std::uint32_t i = 1; i < leaves; ++i) {
      lines += ones_[i] - ones_[i - 1] != 1 ? 1 : 0;
      line_of_[i] = static_cast<std::uint16_t>(lines);
    }
    for (std::uint32_t i = leaves; i-- > 0;)
      line_first_[line_of_[i]] = static_cast<std::uint16_t>(i);
    ++lines;
    line_first_[lines] = static_cast<std::uint16_t>(leaves);
    std::uint32_t base = ones_[leaves - 1] + 1U;  // where the line's first distance begins
    for (std::uint32_t k = 0; k < lines; ++k) {
      const std::uint32_t first = line_first_[k];
      const std::uint32_t last = line_first_[k + 1];
      line_low_bits_[k] =
          static_cast<std::uint8_t>(format::line_low_bits(last - first, 1U << level));
      line_base_[k] = static_cast<std::uint16_t>(base - first);
      base = places[last - 1] + 1U;
    }
    const unsigned line_shift = how.by_columns() ? 0 : 16;
    const unsigned place_shift = 16 - line_shift;
    std::uint32_t lower = ones_[2 * leaves - 1] + 1U;  // the bit where the low bits of leaf i are
    for (std::uint32_t i = 0; i < leaves; ++i) {
      const std::uint32_t k = line_of_[i];
      const std::uint32_t low_bits = line_low_bits_[k];
      const std::uint64_t low =
          load_words(words, lower >> 5U) >> (lower & 31U) & ((1ULL << low_bits) - 1);
      const std::uint32_t high = places[i] - i - line_base_[k];
      const std::uint32_t place =
          (high << low_bits | static_cast<std::uint32_t>(low)) + (i - line_first_[k]);
      codes_[i] = (ones_[i] - i) << line_shift | place << place_shift;
      lower += low_bits;
    }
    std::fill_n(codes_ + size_, 16, 0);
    places_ = codes_;
    return end;
  }

  HWY_NOINLINE const std::uint32_t* load_runs(const std::uint32_t* words, std::uint32_t detail) {
    const format::runs_detail how{detail};
    const auto leaves = static_cast<std::uint32_t>(size_);
    const std::uint32_t bits = how.place_bits();
    const std::uint64_t mask = (1ULL << bits) - 1;
    const std::uint32_t* const flags = words + how.flags_begin();
    const std::uint32_t* const places = words + how.places_begin(leaves);
    find_ones(words + 1, words + how.flags_begin(), 32ULL * how.row_words());
    const std::uint32_t corner = words[0] << 16U | words[0] >> 16U;
    const std::uint16_t* row = ones_ - 1;
    std::uint32_t at = 0;  // the bit where the next run's place is
    std::uint32_t place = 0;
    for (std::uint32_t first = 0; first < leaves; first += 32) {
      std::uint32_t in_row = flags[first / 16];
      std::uint32_t in_run = flags[first / 16 + 1];
      const std::uint32_t end = std::min(first + 32, leaves);
      for (std::uint32_t i = first; i < end; ++i, in_row >>= 1U, in_run >>= 1U) {
        row += in_row & 1U;
        const std::uint32_t starts = 0U - (in_run & 1U);
        const auto start =
            static_cast<std::uint32_t>(load_words(places, at >> 5U) >> (at & 31U) & mask);
        place = (start & starts) | ((place + 1) & ~starts);
        at += bits & starts;
        codes_[i] = corner + (std::uint32_t{*row} << 16U) + place;
      }
    }
    std::fill_n(codes_ + size_, 16, 0);
    places_ = codes_;
    return words + how.words(leaves);
  }

  HWY_NOINLINE const std::uint32_t* load_elias_fano(const std::uint32_t* words, unsigned level,
                                                    std::uint32_t detail) {
    const format::elias_fano_detail how{detail};
    const std::uint32_t low_bits = how.low_bits();
    const std::uint64_t low_mask = (1ULL << low_bits) - 1;
    const std::uint32_t* const upper = words + how.lower_words(static_cast<unsigned>(size_));
    const std::uint32_t* const end = upper + how.upper_words();
    find_ones(upper, end, size_);
    std::uint32_t lower = 0;  // the bit where the low bits of leaf i are
    for (std::uint32_t i = 0; i < size_; ++i, lower += low_bits) {
      const std::uint64_t low = load_words(words, lower >> 5U) >> (lower & 31U) & low_mask;
      codes_[i] = (ones_[i] - i) << low_bits | static_cast<std::uint32_t>(low);
    }
    const hn::CappedTag<std::uint32_t, 16> d;
    std::fill_n(codes_ + size_, 16, 0);
    for (std::size_t i = 0; i < size_; i += hn::Lanes(d)) {
      const auto value = hn::Load(d, codes_ + i);
      const auto row = hn::ShiftLeft<16>(hn::ShiftRightSame(value, static_cast<int>(level)));
      hn::Store(hn::Or(row, hn::And(value, hn::Set(d, (1U << level) - 1))), d, codes_ + i);
    }
    places_ = codes_;
    return end;
  }

  HWY_NOINLINE void load_contents(const adaptive_view& a, const std::uint32_t* planes) {
    constexpr unsigned classes = leaf_classes::count;
    // The leaves of each class.
    const hn::CappedTag<std::uint16_t, 8> d;
    std::uint16_t* ends[classes];
    for (unsigned c = 0; c < classes; ++c) ends[c] = members_[c];
    for (std::size_t at = 0; at < size_; at += 32) {
      const std::uint32_t low = planes[at / 16];
      const std::uint32_t high = planes[at / 16 + 1];
      const std::uint32_t used = size_ - at >= 32 ? ~0U : (1U << (size_ - at)) - 1;
      const std::uint32_t of_class[classes] = {~low & ~high & used, low & ~high, ~low & high,
                                               low & high};
      for (unsigned shift = 0; shift < 32; shift += 8) {
        const auto first = hn::Set(d, static_cast<std::uint16_t>(at + shift));
        for (unsigned c = 0; c < classes; ++c) {
          const std::uint32_t byte = (of_class[c] >> shift) & 255U;
          const std::uint16_t* const places = decode_tables.places[byte].data();
          for (std::size_t k = 0; k < 8; k += hn::Lanes(d)) {
            hn::StoreU(hn::Add(first, hn::Load(d, places + k)), d, ends[c] + k);
          }
          ends[c] += std::popcount(byte);
        }
      }
    }
    const std::uint32_t* const ids = planes + format::class_words(static_cast<unsigned>(size_));
    std::uint32_t at = 0;  // bits of the ids that have been read
    std::uint64_t first = 0;
    for (unsigned c = 0; c < classes; ++c) {
      if (c == 3 && a.classes.escapes()) break;
      const std::uint32_t width = a.classes.width[c];
      const std::uint64_t mask = (1ULL << width) - 1;
      const std::uint64_t* const patterns = a.dictionary + first;
      for (const std::uint16_t* leaf = members_[c]; leaf != ends[c]; ++leaf, at += width) {
        patterns_[*leaf] = patterns[(load_words(ids, at >> 5U) >> (at & 31U)) & mask];
      }
      first += 1ULL << width;
    }
    if (a.classes.escapes() && ends[3] != members_[3]) {
      const std::uint32_t* const escapes = ids + format::words_for(at);
      if (a.classes.escapes_by_rows()) {
        load_escapes_by_rows(escapes, ends[3]);
      } else {
        load_escapes(escapes, ends[3]);
      }
    }
  }

  // A byte for each that says which rows differ, then the differences.
  HWY_NOINLINE void load_escapes_by_rows(const std::uint32_t* words, const std::uint16_t* end) {
    constexpr std::uint64_t low_bits = 0x0101'0101'0101'0101ULL;
    std::uint32_t next = static_cast<std::uint32_t>(end - members_[3]);  // byte of a difference
    for (std::uint32_t i = 0; members_[3] + i != end; ++i) {
      const std::uint32_t rows = format::read_byte(words, i);
      const std::uint32_t* const from = words + next / 4;
      const unsigned shift = 8 * (next % 4);
      const std::uint64_t bytes = static_cast<std::uint32_t>(load_words(from, 0) >> shift) |
                                  (load_words(from, 1) >> shift) << 32U;
      const std::uint64_t differences = deposit(bytes, 255 * deposit(rows, low_bits));
      patterns_[members_[3][i]] = format::from_row_differences(differences);
      next += static_cast<std::uint32_t>(std::popcount(rows));
    }
  }

  // Three levels of nibbles: the roots, the quarters, the blocks.
  HWY_NOINLINE void load_escapes(const std::uint32_t* words, const std::uint16_t* end) {
    const auto count = static_cast<std::uint32_t>(end - members_[3]);
    std::uint32_t quarter = count;
    std::uint32_t block = count;
    for (std::uint32_t i = 0; i < count; i += 8) {
      const std::uint32_t used = count - i >= 8 ? ~0U : (1U << (4 * (count - i))) - 1;
      block += static_cast<std::uint32_t>(std::popcount(words[i / 8] & used));
    }
    constexpr std::uint64_t nibbles = 0x1111'1111'1111'1111ULL;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t root = (words[i / 8] >> (4 * (i % 8))) & 15U;
      const std::uint64_t packed = load_words(words, quarter / 8) >> (4 * (quarter % 8));
      const std::uint64_t blocks = deposit(packed, 15 * deposit(root, nibbles));
      quarter += static_cast<std::uint32_t>(std::popcount(root));
      const std::uint32_t* const from = words + block / 8;
      const unsigned shift = 4 * (block % 8);
      const std::uint64_t cells = static_cast<std::uint32_t>(load_words(from, 0) >> shift) |
                                  (load_words(from, 1) >> shift) << 32U;
      escapes_[i] = deposit(cells, 15 * deposit(blocks, nibbles));
      block += static_cast<std::uint32_t>(std::popcount(blocks));
    }
    const hn::CappedTag<std::uint64_t, 8> d;
    std::fill_n(escapes_ + count, 8, 0);
    for (std::uint32_t i = 0; i < count; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
      hn::Store(patterns_of_morton(d, hn::Load(d, escapes_ + i)), d, escapes_ + i);
    }
    for (std::uint32_t i = 0; i < count; ++i) patterns_[members_[3][i]] = escapes_[i];
  }

  std::uint64_t row_ = 0;
  std::uint64_t col_ = 0;
  std::size_t size_ = 0;
  const std::uint32_t* places_ = nullptr;
  // Arrays are not cleared at first: what is read of them was written before.
  HWY_ALIGN std::uint32_t codes_[format::max_quadtree_nodes + max_leaves + 2 * padding];
  HWY_ALIGN std::uint64_t patterns_[max_leaves + padding];
  HWY_ALIGN std::uint64_t escapes_[max_leaves + padding];
  std::size_t counts_[kinds] = {};
  HWY_ALIGN std::uint16_t sorted_[kinds][max_leaves + padding];
  HWY_ALIGN std::uint16_t members_[leaf_classes::count][max_leaves + padding];
  HWY_ALIGN std::uint16_t ones_[2 * max_leaves + 32 + padding];
  // Of a container's lines.
  std::uint16_t line_of_[max_leaves];
  std::uint16_t line_first_[max_leaves + 1];
  std::uint16_t line_base_[max_leaves];
  std::uint8_t line_low_bits_[max_leaves];
  std::uint32_t last_[max_payload + padding];
};

}  // namespace HWY_NAMESPACE
}  // namespace baltoro::cpu
HWY_AFTER_NAMESPACE();

#endif
