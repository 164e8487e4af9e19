// Distinct names, each with the number it got when it was first seen.
//
// Names lie one after the other in blocks of an arena, each behind its length. A table with open
// addressing holds a 32-bit tag of the hash and the number of the name: a look-up of a known name
// costs one cache miss in the table and one in the arena. Beside its bytes a name costs 12 bytes
// and 10 to 21 bytes of the table.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace baltoro::io {

class name_dictionary {
 public:
  // The longest name that can be kept. Callers check it: their message can name a line.
  static constexpr std::size_t max_name_bytes = std::size_t{1} << 20;

  name_dictionary();

  // What a name is looked up by; see intern() and expect().
  static std::uint32_t tag_of(std::string_view name);

  // A look-up of a name that is not in the caches waits for memory three times. Who looks up many
  // calls expect() for all of them with step 0, then with 1, then with 2, and then intern().
  void expect(std::uint32_t tag, unsigned step) const;

  // The number of the name, a new one where it is new. `tag` is tag_of(name).
  // \pre name.size() <= max_name_bytes, and the name is known or size() < max_dimension
  index_t intern(std::string_view name, std::uint32_t tag);
  index_t intern(std::string_view name) { return intern(name, tag_of(name)); }

  // Number of names.
  index_t size() const { return static_cast<index_t>(places_.size()); }
  // The name with that number.
  std::string_view operator[](index_t number) const {
    const char* place = place_of(number);
    std::uint32_t length = 0;
    std::memcpy(&length, place, sizeof length);
    return {place + sizeof length, length};
  }
  // Bytes of all names together.
  std::uint64_t text_bytes() const { return text_bytes_; }
  // Bytes held in memory.
  std::uint64_t held_bytes() const;

 private:
  struct slot {
    std::uint32_t tag = 0;
    index_t number = nobody;
  };
  static constexpr index_t nobody = 0xFFFF'FFFFU;
  static constexpr std::size_t block_bytes = std::size_t{1} << 21;

  std::size_t first_slot(std::uint32_t tag) const {
    return std::size_t{tag} >> (32U - table_bits_);
  }
  const char* place_of(index_t number) const {
    return blocks_[places_[number] / block_bytes].get() + places_[number] % block_bytes;
  }
  index_t append(std::string_view name);
  void grow();

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::vector<std::uint64_t> places_;  // block · block_bytes + byte inside the block
  unsigned table_bits_ = 10;
  std::vector<slot> table_;
  std::size_t block_used_ = block_bytes;  // bytes of the last block
  std::uint64_t text_bytes_ = 0;
};

}  // namespace baltoro::io
