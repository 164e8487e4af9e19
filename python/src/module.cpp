// The extension module: as little as possible; what users see is Python.
#include <baltoro/baltoro.hpp>

#include "bindings.hpp"

NB_MODULE(_core, m) {
  using namespace baltoro;
  using namespace baltoro::python;
  m.doc() = "Baltoro's C++ library; use the package `baltoro`.";
  m.attr("version") = version();
  m.attr("tropical_infinity") = tropical_infinity;
  m.attr("default_layout") = name_of(default_layout);
  m.def("compiled_with_cuda", &compiled_with_cuda);
  bind_errors(m);
  bind_matrix(m);
  bind_build(m);
  bind_graph(m);
  bind_algorithms(m);
}
