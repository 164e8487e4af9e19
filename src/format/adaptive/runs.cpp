#include "format/adaptive/runs.hpp"

#include <baltoro/adaptive.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "format/adaptive/kinds.hpp"
#include "format/adaptive/line_order.hpp"

namespace baltoro::format {
namespace {

std::optional<encoded_size> measure(const leaf_positions& positions, unsigned) {
  const std::span<const std::uint32_t> keys = positions.by_rows;
  const auto leaves = static_cast<unsigned>(keys.size());
  const std::uint32_t rows = (keys.back() >> 16U) - (keys.front() >> 16U) + 1;
  if (rows > max_run_rows) return std::nullopt;
  std::uint32_t runs = 0;
  std::uint32_t least = 0xFFFF;
  std::uint32_t most = 0;
  std::uint32_t before = 0;
  for (unsigned i = 0; i < leaves; ++i) {
    const std::uint32_t col = keys[i] & 0xFFFFU;
    const bool starts = starts_run(i, keys[i], before);
    before = keys[i];
    runs += starts ? 1 : 0;
    least = std::min(least, starts ? col : 0xFFFFU);
    most = std::max(most, starts ? col : 0U);
  }
  if (runs > max_runs) return std::nullopt;
  const runs_detail detail = runs_detail::of(most - least, runs, rows);
  return encoded_size{detail.words(leaves), detail.value};
}

void encode(std::span<const std::uint32_t> offsets, unsigned, std::uint32_t detail,
            std::uint32_t* to) {
  const runs_detail how{detail};
  const auto leaves = static_cast<unsigned>(offsets.size());
  std::array<std::uint32_t, adaptive_view::max_leaves> keys{};
  for (unsigned i = 0; i < leaves; ++i) keys[i] = line_key(offsets[i], line_axis::rows);
  const std::span<const std::uint32_t> sorted(keys.data(), leaves);
  const std::uint32_t first_row = sorted.front() >> 16U;
  std::uint32_t first_col = 0xFFFF;
  std::uint32_t before = 0;
  for (unsigned i = 0; i < leaves; ++i) {
    if (starts_run(i, sorted[i], before)) first_col = std::min(first_col, sorted[i] & 0xFFFFU);
    before = sorted[i];
  }
  to[0] = first_row | first_col << 16U;
  std::uint32_t* const rows = to + 1;
  std::uint32_t* const flags = to + how.flags_begin();
  bit_writer places(to + how.places_begin(leaves));
  for (unsigned i = 0; i < leaves; ++i) {
    const std::uint32_t row = (sorted[i] >> 16U) - first_row;
    rows[row >> 5U] |= 1U << (row & 31U);
    if (starts_row(i, sorted[i], before)) flags[2 * (i >> 5U)] |= 1U << (i & 31U);
    const bool starts = starts_run(i, sorted[i], before);
    before = sorted[i];
    if (!starts) continue;
    flags[2 * (i >> 5U) + 1] |= 1U << (i & 31U);
    places.write((sorted[i] & 0xFFFFU) - first_col, how.place_bits());
  }
}

std::uint32_t words(unsigned leaves, std::uint32_t detail) {
  return runs_detail{detail}.words(leaves);
}

// Reads leaf after leaf.
class run_reader {
 public:
  run_reader(const std::uint32_t* from, std::uint32_t detail, unsigned leaves)
      : how_{detail},
        rows_(from + 1),
        flags_(from + how_.flags_begin()),
        places_(from + how_.places_begin(leaves)),
        first_row_(from[0] & 0xFFFFU),
        first_col_(from[0] >> 16U) {}

  // Leaf i; called for 0, 1, 2, …
  void next(unsigned i) {
    if (flag(2 * (i >> 5U), i)) next_row();
    if (starts_run(i)) {
      col_ = first_col_ + read_bits(places_, runs_ * how_.place_bits(), how_.place_bits());
      ++runs_;
    } else {
      ++col_;
    }
  }
  bool starts_run(unsigned i) const { return flag(2 * (i >> 5U) + 1, i); }
  // Of the leaf that was read. Beyond 2^16 where the words are wrong.
  std::uint32_t row() const { return first_row_ + at_ - 1; }
  std::uint32_t col() const { return col_; }
  // Whether all rows of the bitmap have been reached.
  bool ended() const {
    for (std::uint32_t at = at_; at < 32 * how_.row_words(); ++at) {
      if ((rows_[at >> 5U] >> (at & 31U) & 1U) != 0) return false;
    }
    return true;
  }

