// Containers times vectors, in the best vector instructions that the processor has.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <cstdint>
#include <span>

namespace baltoro::cpu {

// Some containers of a matrix, and where their products go. T is float or double; the sums are of type
// accumulator_t for the semiring.
template <class T>
struct container_job {
  const adaptive_view* a;
  std::span<const std::uint64_t> containers;
  direction side;
  semiring ring;
  std::uint64_t batch;
  const T* x;
  std::uint64_t inputs;     // entries of x, of each vector
  void* sums;               // of output 8 · first_out and on, a whole number of leaves
  std::uint64_t first_out;  // in leaves
};

// sums = sums ⊕ containers ⊗ x.
void add_containers(const container_job<float>& job);
void add_containers(const container_job<double>& job);

}  // namespace baltoro::cpu
