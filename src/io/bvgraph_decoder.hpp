// The successor lists of a BVGraph, one after the other.
//
// The list of node x is written as
//   outdegree                               nothing follows a zero
//   reference r                             where windowsize > 0; copy from the list of x - r, 0:
//   no copy block count, blocks                     where r > 0: how many successors of that list
//   are copied,
//                                           skipped, copied, ... in turn; all but the first are one
//                                           less than the number; an even count copies the rest too
//   interval count, (left, length) pairs    where successors are missing yet and intervals are in
//   use residuals                               as many as are missing yet
// The first left and the first residual are relative to x, with sign (0, -1, 1, -2, ...); every
// other one is relative to the least value it can have; lengths are less minintervallength.
//
// Source: P. Boldi, S. Vigna, "The WebGraph framework I: compression techniques", WWW 2004.
//
// Everything the bits say is checked, before memory is taken for it: a list holds distinct nodes
// below the number of nodes, and exactly as many as its outdegree says.
#pragma once

#include <baltoro/error.hpp>
#include <baltoro/types.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "io/bit_reader.hpp"
#include "io/bvgraph_properties.hpp"
#include "io/instantaneous_codes.hpp"

namespace baltoro::io {

// How the numbers are read, in the codes nearly every file has ...
template <bit_order Order>
class default_bvgraph_codes {
 public:
  explicit default_bvgraph_codes(const bvgraph_codes&) {}
  static bool fit(const bvgraph_codes& codes) {
    bvgraph_codes defaults;
    defaults.offsets = codes.offsets;
    return codes == defaults;
  }
  static std::uint64_t outdegree(bit_reader<Order>& in) { return read_gamma(in); }
  static std::uint64_t reference(bit_reader<Order>& in) { return read_unary(in); }
  static std::uint64_t block_count(bit_reader<Order>& in) { return read_gamma(in); }
  static std::uint64_t block(bit_reader<Order>& in) { return read_gamma(in); }
  static std::uint64_t interval(bit_reader<Order>& in) { return read_gamma(in); }
  static std::uint64_t residual(bit_reader<Order>& in) { return read_zeta(in, 3); }
};

// ... and in any others.
template <bit_order Order>
class any_bvgraph_codes {
 public:
  explicit any_bvgraph_codes(const bvgraph_codes& codes) : codes_(codes) {}
  std::uint64_t outdegree(bit_reader<Order>& in) const { return read_code(in, codes_.outdegrees); }
  std::uint64_t reference(bit_reader<Order>& in) const { return read_code(in, codes_.references); }
  std::uint64_t block_count(bit_reader<Order>& in) const {
    return read_code(in, codes_.block_counts);
  }
  std::uint64_t block(bit_reader<Order>& in) const { return read_code(in, codes_.blocks); }
  std::uint64_t interval(bit_reader<Order>& in) const { return read_code(in, codes_.intervals); }
  std::uint64_t residual(bit_reader<Order>& in) const { return read_code(in, codes_.residuals); }

 private:
  bvgraph_codes codes_;
};

// An array of nodes that grows without keeping or clearing what it held.
class node_array {
 public:
  // Room for `count` nodes; the contents are undefined. A much too large array is given back first.
  index_t* reset(std::uint64_t count) {
    constexpr std::uint64_t small = 1024;
    if (count > capacity_ || (capacity_ > small && count < capacity_ / 4)) {
      nodes_.reset();
      capacity_ = 0;
      const std::uint64_t wanted = std::max<std::uint64_t>(std::bit_ceil(count), 16);
      nodes_ = std::make_unique_for_overwrite<index_t[]>(wanted);
      capacity_ = wanted;
    }
    size_ = count;
    return nodes_.get();
  }
  std::uint64_t capacity() const { return capacity_; }
  std::span<const index_t> view() const { return {nodes_.get(), size_}; }

