// Sorted runs of keys on the host, cut into ranges of the key space.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stored_array.hpp"

namespace baltoro::cuda {

class key_runs {
 public:
  explicit key_runs(base::array_place place) : place_(std::move(place)) {}

  // Takes a run over, distinct and ascending, that `write(array)` appends.
  template <class Write>
  void add(const Write& write) {
    base::stored_array<std::uint64_t> added(place_);
    write(added);
    added.finish();
    keys_ += added.size();
    runs_.push_back({std::move(added)});
  }

  std::uint64_t runs() const { return runs_.size(); }
  std::uint64_t keys() const { return keys_; }

  // A part of each run, all keys between two bounds.
  struct range {
    std::vector<std::span<const std::uint64_t>> parts;
    std::uint64_t keys = 0;
    unsigned bits = 0;  // those in which they differ are below
  };

  // The next range: at most so many keys, and none where all have been given. It ends with a leaf, so it has
  // none only where a leaf of each run exceeds `most`.
  range next(std::uint64_t most) {
    release();
    constexpr unsigned leaf_bits = 6;
    std::uint64_t low = 0;  // bound in leaves that does
    std::uint64_t high = std::uint64_t{1} << (64 - leaf_bits);
    if (before(high) <= most) {
      low = high;
    } else {
      while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (before(middle) <= most ? low : high) = middle;
      }
    }
    range result;
    std::uint64_t all = 0;
    std::uint64_t common = ~std::uint64_t{0};
    for (run& r : runs_) {
      const std::uint64_t end = end_before(r, low);
      if (end == r.taken) continue;
      result.parts.push_back(r.keys.span().subspan(r.taken, end - r.taken));
      result.keys += end - r.taken;
      for (const std::uint64_t key : {r.keys[r.taken], r.keys[end - 1]}) {
        all |= key;
        common &= key;
      }
      r.taken = end;
    }
    result.bits = static_cast<unsigned>(std::bit_width(all & ~common));
    return result;
  }

 private:
  struct run {
    base::stored_array<std::uint64_t> keys;
    std::uint64_t taken = 0;
    std::uint64_t released = 0;
  };

  // Where keys begin that are of a leaf from `bound` on.
  static std::uint64_t end_before(const run& r, std::uint64_t bound) {
    const std::span<const std::uint64_t> keys = r.keys.span();
    const auto from = keys.begin() + static_cast<std::ptrdiff_t>(r.taken);
    return static_cast<std::uint64_t>(
        std::partition_point(from, keys.end(),
                             [&](std::uint64_t key) { return key >> 6U < bound; }) -
        keys.begin());
  }

  std::uint64_t before(std::uint64_t bound) const {
    std::uint64_t keys = 0;
    for (const run& r : runs_) keys += end_before(r, bound) - r.taken;
    return keys;
  }

  void release() {
    for (run& r : runs_) {
      r.keys.release(r.released, r.taken);
      r.released = r.taken;
    }
  }

  base::array_place place_;
  std::vector<run> runs_;
  std::uint64_t keys_ = 0;
};

}  // namespace baltoro::cuda
