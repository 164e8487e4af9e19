// From arrays of NumPy to matrices.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gpu.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;
using dimensions = std::pair<std::int64_t, std::int64_t>;

constexpr std::size_t batch_edges = 1U << 14U;
constexpr std::size_t batches_between_reports = 64;

index_t dimension(std::int64_t size, const char* what) {
  if (size < 0 || size > std::int64_t{max_dimension}) {
    throw invalid_argument(fmt::format("a matrix of {} {} was asked for; 0 to {} are possible",
                                       size, what, max_dimension));
  }
  return static_cast<index_t>(size);
}

shape shape_of(const dimensions& dims) {
  return {dimension(dims.first, "rows"), dimension(dims.second, "columns")};
}

// An index that fits index_t; the builder looks whether it fits the matrix.
template <class Index>
index_t checked(Index index, const char* what, std::size_t at) {
  if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, max_dimension)) {
    throw invalid_argument(
        fmt::format("{} {} of edge {} is outside 0..{}", what, index, at, max_dimension - 1));
  }
  return static_cast<index_t>(index);
}

// Hands edges to a builder in batches, and looks for Ctrl-C between them.
class batched {
 public:
  batched(builder& to, const progress_callback& progress, std::uint64_t total)
      : to_(to), progress_(progress), total_(total) {}

  void add(edge e) {
    batch_[count_] = e;
    if (++count_ == batch_edges) flush();
  }

  void flush() {
    to_.add({batch_.data(), count_});
    done_ += count_;
    count_ = 0;
    if (++batches_ % batches_between_reports == 0) progress_({"adding", done_, total_, "edges"});
  }

 private:
  builder& to_;
  const progress_callback& progress_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::size_t batches_ = 0;
  std::size_t count_ = 0;
  std::array<edge, batch_edges> batch_;
};

template <class Index>
held_matrix from_edges(const array_in<const Index>& rows, const array_in<const Index>& cols,
                       const std::optional<dimensions>& dims, const build_options& given,
                       nb::handle progress) {
  build_options options = told_to(given, progress);
  if (dims) options.dims = shape_of(*dims);
  const auto from = span_of(rows);
  const auto to = span_of(cols);
  if (from.size() != to.size()) {
    throw invalid_argument(
        fmt::format("{} rows and {} columns make no edges: two arrays of equal "
                    "length are expected",
                    from.size(), to.size()));
  }
  const nb::gil_scoped_release no_gil;
  const progress_callback report = options.progress;
  builder cells(std::move(options));
  batched edges(cells, report, from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    edges.add({checked(from[i], "row", i), checked(to[i], "column", i)});
  }
  edges.flush();
  return held_matrix(cells.finish());
}

// Rows of column indices, as scipy.sparse.csr_array has them; `by_column` says that they are columns
// of row indices, as in csc_array. Everything in the arrays is checked.
template <class Index>
held_matrix from_compressed(const array_in<const Index>& indptr,
                            const array_in<const Index>& indices, const dimensions& dims,
                            bool by_column, const build_options& given, nb::handle progress) {
  build_options options = told_to(given, progress);
  options.dims = shape_of(dims);
  const index_t lines = by_column ? options.dims->cols : options.dims->rows;
  const auto begins = span_of(indptr);
  const auto all = span_of(indices);
  if (begins.size() != std::size_t{lines} + 1 || begins.front() != 0 ||
      std::cmp_greater(begins.back(), all.size())) {
    throw invalid_argument(
        fmt::format("indptr must have {} entries from 0 to at most the {} indices",
                    std::size_t{lines} + 1, all.size()));
  }
  const nb::gil_scoped_release no_gil;
  const progress_callback report = options.progress;
  builder cells(std::move(options));
  batched edges(cells, report, all.size());
  for (index_t line = 0; line < lines; ++line) {
    if (begins[line + 1] < begins[line] || std::cmp_greater(begins[line + 1], all.size())) {
      throw invalid_argument(
          fmt::format("indptr falls or exceeds the indices after entry {}", line));
    }
    for (auto i = static_cast<std::size_t>(begins[line]);
         i < static_cast<std::size_t>(begins[line + 1]); ++i) {
      const index_t other = checked(all[i], by_column ? "row" : "column", i);
      edges.add(by_column ? edge{other, line} : edge{line, other});
    }
  }
  edges.flush();
  return held_matrix(cells.finish());
}

