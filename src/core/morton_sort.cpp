#include "core/morton_sort.hpp"

#include <baltoro/morton.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <hwy/contrib/sort/vqsort.h>
#include <tbb/parallel_for.h>

namespace baltoro::core {
namespace {

constexpr std::size_t bucket_bits = 8;
constexpr std::size_t buckets = 1U << bucket_bits;
constexpr std::size_t samples_per_bucket = 32;
// Below this many codes one VQSort is faster than cutting into buckets.
constexpr std::size_t bucket_threshold = 1U << 16U;

// 255 ascending splitters as an implicit search tree in an array: no branch to mispredict.
class splitter_tree {
 public:
  explicit splitter_tree(std::span<const std::uint64_t> sorted_sample) {
    fill(sorted_sample, 1, 0, buckets);
  }

  // The bucket of a code: the number of splitters below or equal to it.
  std::size_t bucket_of(std::uint64_t code) const {
    std::size_t node = 1;
    for (std::size_t bit = 0; bit < bucket_bits; ++bit) {
      node = 2 * node + static_cast<std::size_t>(code >= nodes_[node]);
    }
    return node - buckets;
  }

 private:
  void fill(std::span<const std::uint64_t> sample, std::size_t node, std::size_t low,
            std::size_t high) {
    if (high - low < 2) return;
    const std::size_t middle = (low + high) / 2;
    nodes_[node] = sample[middle * sample.size() / buckets];
    fill(sample, 2 * node, low, middle);
    fill(sample, 2 * node + 1, middle, high);
  }

  std::array<std::uint64_t, buckets> nodes_{};
};

// Calls visit(i, code) for all codes of a piece, through a buffer that stays in the first-level cache.
template <class Visit>
void for_each_code(const sort_input& input, std::size_t piece, Visit visit) {
  std::array<std::uint64_t, 1024> buffer;
  const std::size_t count = input.count(piece);
  for (std::size_t first = 0; first < count; first += buffer.size()) {
    const std::span part(buffer.data(), std::min(buffer.size(), count - first));
    input.load(piece, first, part);
    for (std::size_t i = 0; i < part.size(); ++i) visit(first + i, part[i]);
  }
}

splitter_tree draw_splitters(const sort_input& input, std::size_t total) {
  std::vector<std::uint64_t> sample;
  const std::size_t stride = std::max<std::size_t>(1, total / (buckets * samples_per_bucket));
  std::size_t position = 0;
  for (std::size_t piece = 0; piece < input.pieces; ++piece) {
    const std::size_t count = input.count(piece);
    for (; position < count; position += stride) {
      std::uint64_t code = 0;
      input.load(piece, position, {&code, 1});
      sample.push_back(code);
    }
    position -= count;
  }
  sort_codes_in_place(sample);
  return splitter_tree(sample);
}

}  // namespace

void sort_codes_in_place(std::span<std::uint64_t> codes) {
  hwy::Sorter()(codes.data(), codes.size(), hwy::SortAscending());
}

code_array sort_codes(const sort_input& input) {
  std::size_t total = 0;
  for (std::size_t piece = 0; piece < input.pieces; ++piece) total += input.count(piece);
  code_array sorted(total);
  if (total < bucket_threshold) {
    std::uint64_t* into = sorted.data.get();
    for (std::size_t piece = 0; piece < input.pieces; ++piece) {
      const std::size_t count = input.count(piece);
      input.load(piece, 0, {into, count});
      into += count;
      input.release(piece);
    }
    sort_codes_in_place(sorted.span());
    return sorted;
  }

  const splitter_tree splitters = draw_splitters(input, total);
  // First the number of codes of every piece in every bucket, then where each such group goes.
  std::vector<std::array<std::size_t, buckets>> place(input.pieces);
  std::vector<std::vector<std::uint8_t>> bucket_of(input.pieces);
  tbb::parallel_for(std::size_t{0}, input.pieces, [&](std::size_t piece) {
    auto& counts = place[piece];
    counts.fill(0);
    bucket_of[piece].resize(input.count(piece));
    for_each_code(input, piece, [&](std::size_t i, std::uint64_t code) {
      const std::size_t bucket = splitters.bucket_of(code);
      bucket_of[piece][i] = static_cast<std::uint8_t>(bucket);
      ++counts[bucket];
    });
  });
  std::array<std::size_t, buckets + 1> begin{};
  std::size_t next = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    begin[bucket] = next;
    for (auto& counts : place) next += std::exchange(counts[bucket], next);
  }
  begin[buckets] = next;

  tbb::parallel_for(std::size_t{0}, input.pieces, [&](std::size_t piece) {
    auto& to = place[piece];
    for_each_code(input, piece, [&](std::size_t i, std::uint64_t code) {
      sorted.data[to[bucket_of[piece][i]]++] = code;
    });
    bucket_of[piece] = {};
    input.release(piece);
  });
  tbb::parallel_for(std::size_t{0}, buckets, [&](std::size_t bucket) {
    sort_codes_in_place(sorted.span().subspan(begin[bucket], begin[bucket + 1] - begin[bucket]));
  });
  return sorted;
}

code_array sort_codes(std::span<const edge> edges) {
  static constexpr std::size_t piece_size = 1U << 16U;
  const auto piece_of = [edges](std::size_t piece) {
    return edges.subspan(piece * piece_size,
                         std::min(piece_size, edges.size() - piece * piece_size));
  };
  return sort_codes(sort_input{
      .pieces = (edges.size() + piece_size - 1) / piece_size,
      .count = [&](std::size_t piece) { return piece_of(piece).size(); },
      .load =
          [&](std::size_t piece, std::size_t first, std::span<std::uint64_t> into) {
            const auto from = piece_of(piece).subspan(first, into.size());
            for (std::size_t i = 0; i < into.size(); ++i) {
              into[i] = morton::encode(from[i].row, from[i].col);
            }
          },
  });
}

}  // namespace baltoro::core
