#include "format/nibble_sequence.hpp"

#include <cstring>
#include <utility>

namespace baltoro::format {
namespace {

// The low nibbles of eight bytes, packed into 32 bits.
std::uint64_t pack_eight(std::uint64_t bytes) {
  bytes = (bytes | (bytes >> 4U)) & 0x00FF'00FF'00FF'00FFULL;
  bytes = (bytes | (bytes >> 8U)) & 0x0000'FFFF'0000'FFFFULL;
  return (bytes | (bytes >> 16U)) & 0xFFFF'FFFFULL;
}

std::uint64_t little_endian_eight(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i) word |= std::uint64_t{bytes[i]} << (8U * i);
  return word;
}

constexpr std::uint64_t low_nibbles(std::uint64_t count) {
  return count >= 16 ? ~0ULL : (1ULL << (4U * count)) - 1;
}

// The 16 nibbles of `words` from nibble `at` on, of which `count` are wanted; no word beyond those
// that hold them is touched.
std::uint64_t load_nibbles(const std::uint64_t* words, std::uint64_t at, std::uint64_t count) {
  const auto shift = static_cast<unsigned>(4U * (at & 15U));
  std::uint64_t value = words[at >> 4U] >> shift;
  if (shift != 0 && (at & 15U) + count > 16) value |= words[(at >> 4U) + 1] << (64U - shift);
  return value & low_nibbles(count);
}

}  // namespace

void copy_nibbles(std::uint64_t* into, std::uint64_t used, const std::uint64_t* from,
                  std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  if ((used & 15U) != 0) {
    const std::uint64_t head = std::min<std::uint64_t>(count, 16 - (used & 15U));
    into[used >> 4U] |= load_nibbles(from, first, head) << (4U * (used & 15U));
    used += head;
    first += head;
    count -= head;
  }
  std::uint64_t* word = into + (used >> 4U);
  if ((first & 15U) == 0) {
    std::memcpy(word, from + (first >> 4U), 8 * (count / 16));
    word += count / 16;
    first += count & ~15ULL;
    count &= 15U;
  } else {
    for (; count >= 16; count -= 16, first += 16) *word++ = load_nibbles(from, first, 16);
  }
  if (count > 0) *word = load_nibbles(from, first, count);
}

void nibble_sequence::spill_beyond(std::size_t buffer_words, std::filesystem::path directory) {
  buffer_words_ = buffer_words;
  directory_ = std::move(directory);
}

void nibble_sequence::spill_full_words() {
  const std::size_t full = words_.size() - ((size_ & 15U) != 0 ? 1 : 0);
  if (!file_) file_.emplace(directory_);
  file_->append(words_.data(), 8 * full);
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(full));
}

void nibble_sequence::append(std::span<const std::uint8_t> nibbles) {
  if (nibbles.empty()) return;
  if (size_ == 0) front_ = nibbles[0];
  std::size_t i = 0;
  while ((size_ & 15U) != 0 && i < nibbles.size()) {
    words_.back() |= std::uint64_t{nibbles[i++]} << (4U * (size_++ & 15U));
  }
  for (; i + 16 <= nibbles.size(); i += 16, size_ += 16) {
    words_.push_back(pack_eight(little_endian_eight(&nibbles[i])) |
                     (pack_eight(little_endian_eight(&nibbles[i + 8])) << 32U));
  }
  for (; i < nibbles.size(); ++i, ++size_) {
    if ((size_ & 15U) == 0) words_.push_back(0);
    words_.back() |= std::uint64_t{nibbles[i]} << (4U * (size_ & 15U));
  }
  if (buffer_words_ != 0 && words_.size() > buffer_words_) spill_full_words();
}

void nibble_sequence::append_packed(std::span<const std::uint64_t> words, std::uint64_t first,
                                    std::uint64_t count) {
  if (count == 0) return;
  if (size_ == 0) front_ = static_cast<unsigned>(load_nibbles(words.data(), first, 1));
  const std::uint64_t in_memory = size_ - (file_ ? 2 * file_->size() : 0);
  words_.resize((in_memory + count + 15) / 16);
  copy_nibbles(words_.data(), in_memory, words.data(), first, count);
  size_ += count;
  if (buffer_words_ != 0 && words_.size() > buffer_words_) spill_full_words();
}

void nibble_sequence::append(const nibble_sequence& other, std::uint64_t first) {
  std::uint64_t left = other.size();
  other.for_each_piece([&](std::span<const std::uint64_t> piece) {
    const std::uint64_t here = std::min<std::uint64_t>(left, 16 * piece.size());
    if (here > first) append_packed(piece, first, here - first);
    first -= std::min(first, here);
    left -= here;
  });
}

void nibble_sequence::or_last(unsigned bits) {
  if (size_ == 1) front_ |= bits;
  if (words_.empty()) {
    // The last nibble went to the file with its full word: take that word back.
    std::uint64_t word = 0;
    file_->read(file_->size() - 8, &word, 8);
    file_->truncate(file_->size() - 8);
    words_.push_back(word);
  }
  words_.back() |= std::uint64_t{bits} << (4U * ((size_ - 1) & 15U));
}

unsigned nibble_sequence::front() const { return front_; }

}  // namespace baltoro::format