template <class Index>
void bind_arrays_of(nb::module_& m) {
  m.def("from_edges", &from_edges<Index>, "rows"_a.noconvert(), "cols"_a.noconvert(),
        "dims"_a.none(), nb::kw_only(), "options"_a, "progress"_a.none());
  if constexpr (std::is_signed_v<Index>) {
    m.def("from_compressed", &from_compressed<Index>, "indptr"_a.noconvert(),
          "indices"_a.noconvert(), "dims"_a, "by_column"_a, nb::kw_only(), "options"_a,
          "progress"_a.none());
  }
}

// Pairs of 32-bit indices that lie in the memory of a GPU one after the other, as `edge` has them.
held_matrix from_edges_on_gpu(std::uintptr_t edges, std::uint64_t count, int gpu,
                              std::uintptr_t stream, const std::optional<dimensions>& dims,
                              const build_options& given, nb::handle progress) {
  build_options options = told_to(given, progress);
  if (dims) options.dims = shape_of(*dims);
  const nb::gil_scoped_release no_gil;
  const gpu_guard guard(gpu);
  wait_for(stream_of(stream));
  return held_matrix(build({reinterpret_cast<const edge*>(edges), count}, options));
}

layout layout_named(const std::string& name) {
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    if (name == name_of(kind)) return kind;
  }
  throw invalid_argument(fmt::format("there is no layout '{}'; there are '{}' and '{}'", name,
                                     name_of(layout::level_order), name_of(layout::adaptive)));
}

void bind_options(nb::module_& m) {
  const build_options usual;
  nb::class_<build_options>(m, "BuildOptions")
      .def(
          "__init__",
          [](build_options* made, const std::optional<std::string>& layout_name,
             std::uint64_t memory_bytes,
             const std::optional<std::filesystem::path>& temporary_directory,
             std::uint32_t directory_step, std::uint32_t container_leaves, const std::string& where,
             std::uint64_t device_memory_bytes) {
            new (made) build_options{
                .kind = layout_name ? layout_named(*layout_name) : default_layout,
                .memory_bytes = memory_bytes,
                .temporary_directory = temporary_directory.value_or(std::filesystem::path{}),
                .directory_step = directory_step,
                .container_leaves = container_leaves,
                .where = device_named(where),
                .device_memory_bytes = device_memory_bytes};
          },
          nb::kw_only(), "layout"_a = nb::none(), "memory_bytes"_a = usual.memory_bytes,
          "temporary_directory"_a = nb::none(), "directory_step"_a = usual.directory_step,
          "container_leaves"_a = usual.container_leaves, "device"_a = name_of(usual.where),
          "device_memory_bytes"_a = usual.device_memory_bytes)
      .def_prop_ro("layout", [](const build_options& o) { return name_of(o.kind); })
      .def_prop_ro("on_gpu",
                   [](const build_options& o) { return resolve(o.where) == device::cuda; });
}

}  // namespace

build_options told_to(const build_options& options, nb::handle told) {
  build_options made = options;
  made.progress = report_to(told);
  return made;
}

void bind_build(nb::module_& m) {
  bind_options(m);
  bind_arrays_of<std::int64_t>(m);
  bind_arrays_of<std::int32_t>(m);
  bind_arrays_of<std::uint32_t>(m);
  m.def("from_edges_on_gpu", &from_edges_on_gpu, "edges"_a, "count"_a, "gpu"_a, "stream"_a,
        "dims"_a.none(), nb::kw_only(), "options"_a, "progress"_a.none());
  m.def(
      "convert",
      [](const held_matrix& a, const build_options& given, nb::handle progress) {
        const build_options options = told_to(given, progress);
        const nb::gil_scoped_release no_gil;
        return held_matrix(convert(a.cells, options.kind, options));
      },
      "a"_a, nb::kw_only(), "options"_a, "progress"_a.none());
  m.def(
      "transpose",
      [](const held_matrix& a, const build_options& given, nb::handle progress) {
        const build_options options = told_to(given, progress);
        const nb::gil_scoped_release no_gil;
        return held_matrix(transpose(a.cells, options));
      },
      "a"_a, nb::kw_only(), "options"_a, "progress"_a.none());
  m.def(
      "build_needs",
      [](std::uint64_t edges, const build_options& options) {
        const build_memory needs = without_gil([&] { return build_needs(edges, options); });
        return nb::make_tuple(needs.device_bytes, needs.smallest_bytes);
      },
      "edges"_a, "options"_a);
}

}  // namespace baltoro::python
