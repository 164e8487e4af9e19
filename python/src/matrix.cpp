// Queries and products of one matrix.
#include <baltoro/density.hpp>
#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

index_t index_of(std::int64_t index, index_t size, const char* what) {
  if (index < 0 || index >= std::int64_t{size}) {
    throw invalid_argument(fmt::format("{} {} is outside 0..{} (the matrix has {})", what, index,
                                       std::int64_t{size} - 1, size));
  }
  return static_cast<index_t>(index);
}

// One array a row and a column index, in row-major order.
nb::tuple edges(const held_matrix& a) {
  std::vector<index_t> rows;
  std::vector<index_t> cols;
  {
    const nb::gil_scoped_release no_gil;
    rows.reserve(a.cells.nnz());
    cols.reserve(a.cells.nnz());
    a.cells.for_each_by_row([&](std::span<const edge> batch) {
      for (const edge& e : batch) {
        rows.push_back(e.row);
        cols.push_back(e.col);
      }
    });
  }
  return nb::make_tuple(to_numpy(std::move(rows)), to_numpy(std::move(cols)));
}

template <class Index>
nb::tuple compressed_rows_as(const held_matrix& a) {
  std::vector<Index> indptr(std::size_t{a.cells.rows()} + 1);
  std::vector<Index> indices;
  {
    const nb::gil_scoped_release no_gil;
    indices.reserve(a.cells.nnz());
    a.cells.for_each_by_row([&](std::span<const edge> batch) {
      for (const edge& e : batch) {
        ++indptr[std::size_t{e.row} + 1];
        indices.push_back(static_cast<Index>(e.col));
      }
    });
    for (std::size_t i = 1; i < indptr.size(); ++i) indptr[i] += indptr[i - 1];
  }
  return nb::make_tuple(to_numpy(std::move(indptr)), to_numpy(std::move(indices)));
}

// indptr and indices of scipy.sparse.csr_array, in the type SciPy would take.
nb::tuple compressed_rows(const held_matrix& a) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  const bool narrow = a.cells.nnz() <= most && a.cells.cols() <= most && a.cells.rows() <= most;
  return narrow ? compressed_rows_as<std::int32_t>(a) : compressed_rows_as<std::int64_t>(a);
}

// The cells inside a rectangle, row by row.
nb::tuple cells_of(const held_matrix& a, index_t first_row, index_t last_row, index_t first_col,
                   index_t last_col) {
  std::vector<edge> found;
  {
    const nb::gil_scoped_release no_gil;
    found = a.cells.cells({.first_row = first_row,
                           .first_col = first_col,
                           .last_row = last_row,
                           .last_col = last_col});
    std::sort(found.begin(), found.end());
  }
  return halves_of(found);
}

nb::dict bytes(const held_matrix& a) {
  const matrix_bytes parts = a.cells.bytes();
  nb::dict named;
  const auto add = [&](const char* name, std::uint64_t size) {
    if (size != 0) named[name] = size;
  };
  add("tree", parts.tree);
  add("directory", parts.directory);
  add("containers", parts.containers);
  add("payload", parts.payload);
  add("dictionary", parts.dictionary);
  add("table", parts.table);
  return named;
}

// (log2 of the side of a square, rows of squares, columns of squares, counts)
nb::tuple density_of(const held_matrix& a, index_t most_side) {
  density_map map;
  {
    const nb::gil_scoped_release no_gil;
    map = density(a.cells, most_side);
  }
  return nb::make_tuple(map.side_log2, map.rows, map.cols, to_numpy(std::move(map.counts)));
}

}  // namespace

void bind_matrix(nb::module_& m) {
  nb::enum_<semiring>(m, "Semiring")
      .value("plus_times", semiring::plus_times)
      .value("lor_land", semiring::lor_land)
      .value("min_plus", semiring::min_plus);

  nb::class_<held_matrix> matrix_class(m, "Matrix");
  bind_products(m, matrix_class);
  matrix_class.def_prop_ro("rows", [](const held_matrix& a) { return a.cells.rows(); })
      .def_prop_ro("cols", [](const held_matrix& a) { return a.cells.cols(); })
      .def_prop_ro("nnz", [](const held_matrix& a) { return a.cells.nnz(); })
      .def_prop_ro("layout", [](const held_matrix& a) { return name_of(a.cells.kind()); })
      .def_prop_ro("nbytes", [](const held_matrix& a) { return a.cells.bytes().total(); })
      .def_prop_ro("bits_per_edge", [](const held_matrix& a) { return a.cells.bits_per_edge(); })
      .def("bytes", &bytes)
      .def(
          "contains",
          [](const held_matrix& a, std::int64_t row, std::int64_t col) {
            return a.cells.contains(index_of(row, a.cells.rows(), "row"),
                                    index_of(col, a.cells.cols(), "column"));
          },
          "row"_a, "col"_a)
      .def(
          "successors",
          [](const held_matrix& a, std::int64_t row) {
            return to_numpy(a.cells.successors(index_of(row, a.cells.rows(), "row")));
          },
          "row"_a)
      .def(
          "predecessors",
          [](const held_matrix& a, std::int64_t col) {
            return to_numpy(a.cells.predecessors(index_of(col, a.cells.cols(), "column")));
          },
          "col"_a)
      .def("out_degrees",
           [](const held_matrix& a) {
             std::vector<index_t> degrees;
             {
               const nb::gil_scoped_release no_gil;
               degrees = a.cells.out_degrees();
             }
             return to_numpy(std::move(degrees));
           })
      .def("in_degrees",
           [](const held_matrix& a) {
             std::vector<index_t> degrees;
             {
               const nb::gil_scoped_release no_gil;
               degrees = a.cells.in_degrees();
             }
             return to_numpy(std::move(degrees));
           })
      .def("edges", &edges)
      .def("compressed_rows", &compressed_rows)
      .def("density", &density_of, "most_side"_a)
      .def("cells", &cells_of, "first_row"_a, "last_row"_a, "first_col"_a, "last_col"_a)
      .def("validate",
           [](const held_matrix& a) {
             std::string reason;
             {
               const nb::gil_scoped_release no_gil;
               a.cells.validate(&reason);
             }
             return reason;
           })
      .def("release_pages", [](const held_matrix& a) { a.cells.release_pages(); });
}

}  // namespace baltoro::python
