// Products of a matrix with arrays of NumPy and, through DLPack, with arrays in the memory of a GPU.
#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <cstdint>
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

product_options options_of(bool left, semiring ring, index_t batch, const place& on = {}) {
  return {.side = left ? direction::left : direction::right,
          .ring = ring,
          .batch = batch,
          .where = on.where,
          .cuda = on.cuda};
}

// With vectors in the memory of a GPU: enqueued on a stream of their library.
template <class T>
void run_on(const held_matrix& a, const product_options& options, const place& on, int gpu,
            std::uintptr_t stream_number, std::span<const T> x, std::span<T> y, update<T> how) {
  const nb::gil_scoped_release no_gil;
  const gpu_guard guard(gpu);
  const cuda_stream stream = stream_of(stream_number);
  const scratch_turn turn(on);
  if (on.scratch == nullptr) {
    a.plans->run_on<T>(stream, a.cells, options, x, y, how);
    return;
  }
  if (!capture_of(stream).goes_on) turn.begin_on(stream);
  a.plans->run_on<T>(stream, a.cells, options, x, y, how);
  turn.end_on(stream);
}

// With vectors in the memory of the CPU. A product on the CPU is what the most calls are, so that its
// place is no argument.
template <class Array>
void multiply_at(const held_matrix& a, const product_options& options, const place& on,
                 const array_in<const Array>& x, const array_in<Array>& y, double alpha,
                 double beta) {
  using T = value_of<Array>;
  const std::span<const T> from{reinterpret_cast<const T*>(x.data()), x.shape(0)};
  const std::span<T> to{reinterpret_cast<T*>(y.data()), y.shape(0)};
  without_gil(on,
              [&] { a.plans->run<T>(a.cells, options, from, to, update_of<Array>(alpha, beta)); });
}

template <class Array>
void multiply(const held_matrix& a, const array_in<const Array>& x, const array_in<Array>& y,
              bool left, semiring ring, index_t batch, double alpha, double beta) {
  multiply_at(a, options_of(left, ring, batch), {}, x, y, alpha, beta);
}

template <class Array>
void multiply_there(const held_matrix& a, const array_in<const Array>& x, const array_in<Array>& y,
                    bool left, semiring ring, index_t batch, double alpha, double beta,
                    nb::handle where) {
  const place on = place_of(where);
  multiply_at(a, options_of(left, ring, batch, on), on, x, y, alpha, beta);
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
                     double alpha, double beta, nb::handle where, std::uintptr_t stream) {
  using T = value_of<Array>;
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch, on);
  options.where = device::cuda;
  const int gpu = x.device_id();
  const std::span<const T> from{reinterpret_cast<const T*>(memory_of(x, "x", gpu)), x.size()};
  const std::span<T> to{reinterpret_cast<T*>(memory_of(y, "out", gpu)), y.size()};
  run_on<T>(a, options, on, gpu, stream, from, to, update_of<Array>(alpha, beta));
}

// The same for arrays that Python has checked, by the addresses of their memory.
template <class Array>
void multiply_addresses(const held_matrix& a, std::uintptr_t x, std::uintptr_t y,
                        std::uint64_t x_size, std::uint64_t y_size, bool left, semiring ring,
                        index_t batch, double alpha, double beta, nb::handle where, int gpu,
                        std::uintptr_t stream) {
  using T = value_of<Array>;
  const place on = place_of(where);
  product_options options = options_of(left, ring, batch, on);
  options.where = device::cuda;
  run_on<T>(a, options, on, gpu, stream, {reinterpret_cast<const T*>(x), x_size},
            {reinterpret_cast<T*>(y), y_size}, update_of<Array>(alpha, beta));
}

template <class T>
nb::tuple needs(const held_matrix& a, bool left, semiring ring, index_t batch, nb::handle where) {
  const place on = place_of(where);
  const product_options options = options_of(left, ring, batch, on);
  return to_tuple(without_gil(on, [&] { return a.plans->needs<T>(a.cells, options); }));
}

template <class Array>
void bind_products_of(nb::class_<held_matrix>& matrix_class, const char* by_addresses) {
  matrix_class.def(by_addresses, &multiply_addresses<Array>, "x"_a, "y"_a, "x_size"_a, "y_size"_a,
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a, "gpu"_a,
                   "stream"_a);
  matrix_class.def("multiply", &multiply<Array>, "x"_a.noconvert(), "y"_a.noconvert(), "left"_a,
                   "ring"_a, "batch"_a, "alpha"_a, "beta"_a);
  matrix_class.def("multiply_there", &multiply_there<Array>, "x"_a.noconvert(), "y"_a.noconvert(),
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a);
  matrix_class.def("multiply_on_gpu", &multiply_on_gpu<Array>, "x"_a.noconvert(), "y"_a.noconvert(),
                   "left"_a, "ring"_a, "batch"_a, "alpha"_a, "beta"_a, "device"_a, "stream"_a);
}

}  // namespace

void bind_products(nb::module_& m, nb::class_<held_matrix>& matrix_class) {
  bind_products_of<float>(matrix_class, "multiply_addresses_of_float32");
  bind_products_of<double>(matrix_class, "multiply_addresses_of_float64");
  bind_products_of<std::uint32_t>(matrix_class, "multiply_addresses_of_uint32");
  matrix_class.def("needs_of_float", &needs<float>, "left"_a, "ring"_a, "batch"_a, "device"_a)
      .def("needs_of_double", &needs<double>, "left"_a, "ring"_a, "batch"_a, "device"_a)
      .def("needs_of_bits", &needs<bits>, "left"_a, "ring"_a, "batch"_a, "device"_a);
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
