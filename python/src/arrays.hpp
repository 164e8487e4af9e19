// NumPy arrays in and out of the extension, without copies.
#pragma once

#include <baltoro/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace baltoro::python {

namespace nb = nanobind;

// A contiguous array of one dimension that somebody else owns; read only unless T may be written.
template <class T>
using array_in = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T> span_of(const array_in<T>& array) {
  return {array.data(), array.shape(0)};
}

// Hands the memory of a vector to NumPy.
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
  auto held = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = held->data();
  const std::size_t size = held->size();
  nb::capsule owner(held.get(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  held.release();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner),
                  nb::rv_policy::reference);
}

// The rows and the columns of edges.
inline nb::tuple halves_of(const std::vector<edge>& edges) {
  std::vector<index_t> rows(edges.size());
  std::vector<index_t> cols(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    rows[i] = edges[i].row;
    cols[i] = edges[i].col;
  }
  return nb::make_tuple(to_numpy(std::move(rows)), to_numpy(std::move(cols)));
}

}  // namespace baltoro::python
