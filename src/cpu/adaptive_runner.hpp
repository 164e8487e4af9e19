// Runs a partition of an adaptive matrix on all cores: where sums live, who adds into which, and who
// writes y.
#pragma once

#include <baltoro/adaptive.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tbb/cache_aligned_allocator.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include "cpu/adaptive_partition.hpp"

namespace baltoro::cpu {

// `width` sums of type A an output (the batch). Each band in work has sums of its own.
template <class A>
class adaptive_runner {
 public:
  adaptive_runner(const adaptive_view& a, direction side, index_t outputs, index_t width,
                  unsigned threads)
      : parts_(a, side),
        outputs_(outputs),
        width_(width),
        // Leaves are added to whole, also where the matrix ends inside one.
        band_size_(((std::min<std::uint64_t>(parts_.band_side(), outputs) + 7) & ~7ULL) * width),
        slots_(std::min<std::uint64_t>(threads, parts_.bands)),
        arena_(static_cast<int>(threads)) {}

  // Known from the start; the sums are allocated by the first run.
  std::uint64_t scratch_bytes() const { return parts_.bytes() + sums_size() * sizeof(A); }

  // multiply(containers, sums, first) adds the products of these containers to sums, whose first
  // output is that of leaf `first`; add(a, b) joins two sums; write(first, last, sums) takes the sums
  // of outputs first … last − 1, or nullptr where nothing was added.
  template <class Multiply, class Add, class Write>
  void run(A zero, const Multiply& multiply, const Add& add, const Write& write) {
    if (sums_.empty()) sums_.resize(sums_size());
    arena_.execute([&] {
      for_each(parts_.bands, [&](std::uint64_t band) {
        const std::uint64_t slot =
            slots_ == parts_.bands
                ? band
                : static_cast<std::uint64_t>(tbb::this_task_arena::current_thread_index());
        // A thread that waits here must not begin another band: its sums are in use.
        tbb::this_task_arena::isolate(
            [&] { work_off(band, sums_.data() + slot * band_size_, zero, multiply, add, write); });
      });
    });
  }

 private:
  using partition = adaptive_partition;

  std::uint64_t sums_size() const { return slots_ * band_size_ + parts_.private_outputs * width_; }

  template <class Body>
  static void for_each(std::uint64_t count, const Body& body) {
    if (count == 1) {
      body(std::uint64_t{0});
    } else {
      tbb::parallel_for(std::uint64_t{0}, count, body, tbb::simple_partitioner());
    }
  }

  // Calls body(first, last) for the strips of a band, in outputs counted from the band's first.
  template <class Body>
  void for_each_strip(std::uint64_t size, const Body& body) const {
    constexpr std::uint64_t strip = 1ULL << (partition::strip_level + adaptive_view::leaf_log2);
    for_each((size + strip - 1) / strip,
             [&](std::uint64_t s) { body(s * strip, std::min(size, (s + 1) * strip)); });
  }

  template <class Multiply, class Add, class Write>
  void work_off(std::uint64_t band, A* sums, A zero, const Multiply& multiply, const Add& add,
                const Write& write) {
    const std::uint64_t begin = band * parts_.band_side();
    const std::uint64_t size = std::min<std::uint64_t>(parts_.band_side(), outputs_ - begin);
    const std::uint64_t first_leaf = begin >> adaptive_view::leaf_log2;
    const std::uint64_t first = parts_.first_phase[band];
    const std::uint64_t last = parts_.first_phase[band + 1];
    if (first == last) {
      write(begin, begin + size, static_cast<const A*>(nullptr));
      return;
    }
    for_each_strip((size + 7) & ~7ULL, [&](std::uint64_t from, std::uint64_t to) {
      std::fill(sums + from * width_, sums + to * width_, zero);
    });
    for (std::uint64_t number = first; number < last; ++number) {
      const partition::phase& phase = parts_.phases[number];
      for_each(phase.pieces_end - phase.pieces_begin, [&](std::uint64_t i) {
        const partition::piece& p = parts_.pieces[phase.pieces_begin + i];
        const std::span containers(parts_.order.data() + p.begin, p.end - p.begin);
        if (p.is_private) {
          A* const own = private_sums(p);
          std::fill_n(own, width_ << (phase.level + adaptive_view::leaf_log2), zero);
          multiply(containers, own, p.first_out);
        } else {
          multiply(containers, sums, first_leaf);
        }
      });
      if (phase.pieces_end - phase.pieces_begin == phase.groups_end - phase.groups_begin) continue;
      for_each(phase.groups_end - phase.groups_begin, [&](std::uint64_t i) {
        join(phase, parts_.groups[phase.groups_begin + i], sums, begin, size, add);
      });
    }
    for_each_strip(size, [&](std::uint64_t from, std::uint64_t to) {
      write(begin + from, begin + to, static_cast<const A*>(sums + from * width_));
    });
  }

  // Adds what the private pieces of a group have to the band's sums.
  template <class Add>
  void join(const partition::phase& phase, const partition::group& g, A* sums, std::uint64_t begin,
            std::uint64_t size, const Add& add) {
    const std::uint64_t from = (g.first_out << adaptive_view::leaf_log2) - begin;
    const std::uint64_t count =
        width_ *
        std::min(size - from, std::uint64_t{1} << (phase.level + adaptive_view::leaf_log2));
    A* const to = sums + from * width_;
    for (std::uint64_t i = g.pieces_begin + 1; i < g.pieces_end; ++i) {
      const A* const more = private_sums(parts_.pieces[i]);
      for (std::uint64_t k = 0; k < count; ++k) to[k] = add(to[k], more[k]);
    }
  }

  A* private_sums(const partition::piece& p) {
    return sums_.data() + slots_ * band_size_ + p.private_begin * width_;
  }

  partition parts_;
  std::uint64_t outputs_;
  std::uint64_t width_;
  std::uint64_t band_size_;  // sums of one band
  std::uint64_t slots_;      // bands in work at once
  tbb::task_arena arena_;
  std::vector<A, tbb::cache_aligned_allocator<A>> sums_;  // a leaf's sums fill whole cache lines
};

}  // namespace baltoro::cpu
