// Products of a matrix with arrays of NumPy and, through DLPack, with arrays in the memory of a GPU.
#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "gpu.hpp"

namespace baltoro::python {
namespace {

using namespace nb::literals;

// What a product computes in for an array's type: bits for 32-bit words.
template <class Array>
using value_of = std::conditional_t<std::is_same_v<Array, std::uint32_t>, bits, Array>;

template <class Array>
update<value_of<Array>> update_of(double alpha, double beta) {
  using T = value_of<Array>;
  if constexpr (std::is_same_v<T, bits>) {
    return {.alpha = alpha == 1 ? bits{1} : bits{0}, .beta = beta == 0 ? bits{0} : bits{1}};
  } else {
    return {.alpha = static_cast<T>(alpha), .beta = static_cast<T>(beta)};
  }
}

product_options options_of(bool left, semiring ring, index_t batch) {
  return {.side = left ? direction::left : direction::right, .ring = ring, .batch = batch};
}

// With vectors in the memory of the CPU. A product on the CPU is what the most calls are, so that its
// place is no argument.
template <class Array>
void multiply_at(const held_matrix& a, const product_options& options,
                 const array_in<const Array>& x, const array_in<Array>& y, double alpha,
                 double beta) {
  using T = value_of<Array>;
  const std::span<const T> from{reinterpret_cast<const T*>(x.data()), x.shape(0)};
  const std::span<T> to{reinterpret_cast<T*>(y.data()), y.shape(0)};
  const nb::gil_scoped_release no_gil;
  a.plans->run<T>(a.cells, options, from, to, update_of<Array>(alpha, beta));
}

template <class Array>
void multiply(const held_matrix& a, const array_in<const Array>& x, const array_in<Array>& y,
              bool left, semiring ring, index_t batch, double alpha, double beta) {
  multiply_at(a, options_of(left, ring, batch), x, y, alpha, beta);
}

template <class Array>
void multiply_there(const held_matrix& a, const array_in<const Array>& x, const array_in<Array>& y,
                    bool left, semiring ring, index_t batch, double alpha, double beta,
                    nb::handle where, bool reproducible) {
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch);
  options.where = on.where;
  options.cuda = on.cuda;
  options.reproducible = reproducible;
  multiply_at(a, options, x, y, alpha, beta);
}

// An array of a GPU, however it was exported.
template <class T>
using array_of_gpu = nb::ndarray<T, nb::c_contig>;

template <class T>
T* memory_of(const array_of_gpu<T>& array, const char* what, int gpu) {
  const int kind = array.device_type();
  if (kind != nb::device::cuda::value && kind != nb::device::cuda_managed::value) {
    throw invalid_argument(fmt::format("{} does not lie in the memory of a CUDA device", what));
  }
  if (array.device_id() != gpu) {
    throw invalid_argument(
        fmt::format("{} lies on GPU {}, the product runs on GPU {}", what, array.device_id(), gpu));
  }
  return array.data();
}

template <class Array>
void multiply_on_gpu(const held_matrix& a, const array_of_gpu<const Array>& x,
                     const array_of_gpu<Array>& y, bool left, semiring ring, index_t batch,
                     double alpha, double beta, nb::handle where, std::uintptr_t stream,
                     bool reproducible) {
  using T = value_of<Array>;
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch);
  options.where = device::cuda;
  options.cuda = on.cuda;
  options.reproducible = reproducible;
  const int gpu = x.device_id();
  const std::span<const T> from{reinterpret_cast<const T*>(memory_of(x, "x", gpu)), x.size()};
  const std::span<T> to{reinterpret_cast<T*>(memory_of(y, "out", gpu)), y.size()};
  const nb::gil_scoped_release no_gil;
  const gpu_guard guard(gpu);
  a.plans->run_on<T>(stream_of(stream), a.cells, options, from, to, update_of<Array>(alpha, beta));
}

// The same for arrays that Python has checked, by the addresses of their memory.
template <class Array>
void multiply_addresses(const held_matrix& a, std::uintptr_t x, std::uintptr_t y,
                        std::uint64_t x_size, std::uint64_t y_size, bool left, semiring ring,
                        index_t batch, double alpha, double beta, nb::handle where, int gpu,
                        std::uintptr_t stream, bool reproducible) {
  using T = value_of<Array>;
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch);
  options.where = device::cuda;
  options.cuda = on.cuda;
  options.reproducible = reproducible;
  const nb::gil_scoped_release no_gil;
  const gpu_guard guard(gpu);
  a.plans->run_on<T>(stream_of(stream), a.cells, options,
                     std::span<const T>(reinterpret_cast<const T*>(x), x_size),
                     std::span<T>(reinterpret_cast<T*>(y), y_size), update_of<Array>(alpha, beta));
}

template <class T>
nb::tuple needs(const held_matrix& a, bool left, semiring ring, index_t batch, nb::handle where,
                bool reproducible) {
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch);
  options.where = on.where;
  options.cuda = on.cuda;
  options.reproducible = reproducible;
  return to_tuple(without_gil([&] { return a.plans->needs<T>(a.cells, options); }));
}

