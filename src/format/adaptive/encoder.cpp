#include "format/adaptive/encoder.hpp"

#include <algorithm>

#include <tbb/parallel_for.h>

#include "format/adaptive/contents.hpp"
#include "format/adaptive/dictionary.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/partition.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

struct leaf_list {
  std::vector<std::uint64_t> codes;
  std::vector<std::uint64_t> patterns;
  std::uint64_t cells = 0;
};

leaf_list gather_leaves(std::span<const std::uint64_t> cells) {
  leaf_list leaves;
  for (const std::uint64_t cell : cells) {
    if (leaves.codes.empty() || leaves.codes.back() != cell >> 6U) {
      leaves.codes.push_back(cell >> 6U);
      leaves.patterns.push_back(0);
    }
    leaves.patterns.back() |= cell_bit(cell);
  }
  for (const std::uint64_t pattern : leaves.patterns) leaves.cells += popcount(pattern);
  return leaves;
}

// One container between measuring and writing.
struct planned {
  std::uint32_t kind = 0;
  encoded_size positions;
  std::uint32_t words = 0;  // of the whole payload
};

// What both passes need of a container.
struct container_leaves {
  container_leaves(const leaf_list& all, const pattern_index& index, const cut& where) {
    const std::uint64_t corner = all.codes[where.first] >> (2 * where.level) << (2 * where.level);
    offsets.reserve(where.leaves);
    names.reserve(where.leaves);
    for (std::uint64_t i = where.first; i < where.first + where.leaves; ++i) {
      offsets.push_back(static_cast<std::uint32_t>(all.codes[i] - corner));
      names.push_back({index.find(all.patterns[i]), all.patterns[i]});
    }
  }
  std::vector<std::uint32_t> offsets;
  std::vector<leaf_name> names;
};

planned plan_container(const leaf_classes& classes, const container_leaves& leaves,
                       unsigned level) {
  planned best;
  std::uint32_t least = ~0U;
  for (std::uint32_t kind = 0; kind < container_kinds; ++kind) {
    const auto size = kind_of(kind).measure(leaves.offsets, level);
    if (!size || size->words + kind_of(kind).time_words >= least) continue;
    best.kind = kind;
    best.positions = *size;
    least = size->words + kind_of(kind).time_words;
  }
  best.words = 1 + best.positions.words + measure_contents(classes, leaves.names);
  return best;
}

}  // namespace

std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, std::span<const std::uint64_t> codes,
                                                 const encode_options& options) {
  const leaf_list leaves = gather_leaves(codes);
  dictionary words = choose_dictionary(leaves.patterns);
  const pattern_index index(words);
  const std::vector<cut> cuts = partition(leaves.codes, options.most_leaves);
  auto result = std::make_unique<adaptive_arrays>();
  std::vector<planned> plans(cuts.size());
  tbb::parallel_for(std::size_t{0}, cuts.size(), [&](std::size_t i) {
    const container_leaves of(leaves, index, cuts[i]);
    plans[i] = plan_container(words.classes, of, cuts[i].level);
  });
  std::uint64_t at = 0;
  result->places.reserve(cuts.size());
  result->starts.reserve(cuts.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (i % adaptive_view::containers_per_base == 0) result->start_bases.push_back(at);
    result->starts.push_back(static_cast<std::uint16_t>(at - result->start_bases.back()));
    result->places.push_back(leaves.codes[cuts[i].first] << 4U | cuts[i].level);
    at += plans[i].words;
  }
  result->payload.resize(at + 1);
  tbb::parallel_for(std::size_t{0}, cuts.size(), [&](std::size_t i) {
    const container_leaves of(leaves, index, cuts[i]);
    const planned& plan = plans[i];
    std::uint32_t* to = result->payload.data() +
                        result->start_bases[i / adaptive_view::containers_per_base] +
                        result->starts[i];
    *to++ = container_header::of(cuts[i].leaves, plan.kind, plan.positions.detail).word;
    kind_of(plan.kind).encode(of.offsets, cuts[i].level, plan.positions.detail, to);
    encode_contents(words.classes, of.names, to + plan.positions.words);
  });
  result->dictionary = std::move(words.patterns);
  adaptive_view& view = result->view;
  view.dims = dims;
  view.nnz = leaves.cells;
  view.leaves = leaves.codes.size();
  view.containers = cuts.size();
  view.payload_words = result->payload.size();
  view.patterns = result->dictionary.size();
  view.classes = words.classes;
  view.places = result->places.data();
  view.starts = result->starts.data();
  view.start_bases = result->start_bases.data();
  view.payload = result->payload.data();
  view.dictionary = result->dictionary.data();
  return result;
}

}  // namespace baltoro::format
