#include "core/encode.hpp"

#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/threads.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "format/adaptive/encoder.hpp"
#include "format/level_order_encoder.hpp"

namespace baltoro {
namespace core {
namespace {

constexpr std::uint64_t smallest_limit = 16ULL << 20U;

// Encodes sorted codes on all threads: one encoder a piece, joined in order.
format::level_order_encoder encode(unsigned levels, std::span<std::uint64_t> codes) {
  constexpr std::size_t smallest_piece = 1U << 18U;
  const std::size_t pieces =
      std::clamp<std::size_t>(codes.size() / smallest_piece, 1, thread_limit::current());
  std::vector<format::level_order_encoder> encoders;
  for (std::size_t piece = 0; piece < pieces; ++piece) encoders.emplace_back(levels);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = codes.size() * piece / pieces;
    const std::size_t end = codes.size() * (piece + 1) / pieces;
    encoders[piece].add(codes.subspan(begin, end - begin));
  });
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    encoders[0].append(std::move(encoders[piece]));
  }
  return std::move(encoders[0]);
}

}  // namespace

void check(const build_options& options) {
  const std::uint32_t step = options.directory_step;
  if (!std::has_single_bit(step) || step < 16 || step > 16384) {
    throw invalid_argument(
        fmt::format("directory step {}: it must be a power of two from 16 to 16384", step));
  }
  if (options.container_leaves == 0 || options.container_leaves > adaptive_view::max_leaves) {
    throw invalid_argument(fmt::format("containers of {} leaves: it must be from 1 to {}",
                                       options.container_leaves, adaptive_view::max_leaves));
  }
  if (options.memory_bytes != 0 && options.memory_bytes < smallest_limit) {
    throw invalid_argument(fmt::format("memory limit of {} bytes: it must be at least {} (16 MiB)",
                                       options.memory_bytes, smallest_limit));
  }
  resolve(options.where);
}

void refuse_cell(edge outside, shape limit) {
  throw invalid_argument(fmt::format("cell ({}, {}) lies outside the {}x{} matrix", outside.row,
                                     outside.col, limit.rows, limit.cols));
}

// Where there is one leaf a cell, leaves of cells that fit the limit may exceed it.
base::array_place place_of_leaves(const build_options& options, std::uint64_t cells) {
  constexpr std::uint64_t bytes_a_leaf = 48;
  return {options.memory_bytes != 0 && bytes_a_leaf * cells > options.memory_bytes,
          options.temporary_directory};
}

matrix encode_leaves(format::leaf_list leaves, shape dims, const base::array_place& place,
                     const build_options& options) {
  std::shared_ptr<format::adaptive_arrays> arrays = format::encode_adaptive(
      dims, std::move(leaves),
      {.most_leaves = options.container_leaves, .place = place, .progress = options.progress});
  const adaptive_view view = arrays->view;
  const matrix result(view, std::move(arrays), place.on_disk);
  result.release_pages();
  return result;
}

matrix encode_sorted(code_array sorted, shape dims, const build_options& options) {
  if (options.kind == layout::adaptive) {
    const base::array_place place = place_of_leaves(options, sorted.size);
    format::leaf_list leaves;
    if (place.on_disk) {
      format::leaf_collector collector(place);
      collector.add(sorted.span());
      leaves = collector.finish();
    } else {
      leaves = format::gather_leaves(sorted.span());
    }
    sorted = {};
    return encode_leaves(std::move(leaves), dims, place, options);
  }
  auto encoder = encode(levels_for(dims), sorted.span());
  sorted = {};
  return encoder.finish(dims, options.directory_step);
}

}  // namespace core

matrix convert(const matrix& a, layout to, const build_options& options) {
  core::check(options);
  if (a.kind() == to) return a;
  const base::array_place place = core::place_of_leaves(options, a.nnz());
  const auto for_each_batch = [&](const auto& take) {
    std::vector<std::uint64_t> codes;
    std::uint64_t done = 0;
    a.for_each([&](std::span<const edge> edges) {
      constexpr std::uint64_t report_edges = 1U << 18U;
      if (options.progress && done / report_edges != (done + edges.size()) / report_edges) {
        options.progress({"converting", done, a.nnz(), "edges"});
      }
      done += edges.size();
      codes.clear();
      for (const edge& e : edges) codes.push_back(morton::encode(e.row, e.col));
      take(codes);
    });
  };
  if (to == layout::adaptive) {
    format::leaf_collector leaves(place);
    for_each_batch([&](std::span<std::uint64_t> codes) { leaves.add(codes); });
    return core::encode_leaves(leaves.finish(), a.dims(), place, options);
  }
  format::level_order_encoder encoder(levels_for(a.dims()));
  if (place.on_disk) encoder.spill_beyond(options.memory_bytes / 8, options.temporary_directory);
  for_each_batch([&](std::span<std::uint64_t> codes) { encoder.add(codes); });
  return encoder.finish(a.dims(), options.directory_step);
}

}  // namespace baltoro