template <class Array>
void bind_products_of(nb::class_<held_matrix>& matrix_class, const char* by_addresses) {
  matrix_class.def(by_addresses, &multiply_addresses<Array>, "x"_a, "y"_a, "x_size"_a, "y_size"_a,
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a, "gpu"_a,
                   "stream"_a, "reproducible"_a = false);
  matrix_class.def("multiply", &multiply<Array>, "x"_a.noconvert(), "y"_a.noconvert(), "left"_a,
                   "ring"_a, "batch"_a, "alpha"_a, "beta"_a);
  matrix_class.def("multiply_there", &multiply_there<Array>, "x"_a.noconvert(), "y"_a.noconvert(),
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a,
                   "reproducible"_a = false);
  matrix_class.def("multiply_on_gpu", &multiply_on_gpu<Array>, "x"_a.noconvert(), "y"_a.noconvert(),
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a, "stream"_a,
                   "reproducible"_a = false);
}

template <class Choice>
Choice named(const std::string& name, std::initializer_list<Choice> all, const char* what) {
  std::string names;
  for (const Choice each : all) {
    if (name == name_of(each)) return each;
    names += names.empty() ? "" : ", ";
    names += name_of(each);
  }
  throw invalid_argument(fmt::format("there is no {} '{}'; there are {}", what, name, names));
}

void bind_cuda_options(nb::module_& m) {
  const cuda_options usual;
  nb::class_<cuda_options>(
      m, "Cuda",
      "How products, searches and iterations run on a GPU; `device=` takes one wherever it takes\n"
      "\"cuda\". Results do not depend on any of this, but for the rounding of sums.\n\n"
      "configuration: \"tree_only\", the fewest bytes, or \"cached_frontier\", 8 bytes a node more "
      "and\n"
      "    one kernel a product (level-order).\n"
      "offsets: where a node's first child is learned from: \"automatic\", \"directory\" or "
      "\"scan\".\n"
      "tile_nodes: children of one tile, at least 4; 0: whole levels.\n"
      "top_nodes: the descent starts at the deepest level with at most so many nodes.\n"
      "record: whether repeated products of one vector replay a CUDA graph.\n"
      "memory_limit_bytes: most device memory to use; 0: what is free.")
      .def(
          "__init__",
          [](cuda_options* made, const std::string& configuration, const std::string& offsets,
             std::uint64_t tile_nodes, std::uint64_t top_nodes, bool record,
             std::uint64_t memory_limit_bytes) {
            new (made) cuda_options{
                .configuration =
                    named(configuration,
                          {cuda_configuration::tree_only, cuda_configuration::cached_frontier},
                          "configuration"),
                .offsets =
                    named(offsets,
                          {child_offsets::automatic, child_offsets::directory, child_offsets::scan},
                          "source of offsets"),
                .tile_nodes = tile_nodes,
                .top_nodes = top_nodes,
                .record = record,
                .memory_limit_bytes = memory_limit_bytes};
          },
          nb::kw_only(), "configuration"_a = name_of(usual.configuration),
          "offsets"_a = name_of(usual.offsets), "tile_nodes"_a = usual.tile_nodes,
          "top_nodes"_a = usual.top_nodes, "record"_a = usual.record,
          "memory_limit_bytes"_a = usual.memory_limit_bytes)
      .def("__repr__", [](const cuda_options& o) {
        return fmt::format(
            "baltoro.Cuda(configuration='{}', offsets='{}', tile_nodes={}, top_nodes={}, "
            "record={}, "
            "memory_limit_bytes={})",
            name_of(o.configuration), name_of(o.offsets), o.tile_nodes, o.top_nodes,
            o.record ? "True" : "False", o.memory_limit_bytes);
      });
}

}  // namespace

void bind_products(nb::module_& m, nb::class_<held_matrix>& matrix_class) {
  bind_cuda_options(m);
  bind_products_of<float>(matrix_class, "multiply_addresses_of_float32");
  bind_products_of<double>(matrix_class, "multiply_addresses_of_float64");
  bind_products_of<std::uint32_t>(matrix_class, "multiply_addresses_of_uint32");
  matrix_class.def("needs_of_float", &needs<float>, "left"_a, "ring"_a, "batch"_a, "device"_a, "reproducible"_a = false)
      .def("needs_of_double", &needs<double>, "left"_a, "ring"_a, "batch"_a, "device"_a, "reproducible"_a = false)
      .def("needs_of_bits", &needs<bits>, "left"_a, "ring"_a, "batch"_a, "device"_a, "reproducible"_a = false);
  m.def("require_cuda", [] { static_cast<void>(resolve(device::cuda)); });
  m.def("cuda_status", [] {
    const cuda_status status = without_gil([] { return query_cuda(); });
    return nb::make_tuple(status.usable, status.reason);
  });
  m.def(
      "wait_for_stream",
      [](int gpu, std::uintptr_t stream) {
        const nb::gil_scoped_release no_gil;
        const gpu_guard guard(gpu);
        wait_for(stream_of(stream));
      },
      "gpu"_a, "stream"_a);
}

}  // namespace baltoro::python
