#include "cuda/build/construction.hpp"

#include <baltoro/device.hpp>
#include <baltoro/level_order.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>

#include "core/encode.hpp"
#include "cuda/build/budget.hpp"
#include "cuda/build/key_runs.hpp"
#include "cuda/build/leaf_encoder.hpp"
#include "cuda/build/staging.hpp"
#include "cuda/build/steps.hpp"
#include "cuda/build/workspace.hpp"
#include "format/level_order_encoder.hpp"

namespace baltoro::cuda {
namespace {

// Edges uploaded between two reports.
constexpr std::uint64_t edges_a_report = std::uint64_t{1} << 25U;

template <class T>
std::span<const T> values(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

class construction::impl {
 public:
  impl(const build_options& options, std::uint64_t at_once)
      : options_(options),
        space_(workspace_keys(options, at_once)),
        runs_({options.memory_bytes != 0, options.temporary_directory}) {}

  void add(const void* items, std::uint64_t count, bool are_keys) {
    static_assert(sizeof(edge) == sizeof(std::uint64_t));
    const auto* from = static_cast<const std::byte*>(items);
    while (count != 0) {
      if (sorted_ != 0) keep_run();
      const std::uint64_t some = std::min({count, space_.keys() - filled_, edges_a_report});
      report("uploading", added_);
      transfer_.upload(space_.array(0) + filled_, from, 8 * some);
      include(make_keys(space_, filled_, some, are_keys, work_.get()), some);
      filled_ += some;
      added_ += some;
      from += 8 * some;
      count -= some;
      if (filled_ == space_.keys()) sort();
    }
  }

  shape seen() const { return seen_; }

  matrix finish(shape dims) {
    if (filled_ != 0) sort();
    if (runs_.runs() != 0 && sorted_ != 0) keep_run();
    return options_.kind == layout::adaptive ? finish_adaptive(dims) : finish_level_order(dims);
  }

 private:
  // Takes note of the greatest row and column of what was made keys last.
  void include(edge greatest, std::uint64_t count) {
    const shape limit = options_.dims.value_or(shape{max_dimension, max_dimension});
    if (greatest.row >= limit.rows || greatest.col >= limit.cols) refuse(limit, count);
    seen_ = {std::max(seen_.rows, greatest.row + 1), std::max(seen_.cols, greatest.col + 1)};
  }

  [[noreturn]] void refuse(shape limit, std::uint64_t count) {
    edge outside;
    bool found = false;
    transfer_.download(space_.array(0) + filled_, 8 * count, [&](std::span<const std::byte> part) {
      for (const std::uint64_t key : values<std::uint64_t>(part)) {
        const edge cell{morton::row_of(key), morton::col_of(key)};
        if (found || (cell.row < limit.rows && cell.col < limit.cols)) continue;
        outside = cell;
        found = true;
      }
    });
    core::refuse_cell(outside, limit);
  }

  void sort() {
    report("sorting", added_);
    space_.sort(filled_, 2 * levels_for(seen_), work_.get());
    sorted_ = drop_duplicates(space_, filled_, work_.get());
    filled_ = 0;
  }

  // Makes the sorted keys on the device a run.
  void keep_run() {
    if (!can_merge(space_.keys(), runs_.runs() + 1)) {
      refuse_budget(options_, added_ + space_.keys(), space_.bytes());
    }
    runs_.add([&](base::stored_array<std::uint64_t>& run) {
      if (options_.memory_bytes == 0) {
        run.resize(sorted_);
        transfer_.download(run.data(), space_.array(0), 8 * sorted_);
      } else {
        transfer_.download(space_.array(0), 8 * sorted_, [&](std::span<const std::byte> part) {
          run.append(values<std::uint64_t>(part));
        });
      }
    });
    sorted_ = 0;
  }

  // Calls take(cells) for all distinct keys, range by range, which are in array 0.
  template <class Take>
  void for_each_range(const Take& take) {
    std::uint64_t done = 0;
    if (runs_.runs() == 0) {
      report("encoding", done);
      if (sorted_ != 0) take(sorted_);
      return;
    }
    for (;;) {
      const key_runs::range range = runs_.next(space_.keys());
      if (range.keys == 0) return;
      report("encoding", done);
      std::uint64_t at = 0;
      for (const auto& part : range.parts) {
        transfer_.upload(space_.array(0) + at, part.data(), part.size_bytes());
        at += part.size();
      }
      space_.sort(range.keys, range.bits, work_.get());
      take(drop_duplicates(space_, range.keys, work_.get()));
      done += range.keys;
    }
  }

  format::level_order_encoder make_encoder(unsigned levels) const {
    format::level_order_encoder encoder(levels);
    if (runs_.runs() != 0 && options_.memory_bytes != 0) {
      encoder.spill_beyond(options_.memory_bytes / 8, options_.temporary_directory);
    }
    return encoder;
  }

  matrix finish_level_order(shape dims) {
    const unsigned levels = levels_for(dims);
    format::level_order_encoder all = make_encoder(levels);
    for_each_range([&](std::uint64_t nodes) {
      format::level_order_encoder some = make_encoder(levels);
      for (unsigned depth = levels; depth-- > 0;) {
        nodes = make_parents(space_, nodes, work_.get());
        auto& level = some.begin_level(depth, read_value(space_.array(0), work_.get()),
                                       read_value(space_.array(0) + (nodes - 1), work_.get()));
        std::uint64_t left = nodes;
        transfer_.download(space_.array(2), 8 * ((nodes + 15) / 16),
                           [&](std::span<const std::byte> part) {
                             const auto words = values<std::uint64_t>(part);
                             const std::uint64_t here = std::min(left, 16 * words.size());
                             level.append_packed(words, 0, here);
                             left -= here;
                           });
      }
      all.append(std::move(some));
    });
    return all.finish(dims, options_.directory_step);
  }

  matrix finish_adaptive(shape dims) {
    const base::array_place place = core::place_of_leaves(options_, added_);
    leaf_encoder leaves(space_, transfer_, work_.get(), options_, place);
    for_each_range([&](std::uint64_t cells) {
      leaves.add(make_leaves(space_, cells, work_.get()), cells, runs_.runs() == 0);
    });
    return leaves.finish(dims);
  }

  void report(std::string_view stage, std::uint64_t done) const {
    if (options_.progress) options_.progress({stage, done, added_ == done ? 0 : added_, "edges"});
  }

  build_options options_;
  stream work_;
  workspace space_;
  staging transfer_{work_.get()};
  key_runs runs_;
  shape seen_;
  std::uint64_t added_ = 0;
  std::uint64_t filled_ = 0;  // keys in array 0 that are not sorted
  std::uint64_t sorted_ = 0;  // or those that are, distinct
};

construction::construction(const build_options& options, std::uint64_t at_once)
    : impl_(std::make_unique<impl>(options, at_once)) {}
construction::~construction() = default;

void construction::add_edges(std::span<const edge> edges) {
  impl_->add(edges.data(), edges.size(), false);
}
void construction::add_keys(std::span<const std::uint64_t> keys) {
  impl_->add(keys.data(), keys.size(), true);
}
shape construction::seen() const { return impl_->seen(); }
matrix construction::finish(shape dims) { return impl_->finish(dims); }

build_memory construction::needs(const build_options& options, std::uint64_t edges) {
  return {workspace::bytes(workspace_keys(options, edges)), smallest_budget(edges)};
}

}  // namespace baltoro::cuda
