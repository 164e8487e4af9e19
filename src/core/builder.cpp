#include <baltoro/builder.hpp>
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/encode.hpp"
#include "core/morton_sort.hpp"
#include "core/run_file.hpp"
#include "cuda/build/construction.hpp"
#include "format/adaptive/leaves.hpp"
#include "format/level_order_encoder.hpp"

namespace baltoro {
namespace {

// Edges are kept in chunks, so that growing never copies and a sort can free what it has read.
constexpr std::size_t chunk_codes = 1U << 17U;

// The bounds of what was added.
struct extent {
  shape seen;

  void include(std::span<const edge> edges, const std::optional<shape>& dims) {
    const shape limit = dims.value_or(shape{max_dimension, max_dimension});
    index_t row = 0;
    index_t col = 0;
    for (const edge& e : edges) {
      row = std::max(row, e.row);
      col = std::max(col, e.col);
    }
    if (edges.empty()) return;
    if (row >= limit.rows || col >= limit.cols) {
      const auto outside = std::find_if(edges.begin(), edges.end(), [&](const edge& e) {
        return e.row >= limit.rows || e.col >= limit.cols;
      });
      core::refuse_cell(*outside, limit);
    }
    seen = {std::max(seen.rows, row + 1), std::max(seen.cols, col + 1)};
  }

  void grow_to(shape at_least, const std::optional<shape>& dims) {
    if (dims && (at_least.rows > dims->rows || at_least.cols > dims->cols)) {
      throw invalid_argument(
          fmt::format("a {}x{} matrix does not fit the shape {}x{} that was given", at_least.rows,
                      at_least.cols, dims->rows, dims->cols));
    }
    seen = {std::max(seen.rows, at_least.rows), std::max(seen.cols, at_least.cols)};
  }
};

}  // namespace

class builder::impl {
 public:
  explicit impl(build_options given) : options(std::move(given)) { core::check(options); }

  build_options options;
  extent bounds;

  void add(std::span<const edge> edges) {
    bounds.include(edges, options.dims);
    emptied_by_failure guard{*this};
    while (!edges.empty()) {
      if (chunks.empty() || chunks.back().size() == chunk_codes) {
        if (options.memory_bytes != 0 && 16 * (held() + chunk_codes) > run_bytes()) write_run();
        chunks.emplace_back().reserve(chunk_codes);
      }
      auto& chunk = chunks.back();
      const std::size_t count = std::min(edges.size(), chunk_codes - chunk.size());
      for (const edge& e : edges.first(count)) chunk.push_back(morton::encode(e.row, e.col));
      edges = edges.subspan(count);
    }
    guard.failed = false;
  }

  matrix finish() {
    const shape dims = options.dims.value_or(bounds.seen);
    const emptied_by_failure guard{*this};  // by success too: a finished builder starts afresh
    if (resolve(options.where) == device::cuda) {
      add_to_construction();
      return on_device->finish(dims);
    }
    if (!runs) {
      report("sorting", 0, held());
      core::code_array sorted = sort_chunks();
      report("encoding", 0, sorted.size);
      return core::encode_sorted(std::move(sorted), dims, options);
    }
    write_run();
    if (options.kind == layout::adaptive) {
      const base::array_place place{true, options.temporary_directory};
      format::leaf_collector leaves(place);
      merge_runs([&](std::span<std::uint64_t> codes) { leaves.add(codes); });
      runs.reset();
      return core::encode_leaves(leaves.finish(), dims, place, options);
    }
    format::level_order_encoder encoder(levels_for(dims));
    encoder.spill_beyond(options.memory_bytes / 8, options.temporary_directory);
    merge_runs([&](std::span<std::uint64_t> codes) { encoder.add(codes); });
    return encoder.finish(dims, options.directory_step);
  }

 private:
  template <class Take>
  void merge_runs(const Take& take) const {
    std::uint64_t done = 0;
    const std::uint64_t total = runs->codes();
    runs->merge(merge_bytes(), [&](std::span<std::uint64_t> codes) {
      report("merging", done, total);
      done += codes.size();
      take(codes);
    });
  }

