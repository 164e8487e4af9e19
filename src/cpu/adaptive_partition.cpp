#include "cpu/adaptive_partition.hpp"

#include <baltoro/morton.hpp>

#include <algorithm>

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

namespace baltoro::cpu {
namespace {

// A group with more than this part of all payload words is cut, unless it has fewer than so many.
constexpr std::uint64_t shares = 64;
constexpr std::uint64_t least_share = 8192;

struct placed {
  std::uint64_t out;        // first output of its square, in leaves
  std::uint64_t container;  // its number
  unsigned phase;           // the level it is worked off with
};

std::uint64_t payload_words(const adaptive_view& a, std::uint64_t container) {
  const std::uint32_t* const end =
      container + 1 < a.containers ? a.payload_of(container + 1) : a.payload + a.payload_words - 1;
  return static_cast<std::uint64_t>(end - a.payload_of(container));
}

}  // namespace

adaptive_partition::adaptive_partition(const adaptive_view& a, direction side) {
  const std::uint64_t outputs = side == direction::right ? a.dims.rows : a.dims.cols;
  std::vector<placed> all(a.containers);
  tbb::parallel_for(std::uint64_t{0}, a.containers, [&](std::uint64_t i) {
    const unsigned level = a.level(i);
    const std::uint64_t corner = a.first_leaf(i) >> (2 * level) << (2 * level);
    all[i] = {side == direction::right ? morton::row_of(corner) : morton::col_of(corner), i,
              std::max(level, strip_level)};
  });
  for (const placed& p : all) band_level = std::max(band_level, p.phase);
  bands = (outputs + band_side() - 1) / band_side();
  const auto before = [this](const placed& p, const placed& q) {
    const std::uint64_t p_band = p.out >> band_level;
    const std::uint64_t q_band = q.out >> band_level;
    if (p_band != q_band) return p_band < q_band;
    if (p.phase != q.phase) return p.phase > q.phase;
    const std::uint64_t p_group = p.out >> p.phase;
    const std::uint64_t q_group = q.out >> q.phase;
    return p_group != q_group ? p_group < q_group : p.container < q.container;
  };
  tbb::parallel_sort(all.begin(), all.end(), before);

  order.reserve(all.size());
  first_phase.reserve(bands + 1);
  std::uint64_t work = 0;  // of the last piece
  for (std::size_t i = 0; i < all.size(); ++i) {
    const placed& p = all[i];
    const bool new_band = i == 0 || p.out >> band_level != all[i - 1].out >> band_level;
    const bool new_phase = new_band || p.phase != all[i - 1].phase;
    const bool new_group = new_phase || p.out >> p.phase != all[i - 1].out >> p.phase;
    while (new_band && first_phase.size() <= p.out >> band_level)
      first_phase.push_back(phases.size());
    if (new_phase) {
      phases.push_back({p.phase, groups.size(), groups.size(), pieces.size(), pieces.size()});
    }
    if (new_group) {
      groups.push_back({pieces.size(), pieces.size(), p.out >> p.phase << p.phase});
      ++phases.back().groups_end;
      work = 0;
    }
    const std::uint64_t group_side = std::uint64_t{1} << (p.phase + adaptive_view::leaf_log2);
    const std::uint64_t share = std::max({a.payload_words / shares, least_share, group_side / 2});
    const std::uint64_t words = payload_words(a, p.container);
    if (new_group || work + words > share) {
      pieces.push_back({i, i, groups.back().first_out, private_outputs, !new_group});
      if (!new_group) private_outputs += group_side;
      ++groups.back().pieces_end;
      ++phases.back().pieces_end;
      work = 0;
    }
    order.push_back(p.container);
    ++pieces.back().end;
    work += words;
  }
  while (first_phase.size() <= bands) first_phase.push_back(phases.size());
}

std::uint64_t adaptive_partition::bytes() const {
  return order.capacity() * sizeof(std::uint64_t) + pieces.capacity() * sizeof(piece) +
         groups.capacity() * sizeof(group) + phases.capacity() * sizeof(phase) +
         first_phase.capacity() * sizeof(std::uint64_t);
}

}  // namespace baltoro::cpu
