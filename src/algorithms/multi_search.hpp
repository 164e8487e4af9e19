// Searches from many sources at once, with tables of one bit for a source and a vertex.
#pragma once

#include <baltoro/matrix.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/iterations.hpp"
#include "algorithms/neighbour_walk.hpp"
#include "algorithms/vertex_bits.hpp"

namespace baltoro::algorithms {

class multi_search {
 public:
  multi_search(const matrix& a, std::span<const index_t> sources, traversal follow)
      : a_(a),
        follow_(follow),
        words_((sources.size() + 63) / 64),
        last_word_(sources.size() % 64 == 0 ? ~0ULL : (1ULL << (sources.size() % 64)) - 1),
        seen_(a.rows() * words_),
        frontier_(a.rows() * words_),
        next_(a.rows() * words_),
        active_(a.rows()),
        open_(a.rows()) {
    open_.fill();
    for (std::uint64_t k = 0; k < sources.size(); ++k) {
      const std::uint64_t at = sources[k] * words_ + k / 64;
      seen_[at] |= 1ULL << (k % 64);
      frontier_[at] |= 1ULL << (k % 64);
      active_.insert(sources[k]);
    }
    for (const index_t s : sources) {
      if (is_full(s)) open_.erase(s);
    }
    found_ = sources.size();
  }

  static std::uint64_t bytes(std::uint64_t vertices, std::uint64_t sources) {
    return 3 * sizeof(std::uint64_t) * vertices * ((sources + 63) / 64) +
           2 * vertex_bits::bytes(vertices);
  }

  std::uint64_t words() const { return words_; }
  // Pairs that the last step found, at first the sources.
  std::uint64_t found() const { return found_; }
  std::vector<std::uint64_t> take_seen() && { return std::move(seen_); }

  // Goes one level on, and calls each(v, w, fresh) for every word with pairs that were found, from one
  // thread for the vertices of one block.
  template <class Each>
  void step(const Each& each) {
    if (follow_.along) spread<false>();
    if (follow_.against) spread<true>();
    std::atomic<std::uint64_t> found{0};
    for_each_block(a_.rows(), [&](std::uint64_t first, std::uint64_t last) {
      std::uint64_t count = 0;
      for (std::uint64_t v = first; v < last; ++v) {
        bool active = false;
        for (std::uint64_t w = 0; w < words_; ++w) {
          const std::uint64_t at = v * words_ + w;
          const std::uint64_t fresh = next_[at];
          frontier_[at] = fresh;
          if (fresh == 0) continue;
          next_[at] = 0;
          seen_[at] |= fresh;
          active = true;
          count += static_cast<unsigned>(std::popcount(fresh));
          each(v, w, fresh);
        }
        if (active == active_.test(v)) {
          if (active && is_full(v)) open_.erase(v);
          continue;
        }
        if (active) {
          active_.insert(v);
          if (is_full(v)) open_.erase(v);
        } else {
          active_.erase(v);
        }
      }
      found += count;
    });
    found_ = found;
  }

  // The same for the sources themselves, before the first step.
  template <class Each>
  void start(const Each& each) const {
    active_.for_each([&](std::uint64_t v) {
      for (std::uint64_t w = 0; w < words_; ++w) {
        if (frontier_[v * words_ + w] != 0) each(v, w, frontier_[v * words_ + w]);
      }
    });
  }

 private:
  bool is_full(std::uint64_t v) const {
    for (std::uint64_t w = 0; w < words_; ++w) {
      if (seen_[v * words_ + w] != (w + 1 == words_ ? last_word_ : ~0ULL)) return false;
    }
    return true;
  }

  template <bool Reverse>
  void spread() {
    sweep_leaves(
        a_,
        [&](const square& s) {
          return active_.any(Reverse ? s.col : s.row, s.side_log2) &&
                 open_.any(Reverse ? s.row : s.col, s.side_log2);
        },
        [&](index_t row8, index_t col8, std::uint64_t pattern) {
          const unsigned from = active_.byte(Reverse ? col8 : row8);
          const unsigned to = open_.byte(Reverse ? row8 : col8);
          if (from == 0 || to == 0) return;
          const std::uint64_t rows = format::bytes_of(Reverse ? to : from);
          const std::uint64_t cols = format::columns_of(Reverse ? from : to);
          for_each_cell(row8, col8, pattern & rows & cols, [&](index_t row, index_t col) {
            pass_on(Reverse ? col : row, Reverse ? row : col);
          });
        });
  }

  void pass_on(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t w = 0; w < words_; ++w) {
      const std::uint64_t fresh = frontier_[from * words_ + w] & ~seen_[to * words_ + w];
      if (fresh == 0) continue;
      std::atomic_ref<std::uint64_t> shared(next_[to * words_ + w]);
      if ((fresh & ~shared.load(std::memory_order_relaxed)) == 0) continue;
      shared.fetch_or(fresh, std::memory_order_relaxed);
    }
  }

  const matrix& a_;
  traversal follow_;
  std::uint64_t words_;
  std::uint64_t last_word_;  // the bits of the last word that are sources
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> frontier_;
  std::vector<std::uint64_t> next_;
  vertex_bits active_;  // vertices in the frontier of a source
  vertex_bits open_;    // vertices that some source has not seen
  std::uint64_t found_ = 0;
};

}  // namespace baltoro::algorithms
