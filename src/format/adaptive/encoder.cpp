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

// Containers worked off between two reports: their leaves take at most 8 MiB.
constexpr std::uint64_t containers_a_batch = 1024;

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

// Both passes over all containers: calls work(i) from many threads, batch after batch.
class container_passes {
 public:
  container_passes(const leaf_list& leaves, const base::stored_array<cut>& cuts,
                   const progress_callback& progress)
      : leaves_(leaves), cuts_(cuts), progress_(progress) {}

  // passed(first, last) is called after each batch.
  template <class Work, class Passed>
  void run(const Work& work, const Passed& passed) {
    for (std::uint64_t first = 0; first < cuts_.size(); first += containers_a_batch) {
      const std::uint64_t last = std::min(cuts_.size(), first + containers_a_batch);
      const std::uint64_t first_leaf = cuts_[first].first;
      const std::uint64_t last_leaf = cuts_[last - 1].first + cuts_[last - 1].leaves;
      if (progress_) {
        progress_({"encoding", done_ + first_leaf, 2 * leaves_.codes.size(), "leaves"});
      }
      tbb::parallel_for(first, last, work);
      leaves_.codes.release(first_leaf, last_leaf);
      leaves_.patterns.release(first_leaf, last_leaf);
      passed(first, last);
    }
    done_ += leaves_.codes.size();
  }

 private:
  const leaf_list& leaves_;
  const base::stored_array<cut>& cuts_;
  const progress_callback& progress_;
  std::uint64_t done_ = 0;
};

void set_view(adaptive_arrays& arrays, shape dims, const leaf_list& leaves,
              const leaf_classes& classes) {
  adaptive_view& view = arrays.view;
  view.dims = dims;
  view.nnz = leaves.cells;
  view.leaves = leaves.codes.size();
  view.containers = arrays.places.size();
  view.payload_words = arrays.payload.size();
  view.patterns = arrays.dictionary.size();
  view.classes = classes;
  view.places = arrays.places.data();
  view.starts = arrays.starts.data();
  view.start_bases = arrays.start_bases.data();
  view.payload = arrays.payload.data();
  view.dictionary = arrays.dictionary.data();
}

}  // namespace

std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, leaf_list leaves,
                                                 const encode_options& options) {
  auto result = std::make_unique<adaptive_arrays>(options.place);
  dictionary words = choose_dictionary(leaves.patterns.span(), options.place);
  leaves.patterns.release();
  const pattern_index index(words, options.place);
  const base::stored_array<cut> cuts =
      partition(leaves.codes.span(), options.most_leaves, options.place);
  base::stored_array<planned> plans(options.place);
  plans.resize(cuts.size());
  container_passes passes(leaves, cuts, options.progress);
  passes.run(
      [&](std::uint64_t i) {
        const container_leaves of(leaves, index, cuts[i]);
        plans[i] = plan_container(words.classes, of, cuts[i].level);
      },
      [](std::uint64_t, std::uint64_t) {});
  constexpr std::uint64_t per_base = adaptive_view::containers_per_base;
  std::uint64_t at = 0;
  result->places.resize(cuts.size());
  result->starts.resize(cuts.size());
  result->start_bases.resize((cuts.size() + per_base - 1) / per_base);
  for (std::uint64_t i = 0; i < cuts.size(); ++i) {
    if (i % per_base == 0) result->start_bases[i / per_base] = at;
    result->starts[i] = static_cast<std::uint16_t>(at - result->start_bases[i / per_base]);
    result->places[i] = leaves.codes[cuts[i].first] << 4U | cuts[i].level;
    at += plans[i].words;
  }
  result->payload.resize(at + 1);
  const auto begin_of = [&](std::uint64_t i) {
    return result->start_bases[i / per_base] + result->starts[i];
  };
  passes.run(
      [&](std::uint64_t i) {
        const container_leaves of(leaves, index, cuts[i]);
        const planned& plan = plans[i];
        std::uint32_t* to = result->payload.data() + begin_of(i);
        *to++ = container_header::of(cuts[i].leaves, plan.kind, plan.positions.detail).word;
        const kind_functions& kind = kind_of(plan.kind);
        kind.encode(of.offsets, cuts[i].level, plan.positions.detail, to);
        to += plan.positions.words;
        if (kind.order == nullptr) {
          encode_contents(words.classes, of.names, to);
        } else {
          std::vector<std::uint16_t> numbers(of.names.size());
          kind.order(of.offsets, cuts[i].level, plan.positions.detail, numbers);
          std::vector<leaf_name> names;
          for (const std::uint16_t k : numbers) names.push_back(of.names[k]);
          encode_contents(words.classes, names, to);
        }
      },
      [&](std::uint64_t first, std::uint64_t last) {
        result->payload.release(begin_of(first), begin_of(last - 1));
      });
  result->dictionary = std::move(words.patterns);
  set_view(*result, dims, leaves, words.classes);
  return result;
}

std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, std::span<const std::uint64_t> codes,
                                                 const encode_options& options) {
  return encode_adaptive(dims, gather_leaves(codes), options);
}

}  // namespace baltoro::format