  // Half of the edges would make a wrong matrix, so what fails leaves a builder without any.
  struct emptied_by_failure {
    impl& owner;
    bool failed = true;
    ~emptied_by_failure() {
      if (failed) owner.clear();
    }
  };

  void clear() {
    bounds = {};
    chunks.clear();
    runs.reset();
    on_device.reset();
  }

  std::size_t held() const {
    return chunks.empty() ? 0 : (chunks.size() - 1) * chunk_codes + chunks.back().size();
  }

  // What edges may take before they become a run: the rest is for buffers and the process itself.
  std::uint64_t run_bytes() const { return options.memory_bytes / 8 * 5; }
  // What merging runs may take.
  std::uint64_t merge_bytes() const { return options.memory_bytes / 8 * 3; }

  void report(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
    if (options.progress) options.progress({stage, done, total, "edges"});
  }

  core::code_array sort_chunks() {
    core::code_array sorted = core::sort_codes(core::sort_input{
        .pieces = chunks.size(),
        .count = [&](std::size_t i) { return chunks[i].size(); },
        .load =
            [&](std::size_t i, std::size_t first, std::span<std::uint64_t> into) {
              std::copy_n(chunks[i].data() + first, into.size(), into.data());
            },
        .release = [&](std::size_t i) { chunks[i] = {}; },
    });
    chunks = {};
    return sorted;
  }

  void add_to_construction() {
    if (!on_device) on_device.emplace(options, held());
    for (auto& chunk : chunks) {
      on_device->add_keys(chunk);
      chunk = {};
    }
    chunks.clear();
  }

  void write_run() {
    if (chunks.empty()) return;
    if (resolve(options.where) == device::cuda) {
      add_to_construction();
      return;
    }
    report("sorting a run", runs ? runs->codes() : 0, 0);
    {
      core::code_array sorted = sort_chunks();
      const auto all = sorted.span();
      const auto unique =
          all.first(static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin()));
      if (!runs) runs.emplace(options.temporary_directory);
      runs->append(unique);
    }
    // So any limit does for any number of edges: a small one takes longer.
    if (runs->runs() >= core::run_file::most_runs(merge_bytes())) {
      report("merging runs", 0, runs->codes());
      runs->fold(merge_bytes());
    }
  }

  std::vector<std::vector<std::uint64_t>> chunks;
  std::optional<core::run_file> runs;
  std::optional<cuda::construction> on_device;
};

builder::builder(build_options options) : impl_(std::make_unique<impl>(std::move(options))) {}
builder::~builder() = default;
builder::builder(builder&&) noexcept = default;
builder& builder::operator=(builder&&) noexcept = default;

void builder::add(std::span<const edge> edges) { impl_->add(edges); }

void builder::grow_to(shape at_least) { impl_->bounds.grow_to(at_least, impl_->options.dims); }

shape builder::dims() const { return impl_->options.dims.value_or(impl_->bounds.seen); }

matrix builder::finish() { return impl_->finish(); }

matrix build(std::span<const edge> edges, const build_options& options) {
  core::check(options);
  if (resolve(options.where) == device::cuda) {
    cuda::construction on_device(options, edges.size());
    on_device.add_edges(edges);
    return on_device.finish(options.dims.value_or(on_device.seen()));
  }
  if (options.memory_bytes != 0) {
    builder limited(options);
    limited.add(edges);
    return limited.finish();
  }
  extent bounds;
  bounds.include(edges, options.dims);
  if (options.progress) options.progress({"building", 0, edges.size(), "edges"});
  return core::encode_sorted(core::sort_codes(edges), options.dims.value_or(bounds.seen), options);
}

build_memory build_needs(std::uint64_t edges, const build_options& options) {
  core::check(options);
  if (resolve(options.where) != device::cuda) return {};
  return cuda::construction::needs(options, edges);
}

matrix transpose(const matrix& a, const build_options& options) {
  build_options turned = options;
  turned.dims = shape{a.cols(), a.rows()};
  builder cells(std::move(turned));
  std::vector<edge> batch;
  a.for_each([&](std::span<const edge> edges) {
    batch.clear();
    for (const edge& e : edges) batch.push_back({e.col, e.row});
    cells.add(batch);
  });
  return cells.finish();
}

}  // namespace baltoro