 private:
  std::unique_ptr<index_t[]> nodes_;
  std::uint64_t capacity_ = 0;
  std::uint64_t size_ = 0;
};

template <bit_order Order, class Codes>
class bvgraph_decoder {
 public:
  // `file` is named in messages.
  bvgraph_decoder(const bvgraph_properties& properties, std::span<const std::uint8_t> graph,
                  std::string file)
      : nodes_(properties.nodes),
        window_size_(properties.window_size),
        min_interval_length_(properties.min_interval_length),
        codes_(properties.codes),
        in_(graph),
        file_(std::move(file)),
        lists_(std::bit_ceil(std::uint64_t{properties.window_size} + 1)),
        mask_(lists_.size() - 1),
        most_kept_((std::uint64_t{1} << 22) + 16 * graph.size()) {}

  // The node whose list is next, and the bit it starts at.
  std::uint64_t next_node() const { return next_; }
  std::uint64_t position() const { return in_.position(); }

  // How many nodes the lists kept may have together. A file of a few bytes can say long lists, so
  // the memory for them is bound to the size of the file: 16 MiB and 64 bytes a byte, unless told
  // less.
  std::uint64_t most_kept() const { return most_kept_; }
  void set_most_kept(std::uint64_t nodes) { most_kept_ = nodes; }

  // The list of one of the last windowsize nodes (empty before the first node).
  std::span<const index_t> kept(std::uint64_t node) const { return lists_[node & mask_].view(); }

  // Goes on elsewhere. Lists kept stay as they are: whoever jumps decodes first what the lists
  // after `node` copy from.
  void jump(std::uint64_t node, std::uint64_t position) {
    next_ = node;
    in_.seek(position);
    list_ = {};
    emitted_ = 0;
  }

  // The reference of the list of `node`, without decoding it. Leaves the position anywhere.
  std::uint64_t reference_at(std::uint64_t node, std::uint64_t position) {
    jump(node, position);
    if (read_outdegree() == 0) return 0;
    return read_reference();
  }

  // Decodes the next list and keeps it.
  std::span<const index_t> decode_next() {
    try {
      decode();
    } catch (const bit_stream_error& e) {
      fail(e.reason);
    }
    if (in_.position() > in_.size()) fail("the file ends inside the list of this node");
    list_ = kept(next_);
    ++next_;
    return list_;
  }

  // Writes edges to `out` until it is full or the lists of all nodes before `end` are written;
  // returns how many were. Call again to go on. Full and finished at once counts as finished.
  std::uint64_t fill(std::span<edge> out, std::uint64_t end) {
    std::uint64_t count = 0;
    for (;;) {
      const std::uint64_t some = std::min(out.size() - count, list_.size() - emitted_);
      const auto row = static_cast<index_t>(next_ - 1);
      const index_t* from = list_.data() + emitted_;
      edge* to = out.data() + count;
      for (std::uint64_t i = 0; i < some; ++i) to[i] = {row, from[i]};
      emitted_ += some;
      count += some;
      if (emitted_ < list_.size() || next_ >= end) return count;
      decode_next();
      emitted_ = 0;
    }
  }
  // Whether fill() has written all of it.
  bool finished(std::uint64_t end) const { return next_ >= end && emitted_ == list_.size(); }

 private:
  [[noreturn, gnu::noinline, gnu::cold]] void fail(const std::string& reason) const {
    throw invalid_format(file_, fmt::format("node {}", next_), reason);
  }

  std::uint64_t read_outdegree() {
    const std::uint64_t degree = codes_.outdegree(in_);
    if (degree > nodes_) {
      fail(fmt::format("it has {} successors, but there are {} nodes only", degree, nodes_));
    }
    return degree;
  }

  std::uint64_t read_reference() {
    if (window_size_ == 0) return 0;
    const std::uint64_t reference = codes_.reference(in_);
    if (reference > window_size_ || reference > next_) {
      fail(
          fmt::format("its list is copied from {} nodes before, but the window is {} nodes and "
                      "the node number {}",
                      reference, window_size_, next_));
    }
    return reference;
  }

