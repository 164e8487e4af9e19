#include "io/name_dictionary.hpp"

#include <xxhash.h>

namespace baltoro::io {

name_dictionary::name_dictionary() : table_(std::size_t{1} << table_bits_) {}

std::uint32_t name_dictionary::tag_of(std::string_view name) {
  return static_cast<std::uint32_t>(XXH3_64bits(name.data(), name.size()) >> 32U);
}

void name_dictionary::expect(std::uint32_t tag, unsigned step) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = first_slot(tag);
  if (step == 0) {
    __builtin_prefetch(&table_[at]);
    return;
  }
  while (table_[at].number != nobody && table_[at].tag != tag) at = (at + 1) & mask;
  const index_t number = table_[at].number;
  if (number == nobody) return;
  if (step == 1) {
    __builtin_prefetch(&places_[number]);
  } else {
    __builtin_prefetch(place_of(number));
  }
}

index_t name_dictionary::intern(std::string_view name, std::uint32_t tag) {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = first_slot(tag);
  for (; table_[at].number != nobody; at = (at + 1) & mask) {
    if (table_[at].tag == tag && (*this)[table_[at].number] == name) return table_[at].number;
  }
  const index_t number = append(name);
  table_[at] = {tag, number};
  // A table of 2³² slots, the most that a tag can tell apart, is for 2³² names just full enough.
  if (places_.size() * 4 > table_.size() * 3 && table_bits_ < 32) grow();
  return number;
}

index_t name_dictionary::append(std::string_view name) {
  const auto length = static_cast<std::uint32_t>(name.size());
  const std::size_t needed = sizeof length + name.size();
  if (block_bytes - block_used_ < needed) {
    // Not zeroed: pages of the block that no name has reached are not there yet.
    blocks_.emplace_back(new char[block_bytes]);
    block_used_ = 0;
  }
  char* place = blocks_.back().get() + block_used_;
  std::memcpy(place, &length, sizeof length);
  if (!name.empty()) std::memcpy(place + sizeof length, name.data(), name.size());
  places_.push_back((blocks_.size() - 1) * block_bytes + block_used_);
  block_used_ += needed;
  text_bytes_ += name.size();
  return static_cast<index_t>(places_.size() - 1);
}

void name_dictionary::grow() {
  ++table_bits_;
  std::vector<slot> larger(std::size_t{1} << table_bits_);
  const std::size_t mask = larger.size() - 1;
  for (const slot& old : table_) {
    if (old.number == nobody) continue;
    std::size_t at = first_slot(old.tag);
    while (larger[at].number != nobody) at = (at + 1) & mask;
    larger[at] = old;
  }
  table_ = std::move(larger);
}

std::uint64_t name_dictionary::held_bytes() const {
  const std::uint64_t arena =
      blocks_.empty() ? 0 : (blocks_.size() - 1) * block_bytes + block_used_;
  return arena + places_.capacity() * sizeof(std::uint64_t) + table_.capacity() * sizeof(slot);
}

}  // namespace baltoro::io
