#include "format/adaptive/contents.hpp"

#include <algorithm>
#include <bit>

#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

constexpr unsigned escape_class = 3;

// Where the stream of each class begins, in bits after the class planes; [4] is the end of all.
std::array<std::uint32_t, leaf_classes::count + 1> streams(
    const leaf_classes& classes, const std::array<std::uint32_t, leaf_classes::count>& counts) {
  std::array<std::uint32_t, leaf_classes::count + 1> begin{};
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    begin[c + 1] = begin[c] + counts[c] * classes.bits(c);
  }
  return begin;
}

}  // namespace

std::uint32_t measure_contents(const leaf_classes& classes, std::span<const leaf_name> leaves) {
  const class_bounds bounds(classes);
  std::array<std::uint32_t, leaf_classes::count> counts{};
  std::uint64_t escaped_bits = 0;
  for (const leaf_name& leaf : leaves) {
    ++counts[bounds.class_of(leaf.number)];
    if (leaf.number == leaf_name::escaped) escaped_bits += escape_bits(classes, leaf.pattern);
  }
  return class_words(static_cast<unsigned>(leaves.size())) +
         words_for(streams(classes, counts)[leaf_classes::count]) + words_for(escaped_bits);
}

void encode_contents(const leaf_classes& classes, std::span<const leaf_name> leaves,
                     std::uint32_t* words) {
  constexpr std::size_t capacity = 1024;  // what a header can say
  const class_bounds bounds(classes);
  const auto count = static_cast<unsigned>(leaves.size());
  // The ids of each class, one class after the other; escapes have none.
  std::array<std::array<std::uint32_t, capacity>, leaf_classes::count> ids;
  std::array<std::uint32_t, leaf_classes::count> counts{};
  std::array<std::uint64_t, capacity> escapes;
  std::uint32_t escaped = 0;
  for (unsigned at = 0; at < count; at += 32) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (unsigned i = 0; i < std::min(32U, count - at); ++i) {
      const leaf_name& leaf = leaves[at + i];
      const unsigned c = bounds.class_of(leaf.number);
      low |= (c & 1U) << i;
      high |= (c >> 1U) << i;
      ids[c][counts[c]++] = static_cast<std::uint32_t>(leaf.number - bounds.first[c]);
      escapes[escaped] = leaf.pattern;
      escaped += leaf.number == leaf_name::escaped ? 1 : 0;
    }
    words[at / 16] = low;
    words[at / 16 + 1] = high;
  }
  words += class_words(count);
  bit_writer out(words);
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    if (classes.bits(c) == 0) continue;
    for (std::uint32_t i = 0; i < counts[c]; ++i) out.write(ids[c][i], classes.width[c]);
  }
  encode_escapes(classes, std::span(escapes).first(escaped), words + words_for(out.position()));
}

void decode_contents(const adaptive_view& a, const std::uint32_t* words,
                     std::span<std::uint64_t> patterns) {
  const auto leaves = static_cast<unsigned>(patterns.size());
  const std::uint32_t* const planes = words;
  const auto counts = count_classes(planes, leaves);
  auto at = streams(a.classes, counts);
  const std::uint32_t* const ids = planes + class_words(leaves);
  for (unsigned i = 0; i < leaves; ++i) {
    const unsigned c =
        ((planes[i / 32 * 2] >> (i % 32)) & 1U) | ((planes[i / 32 * 2 + 1] >> (i % 32)) & 1U) << 1U;
    if (c == escape_class && a.classes.escapes()) continue;
    patterns[i] = a.dictionary[a.classes.first(c) + read_bits(ids, at[c], a.classes.width[c])];
    at[c] += a.classes.width[c];
  }
  if (!a.classes.escapes() || counts[escape_class] == 0) return;
  escape_reader escapes(a.classes, ids + words_for(streams(a.classes, counts)[leaf_classes::count]),
                        counts[escape_class]);
  for (unsigned at_word = 0; at_word < (leaves + 31) / 32; ++at_word) {
    for (std::uint32_t left = planes[2 * at_word] & planes[2 * at_word + 1]; left != 0;
         left &= left - 1) {
      patterns[32 * at_word + static_cast<unsigned>(std::countr_zero(left))] = escapes.next();
    }
  }
}

contents_reader::contents_reader(const adaptive_view& a, const std::uint32_t* words,
                                 unsigned leaves)
    : a_(a), planes_(words), ids_(words + class_words(leaves)) {
  counts_ = count_classes(words, leaves);
  begin_ = streams(a.classes, counts_);
}

std::uint64_t contents_reader::pattern(unsigned leaf) {
  const auto of_class = [this](unsigned word, unsigned c) {
    const std::uint32_t low = planes_[2 * word];
    const std::uint32_t high = planes_[2 * word + 1];
    return ((c & 1U) != 0 ? low : ~low) & ((c & 2U) != 0 ? high : ~high);
  };
  const unsigned word = leaf / 32;
  const unsigned c = ((planes_[2 * word] >> (leaf % 32)) & 1U) |
                     ((planes_[2 * word + 1] >> (leaf % 32)) & 1U) << 1U;
  auto rank =
      static_cast<std::uint32_t>(std::popcount(of_class(word, c) & ((1U << (leaf % 32)) - 1)));
  for (unsigned w = 0; w < word; ++w) {
    rank += static_cast<std::uint32_t>(std::popcount(of_class(w, c)));
  }
  if (c == escape_class && a_.classes.escapes()) {
    if (!escapes_)
      escapes_.emplace(a_.classes, ids_ + words_for(begin_[leaf_classes::count]), counts_[c]);
    return escapes_->at(rank);
  }
  const std::uint32_t width = a_.classes.width[c];
  return a_.dictionary[a_.classes.first(c) + read_bits(ids_, begin_[c] + rank * width, width)];
}

std::uint32_t check_contents(const adaptive_view& a, const std::uint32_t* from, std::uint64_t words,
                             unsigned leaves) {
  const std::uint32_t planes = class_words(leaves);
  if (planes > words) return 0;
  if ((leaves % 32) != 0 && ((from[planes - 2] | from[planes - 1]) >> (leaves % 32)) != 0) return 0;
  const auto counts = count_classes(from, leaves);
  const auto begin = streams(a.classes, counts);
  const std::uint32_t id_words = words_for(begin[leaf_classes::count]);
  if (planes + id_words > words) return 0;
  const std::uint32_t* const ids = from + planes;
  if (!ends_at(ids, begin[leaf_classes::count])) return 0;
  for (unsigned c = 0; c < leaf_classes::count; ++c) {
    if (c == escape_class && a.classes.escapes()) continue;
    const std::uint32_t width = a.classes.width[c];
    for (std::uint32_t k = 0; k < counts[c]; ++k) {
      if (a.classes.first(c) + read_bits(ids, begin[c] + k * width, width) >= a.patterns) return 0;
    }
  }
  std::uint32_t used = planes + id_words;
  if (a.classes.escapes() && counts[escape_class] != 0) {
    const std::uint64_t bits =
        check_escapes(a.classes, from + used, words - used, counts[escape_class]);
    if (bits == 0 || !ends_at(from + used, bits)) return 0;
    used += words_for(bits);
  }
  return used;
}

}  // namespace baltoro::format
