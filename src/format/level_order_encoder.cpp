#include "format/level_order_encoder.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <utility>

#include "base/pages.hpp"
#include "base/temporary_file.hpp"

namespace baltoro::format {
namespace {

// Codes worked off at once: 128 KiB, so that they stay in the second-level cache on their way up.
constexpr std::size_t batch_size = 1U << 14U;

constexpr std::uint64_t align_up(std::uint64_t bytes) { return (bytes + 63) & ~63ULL; }

// Calls `passed(bytes)` now and then with the bytes of signatures that have been read.
template <class Passed>
void fill_directory(const level_order_view& tree, std::uint32_t* directory, std::uint64_t* bases,
                    Passed passed) {
  std::uint64_t rank = 0;
  for (std::uint64_t sample = 0; sample < tree.samples(); ++sample) {
    const std::uint64_t base = sample / level_order_view::samples_per_base;
    if (sample % level_order_view::samples_per_base == 0) bases[base] = rank;
    directory[sample] = static_cast<std::uint32_t>(rank - bases[base]);
    const std::uint64_t from = sample << tree.step_log2;
    rank += tree.count(
        from, std::min<std::uint64_t>(tree.internal_nodes(), from + (1ULL << tree.step_log2)));
    passed(from / 2);
  }
}

// Follows a pass over a mapped file and gives back what lies behind it.
class page_follower {
 public:
  page_follower(const void* begin, bool active)
      : begin_(static_cast<const std::byte*>(begin)), active_(active) {}

  void operator()(std::uint64_t passed_bytes) {
    if (!active_ || passed_bytes < released_ + base::release_step_bytes) return;
    base::release_pages(begin_ + released_, passed_bytes - released_);
    released_ = passed_bytes;
  }

 private:
  const std::byte* begin_;
  std::uint64_t released_ = 0;
  bool active_;
};

}  // namespace

level_order_encoder::level_order_encoder(unsigned levels)
    : levels_(levels), scratch_(batch_size + 1) {}

void level_order_encoder::spill_beyond(std::size_t buffer_bytes,
                                       const std::filesystem::path& directory) {
  spills_ = true;
  directory_ = directory;
  for (auto& l : levels_) {
    l.closed.spill_beyond(std::max<std::size_t>(64, buffer_bytes / 8 / levels_.size()), directory);
  }
}

void level_order_encoder::add(std::span<std::uint64_t> codes) {
  while (!codes.empty()) {
    const std::size_t count = std::min(batch_size, codes.size());
    add_batch(codes.first(count));
    codes = codes.subspan(count);
  }
}

void level_order_encoder::add_batch(std::span<std::uint64_t> codes) {
  for (std::size_t depth = levels_.size(); depth-- > 0;) {
    level& l = levels_[depth];
    std::uint8_t* const bytes = scratch_.data();
    std::size_t next = 0;
    std::size_t opened = 0;
    std::size_t closed = 0;
    if (!l.open) {
      l.last = codes[0] >> 2U;
      if (l.first == none) l.first = l.last;
      l.signature = 1U << (codes[0] & 3U);
      l.open = true;
      codes[0] = l.last;
      next = opened = 1;
    }
    // No branch in here: whether a child opens a new node is as good as random. The codes of the
    // nodes opened replace those of the children from the front, for the level above.
    std::uint64_t last = l.last;
    unsigned signature = l.signature;
    for (; next < codes.size(); ++next) {
      const std::uint64_t child = codes[next];
      const std::uint64_t node = child >> 2U;
      const bool fresh = node != last;
      bytes[closed] = static_cast<std::uint8_t>(signature);
      closed += fresh ? 1 : 0;
      signature = (fresh ? 0U : signature) | (1U << (child & 3U));
      codes[opened] = node;
      opened += fresh ? 1 : 0;
      last = node;
    }
    l.last = last;
    l.signature = signature;
    l.closed.append({bytes, closed});
    if (opened == 0) return;
    codes = codes.first(opened);
  }
}

void level_order_encoder::close() {
  for (auto& l : levels_) {
    if (!l.open) continue;
    const auto last = static_cast<std::uint8_t>(l.signature);
    l.closed.append({&last, 1});
    l.open = false;
  }
}

nibble_sequence& level_order_encoder::begin_level(unsigned depth, std::uint64_t first,
                                                  std::uint64_t last) {
  levels_[depth].first = first;
  levels_[depth].last = last;
  return levels_[depth].closed;
}

void level_order_encoder::append(level_order_encoder&& next) {
  close();
  next.close();
  for (std::size_t depth = 0; depth < levels_.size(); ++depth) {
    level& l = levels_[depth];
    level& n = next.levels_[depth];
    if (n.closed.size() == 0) continue;
    if (l.closed.size() == 0) {
      l = std::move(n);
      continue;
    }
    // The cut may run through a node: then both halves hold a part of its signature.
    const bool shared = l.last == n.first;
    if (shared) l.closed.or_last(n.closed.front());
    l.closed.append(n.closed, shared ? 1 : 0);
    l.last = n.last;
    n = {};
  }
}

matrix level_order_encoder::finish(shape dims, std::uint32_t directory_step) {
  close();
  level_order_view tree;
  tree.dims = dims;
  tree.levels = static_cast<std::uint32_t>(levels_.size());
  tree.step_log2 = static_cast<std::uint32_t>(std::countr_zero(directory_step));
  for (unsigned depth = 0; depth < tree.levels; ++depth) {
    tree.level_begin[depth + 1] = tree.level_begin[depth] + levels_[depth].closed.size();
  }

  const std::uint64_t directory_at = align_up(8 * tree.signature_words());
  const std::uint64_t bases_at = directory_at + align_up(4 * tree.samples());
  const std::uint64_t bytes = bases_at + 8 * tree.bases();
  std::shared_ptr<std::byte> block;
  const bool mapped = spills_ && bytes > 0;
  if (mapped) {
    block = base::temporary_file(directory_).map(bytes);
  } else {
    block = {static_cast<std::byte*>(
                 ::operator new (std::max<std::uint64_t>(64, bytes), std::align_val_t{64})),
             [](std::byte* p) { ::operator delete (p, std::align_val_t{64}); }};
  }
  auto* const words = reinterpret_cast<std::uint64_t*>(block.get());
  auto* const directory = reinterpret_cast<std::uint32_t*>(block.get() + directory_at);
  auto* const bases = reinterpret_cast<std::uint64_t*>(block.get() + bases_at);
  tree.signatures = words;
  tree.directory = directory;
  tree.directory_base = bases;

  page_follower written(words, mapped);
  for (unsigned depth = 0; depth < tree.levels; ++depth) {
    std::uint64_t used = tree.level_begin[depth];
    std::uint64_t left = tree.nodes_at(depth);
    tree.nnz = 0;  // in the end, the set bits of the last level
    levels_[depth].closed.for_each_piece([&](std::span<const std::uint64_t> piece) {
      const std::uint64_t count = std::min<std::uint64_t>(left, 16 * piece.size());
      if ((used & 15U) == 0 && count > 0) words[used / 16] = 0;
      copy_nibbles(words, used, piece.data(), 0, count);
      for (const std::uint64_t word : piece) tree.nnz += popcount(word);
      used += count;
      left -= count;
      written(used / 2);
    });
    levels_[depth] = {};
  }
  fill_directory(tree, directory, bases, page_follower(words, mapped));
  const matrix result(tree, std::move(block), mapped);
  result.release_pages();
  return result;
}

}  // namespace baltoro::format
