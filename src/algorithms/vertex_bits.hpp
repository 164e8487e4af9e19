// A set of vertices as bits, with one more bit for every word that is not 0, so that large squares can be
// passed over at the price of a few words.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace baltoro::algorithms {

class vertex_bits {
 public:
  explicit vertex_bits(std::uint64_t size)
      : size_(size), words_((size + 63) / 64), summary_((words_.size() + 63) / 64) {}

  // Bytes that a set of so many vertices takes.
  static constexpr std::uint64_t bytes(std::uint64_t size) {
    const std::uint64_t words = (size + 63) / 64;
    return 8 * (words + (words + 63) / 64);
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t words() const { return words_.size(); }
  std::uint64_t word(std::uint64_t w) const { return words_[w]; }
  bool test(std::uint64_t v) const { return ((words_[v / 64] >> (v % 64)) & 1U) != 0; }
  // Members among vertices 8·strip to 8·strip + 7.
  unsigned byte(std::uint64_t strip) const {
    return static_cast<unsigned>(words_[strip / 8] >> (strip % 8 * 8)) & 0xFFU;
  }

  void insert(std::uint64_t v) {
    words_[v / 64] |= 1ULL << (v % 64);
    summary_[v / 4096] |= 1ULL << (v / 64 % 64);
  }
  void erase(std::uint64_t v) { assign_word(v / 64, words_[v / 64] & ~(1ULL << (v % 64))); }
  void assign_word(std::uint64_t w, std::uint64_t value) {
    words_[w] = value;
    const std::uint64_t bit = 1ULL << (w % 64);
    summary_[w / 64] = value != 0 ? summary_[w / 64] | bit : summary_[w / 64] & ~bit;
  }
  void clear() {
    std::fill(words_.begin(), words_.end(), 0);
    std::fill(summary_.begin(), summary_.end(), 0);
  }
  void fill() {
    for (std::uint64_t w = 0; w < words_.size(); ++w) {
      const std::uint64_t rest = size_ - 64 * w;
      assign_word(w, rest >= 64 ? ~0ULL : (1ULL << rest) - 1);
    }
  }

  // For several threads at once, while nobody else reads or writes; summarise() ends it. Words that have
  // the bits already are only read.
  void merge_byte(std::uint64_t strip, unsigned members) {
    merge_word(strip / 8, std::uint64_t{members} << (strip % 8 * 8));
  }
  bool merge_word(std::uint64_t w, std::uint64_t members) {
    std::atomic_ref<std::uint64_t> shared(words_[w]);
    if ((members & ~shared.load(std::memory_order_relaxed)) == 0) return false;
    return (members & ~shared.fetch_or(members, std::memory_order_relaxed)) != 0;
  }
  // Whether the vertex is new.
  bool merge(std::uint64_t v) { return merge_word(v / 64, 1ULL << (v % 64)); }
  unsigned merged_byte(std::uint64_t strip) {
    const std::atomic_ref<std::uint64_t> shared(words_[strip / 8]);
    return static_cast<unsigned>(shared.load(std::memory_order_relaxed) >> (strip % 8 * 8)) & 0xFFU;
  }
  void summarise() {
    for (std::uint64_t w = 0; w < words_.size(); ++w) assign_word(w, words_[w]);
  }

  // Whether there is a member among the 2^side_log2 vertices from `first` on, a multiple of that number.
  bool any(std::uint64_t first, unsigned side_log2) const {
    if (first >= size_) return false;
    const std::uint64_t w = first / 64;
    if (side_log2 < 6) {
      return ((words_[w] >> (first % 64)) & ((1ULL << (1U << side_log2)) - 1)) != 0;
    }
    if (side_log2 < 12) {
      return ((summary_[w / 64] >> (w % 64)) & ((1ULL << (1U << (side_log2 - 6))) - 1)) != 0;
    }
    const std::uint64_t count = 1ULL << (side_log2 - 12);
    const auto begin = summary_.begin() + static_cast<std::ptrdiff_t>(w / 64);
    const std::uint64_t rest = summary_.size() - w / 64;
    return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, rest)),
                       [](std::uint64_t s) { return s != 0; });
  }

  // Calls visit(v) for all members, ascending.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint64_t s = 0; s < summary_.size(); ++s) {
      for (std::uint64_t left = summary_[s]; left != 0; left &= left - 1) {
        const std::uint64_t w = 64 * s + static_cast<unsigned>(std::countr_zero(left));
        for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
          visit(64 * w + static_cast<unsigned>(std::countr_zero(bits)));
        }
      }
    }
  }

 private:
  std::uint64_t size_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
};

}  // namespace baltoro::algorithms
