// What the parts of the extension share: the matrix as Python holds it, and one function a part.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/progress.hpp>

#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

#include "plan_pool.hpp"

namespace baltoro::python {

namespace nb = nanobind;

// A matrix and the plans of its products. Views of it (the transposed one) share it.
struct held_matrix {
  explicit held_matrix(matrix a) : cells(std::move(a)), plans(std::make_unique<plan_pool>()) {}

  matrix cells;
  std::unique_ptr<plan_pool> plans;
};

// A callback that looks for Ctrl-C, then calls `told(stage, done, total, unit)` unless that is None.
// `told` must outlive it: it holds no reference, for it is copied and destroyed without the GIL.
progress_callback report_to(nb::handle told);

// Options of a build that tells `told` how far it is.
build_options told_to(const build_options& options, nb::handle told);

void bind_errors(nb::module_& m);
// The options of a GPU, and scratch there.
void bind_cuda(nb::module_& m);
void bind_matrix(nb::module_& m);
// Its products, which matrix_class is given.
void bind_products(nb::module_& m, nb::class_<held_matrix>& matrix_class);
void bind_build(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_search(nb::module_& m);
void bind_centrality(nb::module_& m);
void bind_structure(nb::module_& m);
void bind_needs(nb::module_& m);
void bind_generate(nb::module_& m);

}  // namespace baltoro::python
