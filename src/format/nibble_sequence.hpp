// Nibbles that are only ever appended: the signatures of one level while a tree is being built.
//
// Packed 16 to a word, nibble i in bits 4·(i mod 16) of word i / 16. With a spill file, full words
// move to disk once they exceed a buffer, so that a tree larger than memory can be built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/temporary_file.hpp"

namespace baltoro::format {

class nibble_sequence {
 public:
  std::uint64_t size() const { return size_; }

  // From now on keeps at most `buffer_words` words in memory, the rest in a file in `directory`.
  void spill_beyond(std::size_t buffer_words, std::filesystem::path directory);

  // Appends the low nibbles of bytes.
  void append(std::span<const std::uint8_t> nibbles);
  // Appends `count` nibbles packed in words, from nibble `first` on.
  void append_packed(std::span<const std::uint64_t> words, std::uint64_t first,
                     std::uint64_t count);
  // Appends all of `other` from nibble `first` on.
  void append(const nibble_sequence& other, std::uint64_t first);

  // Sets bits of the last nibble.
  void or_last(unsigned bits);
  // The first nibble.
  unsigned front() const;

  // Calls visit(words) over all nibbles in order, a piece at a time; only the last word of the last
  // piece may be partly used.
  template <class Visit>
  void for_each_piece(Visit visit) const {
    if (file_) {
      std::vector<std::uint64_t> buffer(1U << 14U);
      const std::uint64_t words = file_->size() / 8;
      for (std::uint64_t at = 0; at < words; at += buffer.size()) {
        const std::uint64_t count = std::min<std::uint64_t>(buffer.size(), words - at);
        file_->read(8 * at, buffer.data(), 8 * count);
        visit(std::span<const std::uint64_t>(buffer.data(), count));
      }
    }
    visit(std::span<const std::uint64_t>(words_));
  }

 private:
  void spill_full_words();

  std::vector<std::uint64_t> words_;  // those not in the file; the last may be partly used
  std::uint64_t size_ = 0;
  std::size_t buffer_words_ = 0;  // 0: no spilling
  std::filesystem::path directory_;
  std::optional<base::temporary_file> file_;
  unsigned front_ = 0;
};

// Copies `count` nibbles of `from`, starting at nibble `first`, behind the first `used` nibbles of
// `into`, whose nibbles from `used` on are 0 in the word that holds it and arbitrary after it.
void copy_nibbles(std::uint64_t* into, std::uint64_t used, const std::uint64_t* from,
                  std::uint64_t first, std::uint64_t count);

}  // namespace baltoro::format
