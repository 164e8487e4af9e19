#include "format/adaptive/encoder.hpp"

#include <algorithm>
#include <vector>

#include <tbb/parallel_for.h>

#include "format/adaptive/choose_kind.hpp"
#include "format/adaptive/contents.hpp"
#include "format/adaptive/dictionary.hpp"
#include "format/adaptive/kinds.hpp"
#include "format/adaptive/partition.hpp"
#include "format/adaptive/pattern.hpp"

namespace baltoro::format {
namespace {

// Containers worked off between two reports: their leaves take at most 8 MiB.
constexpr std::uint64_t containers_a_batch = 1024;
// Containers that one thread encodes at a time.
constexpr std::uint64_t containers_a_part = 8;

// Some containers' payloads, one after the other.
class payload_part {
 public:
  payload_part(const leaf_list& leaves, const leaf_classes& classes, const pattern_index& index)
      : leaves_(leaves),
        classes_(classes),
        index_(index),
        weight_(weigh_time(leaves.cells, leaves.codes.size())) {}

  void add(const cut& where) {
    name_leaves(where);
    const kind_choice choice = choose_kind(offsets_, where.level, weight_);
    const auto number = static_cast<std::uint32_t>(choice.kind());
    const encoded_size positions = choice.size();
    const kind_functions& kind = kind_of(number);
    begins_.push_back(static_cast<std::uint32_t>(words_.size()));
    words_.resize(words_.size() + 1 + positions.words + measure_contents(classes_, names_));
    std::uint32_t* const to = words_.data() + begins_.back();
    to[0] = container_header::of(where.leaves, number, positions.detail).word;
    if (kind.order != nullptr) {
      numbers_.resize(names_.size());
      kind.order(offsets_, where.level, positions.detail, numbers_);
      put_in_order(offsets_, other_offsets_);
      put_in_order(names_, other_names_);
    }
    kind.encode(offsets_, where.level, positions.detail, to + 1);
    encode_contents(classes_, names_, to + 1 + positions.words);
  }

  std::span<const std::uint32_t> words() const { return words_; }
  // Where each container begins.
  std::span<const std::uint32_t> begins() const { return begins_; }

 private:
  void name_leaves(const cut& where) {
    const std::uint64_t corner = leaves_.codes[where.first] >> (2 * where.level)
                                                                   << (2 * where.level);
    offsets_.clear();
    names_.clear();
    const std::uint64_t* const codes = leaves_.codes.data();
    const std::uint64_t* const patterns = leaves_.patterns.data();
    for (std::uint64_t i = where.first; i < where.first + where.leaves; ++i) {
      offsets_.push_back(static_cast<std::uint32_t>(codes[i] - corner));
      names_.push_back({index_.find(patterns[i]), patterns[i]});
    }
  }

  template <class T>
  void put_in_order(std::vector<T>& of_leaves, std::vector<T>& other) const {
    other.clear();
    for (const std::uint16_t k : numbers_) other.push_back(of_leaves[k]);
    of_leaves.swap(other);
  }

  const leaf_list& leaves_;
  const leaf_classes& classes_;
  const pattern_index& index_;
  unsigned weight_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> begins_;
  // Of the container that is being added.
  std::vector<std::uint32_t> offsets_;
  std::vector<leaf_name> names_;
  std::vector<std::uint32_t> other_offsets_;
  std::vector<leaf_name> other_names_;
  std::vector<std::uint16_t> numbers_;
};

}  // namespace

void container_writer::begin(std::uint64_t place, std::uint64_t begin) {
  if (containers_++ % adaptive_view::containers_per_base == 0) {
    base_ = begin;
    into_.start_bases.push_back(begin);
  }
  into_.starts.push_back(static_cast<std::uint16_t>(begin - base_));
  into_.places.push_back(place);
}

void container_writer::finish(shape dims, std::uint64_t cells, std::uint64_t leaves,
                              dictionary patterns) {
  constexpr std::uint32_t padding[] = {0};  // what reads a bit too far reads this
  append(padding);
  into_.payload.finish();
  into_.places.finish();
  into_.starts.finish();
  into_.start_bases.finish();
  into_.dictionary = std::move(patterns.patterns);
  adaptive_view& view = into_.view;
  view.dims = dims;
  view.nnz = cells;
  view.leaves = leaves;
  view.containers = into_.places.size();
  view.payload_words = into_.payload.size();
  view.patterns = into_.dictionary.size();
  view.classes = patterns.classes;
  view.places = into_.places.data();
  view.starts = into_.starts.data();
  view.start_bases = into_.start_bases.data();
  view.payload = into_.payload.data();
  view.dictionary = into_.dictionary.data();
}

std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, leaf_list leaves,
                                                 const encode_options& options) {
  auto result = std::make_unique<adaptive_arrays>(options.place);
  dictionary words = choose_dictionary(leaves.patterns.span(), options.place);
  leaves.patterns.release();
  const pattern_index index(words, options.place);
  const base::stored_array<cut> cuts =
      partition(leaves.codes.span(), options.most_leaves, options.place);
  container_writer writer(*result);
  const auto report = [&](std::uint64_t done) {
    if (options.progress) options.progress({"encoding", done, leaves.codes.size(), "leaves"});
  };
  for (std::uint64_t first = 0; first < cuts.size(); first += containers_a_batch) {
    const std::uint64_t last = std::min(cuts.size(), first + containers_a_batch);
    const std::uint64_t first_leaf = cuts[first].first;
    report(first_leaf);
    std::vector<payload_part> parts((last - first + containers_a_part - 1) / containers_a_part,
                                    payload_part(leaves, words.classes, index));
    tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
      const std::uint64_t begin = first + part * containers_a_part;
      for (std::uint64_t i = begin; i < std::min(last, begin + containers_a_part); ++i) {
        parts[part].add(cuts[i]);
      }
    });
    std::uint64_t i = first;
    for (const payload_part& part : parts) {
      for (const std::uint32_t begin : part.begins()) {
        writer.begin(leaves.codes[cuts[i].first] << 4U | cuts[i].level, writer.words() + begin);
        ++i;
      }
      writer.append(part.words());
    }
    const std::uint64_t last_leaf = cuts[last - 1].first + cuts[last - 1].leaves;
    leaves.codes.release(first_leaf, last_leaf);
    leaves.patterns.release(first_leaf, last_leaf);
  }
  report(leaves.codes.size());
  writer.finish(dims, leaves.cells, leaves.codes.size(), std::move(words));
  return result;
}

std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, std::span<const std::uint64_t> codes,
                                                 const encode_options& options) {
  return encode_adaptive(dims, gather_leaves(codes), options);
}

}  // namespace baltoro::format
