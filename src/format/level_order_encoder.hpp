// From ascending Morton codes to the signatures of every level, in one pass.
//
// A level turns the codes of its children into one nibble a node and the codes of its nodes, which
// are the children of the level above. All levels are worked off batch by batch, so the codes stay
// in cache. Several encoders can take consecutive pieces of the codes in parallel; append() joins
// them.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "format/nibble_sequence.hpp"

namespace baltoro::format {

class level_order_encoder {
 public:
  explicit level_order_encoder(unsigned levels);

  // See nibble_sequence. The limit is for all levels together.
  void spill_beyond(std::size_t buffer_bytes, const std::filesystem::path& directory);

  // Adds cells. Codes ascend within and across calls and may repeat. Their storage is overwritten.
  void add(std::span<std::uint64_t> codes);

  // Gives an empty level its nodes, complete and ready: their first and last code are said here, their signatures
  // are appended to what it returns.
  nibble_sequence& begin_level(unsigned depth, std::uint64_t first, std::uint64_t last);

  // Joins the cells of `next`, all of which have codes not below those added here.
  void append(level_order_encoder&& next);

  // Packs the levels into one tree and adds the directory. After spill_beyond() the tree is put into a
  // nameless file and mapped. The encoder is empty afterwards.
  matrix finish(shape dims, std::uint32_t directory_step);

 private:
  static constexpr std::uint64_t none = ~0ULL;

  struct level {
    std::uint64_t first = none;  // code of the first node
    std::uint64_t last = none;   // code of the last node
    bool open = false;           // whether the last node's signature is not complete
    unsigned signature = 0;      // of the open node, so far
    nibble_sequence closed;      // the complete signatures
  };

  void add_batch(std::span<std::uint64_t> codes);
  void close();

  std::vector<level> levels_;
  std::vector<std::uint8_t> scratch_;
  bool spills_ = false;
  std::filesystem::path directory_;
};

}  // namespace baltoro::format