  void decode() {
    node_array& list = lists_[next_ & mask_];
    const std::uint64_t degree = read_outdegree();
    if (degree == 0) {
      resize(list, 0);
      return;
    }
    const std::uint64_t reference = read_reference();
    std::span<const index_t> copied;
    if (reference != 0) copied = read_copied(lists_[(next_ - reference) & mask_].view());
    if (copied.size() > degree) {
      fail(fmt::format("{} successors are copied, but it has {} only", copied.size(), degree));
    }
    std::uint64_t missing = degree - copied.size();
    intervals_.clear();
    if (missing != 0 && min_interval_length_ != 0) missing -= read_intervals(missing);
    if (missing > in_.remaining()) fail("the file ends inside the list of this node");

    // Each residual takes at least a bit, and the others are there: now `degree` is believed.
    index_t* out = resize(list, degree);
    if (copied.empty() && intervals_.empty()) {
      read_residuals(out, missing);
      return;
    }
    if (missing == 0 && intervals_.empty()) {
      std::copy(copied.begin(), copied.end(), out);
      return;
    }
    std::span<const index_t> others;
    if (copied.empty()) {
      others = residuals_between_intervals(missing, out);
    } else if (intervals_.empty()) {
      read_residuals(others_.reset(missing), missing);
      others = others_.view();
    } else {
      others = residuals_between_intervals(missing, others_.reset(degree - copied.size()));
    }
    if (!copied.empty()) merge(copied, others, out);
  }

  index_t* resize(node_array& list, std::uint64_t count) {
    kept_ -= list.capacity();
    index_t* nodes = list.reset(count);
    kept_ += list.capacity();
    if (kept_ > most_kept_) {
      fail(
          fmt::format("the last {} lists have more than {} successors together, too many for a "
                      "file of {} bytes; write the graph with a smaller window",
                      window_size_ + std::uint64_t{1}, most_kept_, in_.size() / 8));
    }
    return nodes;
  }

  // The part of `source` that the blocks say.
  std::span<const index_t> read_copied(std::span<const index_t> source) {
    const std::uint64_t block_count = codes_.block_count(in_);
    if (block_count == 0) return source;
    if (block_count > source.size() + 1) {
      fail(fmt::format("a list of {} successors is copied in {} blocks", source.size(),
                       block_count));
    }
    index_t* const out = copied_.reset(source.size());
    std::uint64_t at = 0;
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < block_count; ++i) {
      const std::uint64_t less = codes_.block(in_);
      const std::uint64_t left = source.size() - at;
      const std::uint64_t first = i == 0 ? 0 : 1;
      if (less > left || less + first > left) {
        fail(fmt::format("its copy blocks are longer than the {} successors copied from",
                         source.size()));
      }
      const std::uint64_t length = less + first;
      if (i % 2 == 0) {
        std::copy_n(source.data() + at, length, out + count);
        count += length;
      }
      at += length;
    }
    if (block_count % 2 == 0) {
      std::copy_n(source.data() + at, source.size() - at, out + count);
      count += source.size() - at;
    }
    return {out, count};
  }

  // The node that `code` means relative to this one.
  std::uint64_t relative(std::uint64_t code, const char* what) const {
    const std::uint64_t distance = (code >> 1) + (code & 1);
    const bool before = (code & 1) != 0;
    if (before ? distance > next_ : distance >= nodes_ - next_) {
      fail(fmt::format("{} lies {} {} this node, but nodes are 0 to {}", what, distance,
                       before ? "before" : "after", nodes_ - 1));
    }
    return before ? next_ - distance : next_ + distance;
  }

