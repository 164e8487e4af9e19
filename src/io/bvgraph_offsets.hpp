// Where successor lists start, as a BVGraph's .offsets file says: nodes + 1 numbers, each the bits
// between two starts (the first is 0, the last start is the end of the graph), in gamma or delta
// code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "io/bit_reader.hpp"
#include "io/bvgraph_properties.hpp"
#include "io/instantaneous_codes.hpp"

namespace baltoro::io {

// Consecutive nodes, to be decoded on their own.
struct bvgraph_piece {
  std::uint64_t first = 0;             // node
  std::uint64_t end = 0;               // node after the last one
  bool known = false;                  // whether position and earlier are known
  std::uint64_t position = 0;          // bit at which the list of `first` starts
  std::vector<std::uint64_t> earlier;  // the same for the nodes before `first`, in order
};

// Cuts a graph into pieces, walking along its offsets. What the file says is only kept within the
// graph; when it cannot be right, or ends, the pieces that follow have no known position.
template <bit_order Order>
class bvgraph_offset_walk {
 public:
  bvgraph_offset_walk(const bvgraph_properties& properties, std::uint64_t graph_bits,
                      std::span<const std::uint8_t> offsets)
      : in_(offsets),
        code_(properties.codes.offsets),
        nodes_(properties.nodes),
        graph_bits_(graph_bits),
        // A list is decoded from at most windowsize * maxrefcount nodes before it; writers use 3.
        lookback_(properties.window_size == 0
                      ? 0
                      : std::clamp<std::uint64_t>(16 * std::uint64_t{properties.window_size}, 256,
                                                  16384)) {
    step();
    if (offset_ != 0) known_ = false;
  }

  // The next piece, after about so many bits of the graph or nodes; false when none is left.
  bool next(bvgraph_piece& piece, std::uint64_t most_bits, std::uint64_t most_nodes) {
    if (node_ == nodes_) return false;
    piece.first = node_;
    piece.known = known_;
    piece.position = offset_;
    const std::size_t count = std::min<std::size_t>(history_.size(), lookback_);
    piece.earlier.assign(history_.end() - static_cast<std::ptrdiff_t>(count), history_.end());
    const std::uint64_t limit = std::min(nodes_, node_ + most_nodes);
    while (node_ < limit && (!known_ || offset_ - piece.position < most_bits)) {
      if (known_) {
        remember(offset_);
        step();
      }
      ++node_;
    }
    piece.end = node_;
    return true;
  }

 private:
  void step() {
    try {
      const std::uint64_t bits = read_code(in_, code_);
      known_ = known_ && in_.position() <= in_.size() && bits <= graph_bits_ - offset_;
      if (known_) offset_ += bits;
    } catch (const bit_stream_error&) {
      known_ = false;
    }
  }

  void remember(std::uint64_t offset) {
    if (lookback_ == 0) return;
    if (history_.size() == 2 * lookback_) {
      history_.erase(history_.begin(), history_.begin() + static_cast<std::ptrdiff_t>(lookback_));
    }
    history_.push_back(offset);
  }

  bit_reader<Order> in_;
  code code_;
  std::uint64_t nodes_;
  std::uint64_t graph_bits_;
  std::uint64_t lookback_;
  std::uint64_t node_ = 0;
  std::uint64_t offset_ = 0;  // of node_
  bool known_ = true;
  std::vector<std::uint64_t> history_;
};

}  // namespace baltoro::io
