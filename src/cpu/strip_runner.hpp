// Runs a partition on all cores: where accumulators live, who adds into which, and who writes y.
#pragma once

#include <baltoro/level_order.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "cpu/level_order_descent.hpp"
#include "cpu/level_order_partition.hpp"

namespace baltoro::cpu {

// `width` accumulators of type A an output (the batch). Strips that are not cut use a buffer of the
// thread, or, where such buffers would be larger than all outputs together, their place in one
// array.
template <class A>
class strip_runner {
 public:
  strip_runner(const level_order_view& tree, direction side, index_t outputs, index_t width,
               unsigned threads)
      : tree_(tree),
        parts_(tree, side),
        outputs_(outputs),
        // Blocks of four outputs are added to, also where the whole matrix has fewer.
        strip_size_(((std::min<std::uint64_t>(parts_.side, outputs) + 3) & ~3ULL) * width),
        threads_(threads),
        arena_(static_cast<int>(threads)) {
    const std::uint64_t all = parts_.strips.size() * strip_size_;
    buffers_are_whole_ = threads * strip_size_ >= all;
    buffers_size_ = buffers_are_whole_ ? all : threads * strip_size_;
    for (const strip& s : parts_.strips) {
      split_begin_.push_back(split_pieces_);
      if (parts_.is_split(s)) split_pieces_ += s.pieces_end - s.pieces_begin;
    }
  }

  // The side of a top node: what its coordinates count in.
  std::uint64_t side() const { return parts_.side; }

  // Known from the start; the accumulators are allocated by the first run.
  std::uint64_t scratch_bytes() const {
    return parts_.bytes() + threads_ * descent_scratch::bytes(tree_.levels) +
           (buffers_size_ + split_pieces_ * strip_size_) * sizeof(A) +
           split_begin_.capacity() * sizeof(std::size_t);
  }

  // make_block(accumulators, node) gives the block kernel for one top node; add(a, b) joins two
  // accumulators; write(first, last, accumulators) takes the sums of outputs first … last − 1, or
  // nullptr where nothing was added.
  template <class MakeBlock, class Add, class Write>
  void run(A zero, MakeBlock make_block, Add add, Write write) {
    allocate();
    arena_.execute([&] {
      tbb::parallel_for(
          std::size_t{0}, parts_.pieces.size(),
          [&](std::size_t i) {
            const piece& p = parts_.pieces[i];
            const auto thread =
                static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
            A* const sums = accumulators(i, thread);
            std::fill_n(sums, strip_size_, zero);
            for (std::uint32_t n = p.nodes_begin; n < p.nodes_end; ++n) {
              auto block = make_block(sums, parts_.nodes[n]);
              descent walk(tree_, scratch_[thread], block);
              walk.from(parts_.level, parts_.nodes[n].node);
            }
            if (!parts_.is_split(parts_.strips[p.in_strip])) finish(p.in_strip, sums, write);
          },
          tbb::simple_partitioner());
      tbb::parallel_for(std::size_t{0}, parts_.strips.size(), [&](std::size_t s) {
        if (!parts_.is_split(parts_.strips[s])) return;
        A* const sums = split_.data() + split_begin_[s] * strip_size_;
        const std::size_t count = parts_.strips[s].pieces_end - parts_.strips[s].pieces_begin;
        for (std::size_t other = 1; other < count; ++other) {
          const A* const more = sums + other * strip_size_;
          for (std::uint64_t k = 0; k < strip_size_; ++k) sums[k] = add(sums[k], more[k]);
        }
        finish(s, sums, write);
      });
      if (parts_.strips.empty() && outputs_ > 0) write(0, outputs_, nullptr);
    });
  }

 private:
  void allocate() {
    if (!scratch_.empty()) return;
    buffers_.resize(buffers_size_);
    split_.resize(split_pieces_ * strip_size_);
    for (std::size_t t = 0; t < threads_; ++t) scratch_.emplace_back(tree_.levels);
  }

  A* accumulators(std::size_t piece_index, std::size_t thread) {
    const std::size_t s = parts_.pieces[piece_index].in_strip;
    if (parts_.is_split(parts_.strips[s])) {
      const std::size_t number = piece_index - parts_.strips[s].pieces_begin;
      return split_.data() + (split_begin_[s] + number) * strip_size_;
    }
    return buffers_.data() + (buffers_are_whole_ ? s : thread) * strip_size_;
  }

  // Hands on the sums of one strip, and the outputs before it (and after the last) that have none.
  template <class Write>
  void finish(std::size_t s, const A* sums, Write write) {
    const std::uint64_t begin = parts_.strips[s].out * parts_.side;
    const std::uint64_t before = s == 0 ? 0 : (parts_.strips[s - 1].out + 1) * parts_.side;
    if (before < begin) write(before, begin, nullptr);
    const std::uint64_t end = std::min<std::uint64_t>(outputs_, begin + parts_.side);
    write(begin, end, sums);
    if (s + 1 == parts_.strips.size() && end < outputs_) write(end, outputs_, nullptr);
  }

  level_order_view tree_;
  partition parts_;
  std::uint64_t outputs_;
  std::uint64_t strip_size_;  // accumulators of one strip
  std::size_t threads_;
  tbb::task_arena arena_;
  std::vector<descent_scratch> scratch_;
  std::vector<A> buffers_;
  bool buffers_are_whole_ = false;
  std::uint64_t buffers_size_ = 0;
  std::vector<std::size_t> split_begin_;  // first private buffer of each strip
  std::size_t split_pieces_ = 0;
  std::vector<A> split_;
};

}  // namespace baltoro::cpu