 private:
  bool flag(std::uint32_t word, unsigned i) const { return (flags_[word] >> (i & 31U) & 1U) != 0; }
  // Goes on to the next row that is set in the bitmap, or to its end.
  void next_row() {
    const std::uint32_t end = 32 * how_.row_words();
    while (at_ < end) {
      const std::uint32_t left = rows_[at_ >> 5U] >> (at_ & 31U);
      if (left != 0) {
        at_ += static_cast<std::uint32_t>(std::countr_zero(left)) + 1;
        return;
      }
      at_ = (at_ | 31U) + 1;
    }
    at_ = end + 1;
  }

  runs_detail how_;
  const std::uint32_t* rows_;
  const std::uint32_t* flags_;
  const std::uint32_t* places_;
  std::uint32_t first_row_;
  std::uint32_t first_col_;
  std::uint32_t at_ = 0;  // the row after that of the leaf, from the first one on
  std::uint32_t col_ = 0;
  std::uint32_t runs_ = 0;
};

void decode(const std::uint32_t* from, unsigned, std::uint32_t detail,
            std::span<std::uint32_t> offsets) {
  const auto leaves = static_cast<unsigned>(offsets.size());
  run_reader reader(from, detail, leaves);
  for (unsigned i = 0; i < leaves; ++i) {
    reader.next(i);
    offsets[i] = line_offset(reader.row(), reader.col(), line_axis::rows);
  }
}

bool valid(const std::uint32_t* from, unsigned level, std::uint32_t detail, unsigned leaves) {
  const runs_detail how{detail};
  const std::uint32_t side = 1U << level;
  if (how.row_words() == 0 || how.place_bits() > adaptive_view::max_level) return false;
  if (how.row_words() > 1 && from[how.row_words()] == 0) return false;
  const std::uint32_t* const flags = from + how.flags_begin();
  std::uint32_t runs = 0;
  for (unsigned i = 0; i < leaves; i += 32) {
    const std::uint32_t used = leaves - i >= 32 ? ~0U : (1U << (leaves - i)) - 1;
    const std::uint32_t row_starts = flags[i / 16];
    const std::uint32_t run_starts = flags[i / 16 + 1];
    if (((row_starts | run_starts) & ~used) != 0 || (run_starts & 1U) == 0) return false;
    if ((row_starts & ~run_starts) != 0) return false;
    runs += static_cast<std::uint32_t>(std::popcount(run_starts));
  }
  if (runs != how.runs() || (flags[0] & 1U) == 0 || (from[1] & 1U) == 0) return false;
  if (!ends_at(from + how.places_begin(leaves), std::uint64_t{runs} * how.place_bits())) {
    return false;
  }
  run_reader reader(from, detail, leaves);
  std::uint64_t before = 0;
  for (unsigned i = 0; i < leaves; ++i) {
    reader.next(i);
    const std::uint64_t key = std::uint64_t{reader.row()} << 32U | reader.col();
    if (reader.row() >= side || reader.col() >= side || (i != 0 && key <= before)) return false;
    // What continues a run says so, but for those of 32.
    if (i % 32 != 0 && reader.starts_run(i) && key == before + 1) return false;
    before = key;
  }
  return reader.ended();
}

unsigned find(const std::uint32_t* from, unsigned, std::uint32_t detail, unsigned leaves,
              std::uint32_t offset) {
  const std::uint32_t key = line_key(offset, line_axis::rows);
  run_reader reader(from, detail, leaves);
  for (unsigned i = 0; i < leaves; ++i) {
    reader.next(i);
    const std::uint32_t here = reader.row() << 16U | reader.col();
    if (here >= key) return here == key ? i : leaves;
  }
  return leaves;
}

void order(std::span<const std::uint32_t> offsets, unsigned, std::uint32_t,
           std::span<std::uint16_t> numbers) {
  order_by_lines(offsets, line_axis::rows, numbers);
}

}  // namespace

const kind_functions runs_kind = {"runs", measure, encode, words, decode, valid, find, order};

}  // namespace baltoro::format
