// The extension module: as little as possible; what users see is Python.
#include <baltoro/baltoro.hpp>

#include <optional>

#include "bindings.hpp"

namespace baltoro::python {
namespace {

// One that ends when it is told to.
struct ending_thread_limit {
  std::optional<thread_limit> limit;
};

void bind_threads(nb::module_& m) {
  nb::class_<ending_thread_limit>(m, "ThreadLimit")
      .def(
          "__init__",
          [](ending_thread_limit* made, unsigned threads) {
            new (made) ending_thread_limit{std::make_optional<thread_limit>(threads)};
          },
          nb::arg("threads"))
      .def("end", [](ending_thread_limit& it) { it.limit.reset(); })
      .def_static("current", &thread_limit::current);
}

}  // namespace
}  // namespace baltoro::python

NB_MODULE(_core, m) {
  using namespace baltoro;
  using namespace baltoro::python;
  m.doc() = "Baltoro's C++ library; use the package `baltoro`.";
  m.attr("version") = version();
  m.attr("tropical_infinity") = tropical_infinity;
  m.attr("default_layout") = name_of(default_layout);
  m.def("compiled_with_cuda", &compiled_with_cuda);
  bind_errors(m);
  bind_cuda(m);
  bind_matrix(m);
  bind_build(m);
  bind_graph(m);
  bind_search(m);
  bind_centrality(m);
  bind_structure(m);
  bind_needs(m);
  bind_generate(m);
  bind_threads(m);
}
