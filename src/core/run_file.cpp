#include "core/run_file.hpp"

#include <algorithm>
#include <utility>

#include "core/morton_sort.hpp"

namespace baltoro::core {
namespace {

// The part of a run that is in memory.
struct cursor {
  std::uint64_t next_on_disk;
  std::uint64_t end;
  std::vector<std::uint64_t> buffer;
  std::size_t taken = 0;

  std::size_t left() const { return buffer.size() - taken; }
};

void refill(const base::temporary_file& file, cursor& c, std::size_t capacity) {
  c.buffer.erase(c.buffer.begin(), c.buffer.begin() + static_cast<std::ptrdiff_t>(c.taken));
  c.taken = 0;
  const std::size_t have = c.buffer.size();
  const std::uint64_t more = std::min<std::uint64_t>(capacity - have, c.end - c.next_on_disk);
  c.buffer.resize(have + more);
  file.read(8 * c.next_on_disk, c.buffer.data() + have, 8 * more);
  c.next_on_disk += more;
}

}  // namespace

void run_file::append(std::span<const std::uint64_t> codes) {
  if (codes.empty()) return;
  const std::uint64_t begin = file_.size() / 8;
  try {
    file_.append(codes.data(), codes.size_bytes());
  } catch (...) {
    file_.truncate(8 * begin);  // no half of a run
    throw;
  }
  runs_.push_back({begin, begin + codes.size()});
}

void run_file::fold(std::uint64_t memory_bytes) {
  run_file whole(directory_);
  merge(memory_bytes, [&](std::span<std::uint64_t> codes) {
    // Codes that are equal come together.
    const auto last = std::unique(codes.begin(), codes.end());
    whole.file_.append(codes.data(), 8 * static_cast<std::size_t>(last - codes.begin()));
  });
  if (whole.codes() != 0) whole.runs_.push_back({0, whole.codes()});
  *this = std::move(whole);
}

void run_file::merge(std::uint64_t memory_bytes,
                     const std::function<void(std::span<std::uint64_t>)>& take) const {
  const std::size_t capacity = std::max<std::size_t>(
      least_codes_read, memory_bytes / bytes_a_code / std::max<std::size_t>(1, runs_.size()));
  std::vector<cursor> cursors;
  for (const run& r : runs_) {
    cursors.push_back({r.begin, r.end, {}});
    cursors.back().buffer.reserve(std::min<std::uint64_t>(capacity, r.end - r.begin));
  }
  for (;;) {
    // Everything up to the smallest last code in memory of a run that goes on is complete. The run
    // with that code empties its buffer, so every round makes headway.
    std::uint64_t bound = ~0ULL;
    for (cursor& c : cursors) {
      if (c.left() < capacity / 2 && c.next_on_disk < c.end) refill(file_, c, capacity);
      if (c.next_on_disk < c.end) bound = std::min(bound, c.buffer.back());
    }
    std::vector<std::size_t> upto(cursors.size());
    std::size_t total = 0;
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      const auto& buffer = cursors[i].buffer;
      const auto from = buffer.begin() + static_cast<std::ptrdiff_t>(cursors[i].taken);
      upto[i] =
          static_cast<std::size_t>(std::upper_bound(from, buffer.end(), bound) - buffer.begin());
      total += upto[i] - cursors[i].taken;
    }
    if (total == 0) return;
    code_array sorted = sort_codes(sort_input{
        .pieces = cursors.size(),
        .count = [&](std::size_t i) { return upto[i] - cursors[i].taken; },
        .load =
            [&](std::size_t i, std::size_t first, std::span<std::uint64_t> into) {
              std::copy_n(cursors[i].buffer.data() + cursors[i].taken + first, into.size(),
                          into.data());
            },
    });
    for (std::size_t i = 0; i < cursors.size(); ++i) cursors[i].taken = upto[i];
    take(sorted.span());
  }
}

}  // namespace baltoro::core