  // Fills intervals_, returns how many nodes they have; at most `missing`.
  std::uint64_t read_intervals(std::uint64_t missing) {
    const std::uint64_t count = codes_.interval(in_);
    if (count > missing / min_interval_length_) {
      fail(fmt::format("{} intervals of at least {} nodes are more than its {} successors", count,
                       min_interval_length_, missing));
    }
    std::uint64_t total = 0;
    std::uint64_t end = 0;  // of the interval before
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t code = codes_.interval(in_);
      std::uint64_t left = 0;
      if (i == 0) {
        left = relative(code, "an interval");
      } else {
        if (end >= nodes_ || code >= nodes_ - end - 1) {
          fail(fmt::format("an interval starts after node {}, the last one", nodes_ - 1));
        }
        left = end + 1 + code;
      }
      const std::uint64_t more = codes_.interval(in_);
      const std::uint64_t room = std::min(nodes_ - left, missing - total);
      if (more > room || more + min_interval_length_ > room) {
        fail(
            fmt::format("an interval from node {} on is too long: {} more than {} nodes, with "
                        "{} successors missing and {} nodes in all",
                        left, more, min_interval_length_, missing - total, nodes_));
      }
      const std::uint64_t length = more + min_interval_length_;
      end = left + length;
      total += length;
      if (in_.position() > in_.size()) fail("the file ends inside the list of this node");
      intervals_.push_back({static_cast<index_t>(left), static_cast<index_t>(length)});
    }
    return total;
  }

  void read_residuals(index_t* out, std::uint64_t count) {
    if (count == 0) return;
    std::uint64_t node = relative(codes_.residual(in_), "a successor");
    out[0] = static_cast<index_t>(node);
    for (std::uint64_t i = 1; i < count; ++i) {
      const std::uint64_t gap = codes_.residual(in_);
      if (gap >= nodes_ - node - 1) [[unlikely]] {
        fail(fmt::format("a successor lies more than {} after {}, but the last node is {}", gap,
                         node, nodes_ - 1));
      }
      node += gap + 1;
      out[i] = static_cast<index_t>(node);
    }
  }

  // Reads `count` residuals and writes them with the intervals to `out`, ascending.
  std::span<const index_t> residuals_between_intervals(std::uint64_t count, index_t* const out) {
    index_t* const residuals = residuals_.reset(count);
    read_residuals(residuals, count);
    std::uint64_t written = 0;
    std::uint64_t used = 0;
    for (const interval& run : intervals_) {
      while (used < count && residuals[used] < run.left) out[written++] = residuals[used++];
      if (used < count && residuals[used] - run.left < run.length) fail_twice(residuals[used]);
      for (index_t i = 0; i < run.length; ++i) out[written + i] = run.left + i;
      written += run.length;
    }
    std::copy_n(residuals + used, count - used, out + written);
    return {out, written + count - used};
  }

  // Writes two ascending lists to `out` as one.
  void merge(std::span<const index_t> a, std::span<const index_t> b, index_t* out) {
    const index_t* from_a = a.data();
    const index_t* from_b = b.data();
    const index_t* const end_a = from_a + a.size();
    const index_t* const end_b = from_b + b.size();
    index_t equal = 0;
    while (from_a != end_a && from_b != end_b) {
      const index_t left = *from_a;
      const index_t right = *from_b;
      *out++ = left < right ? left : right;
      from_a += left < right ? 1 : 0;
      from_b += left < right ? 0 : 1;
      equal |= left == right ? 1 : 0;
    }
    if (equal != 0) fail("a successor is listed twice");
    std::copy(from_a, end_a, out);
    std::copy(from_b, end_b, out + (end_a - from_a));
  }

  [[noreturn, gnu::noinline, gnu::cold]] void fail_twice(index_t node) const {
    fail(fmt::format("successor {} is listed twice", node));
  }

  struct interval {
    index_t left;
    index_t length;
  };

  std::uint64_t nodes_;
  std::uint64_t window_size_;
  std::uint64_t min_interval_length_;
  Codes codes_;
  bit_reader<Order> in_;
  std::string file_;

  std::vector<node_array> lists_;  // that of node x at x & mask_
  std::uint64_t mask_;
  std::uint64_t kept_ = 0;  // nodes there is room for in lists_
  std::uint64_t most_kept_;

  std::uint64_t next_ = 0;
  std::span<const index_t> list_;  // of node next_ - 1, as far as fill() is concerned
  std::uint64_t emitted_ = 0;      // how much of it fill() has written

  std::vector<interval> intervals_;
  node_array copied_;
  node_array residuals_;
  node_array others_;
};

}  // namespace baltoro::io
