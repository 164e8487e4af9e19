#include "cpu/adaptive_kernel.hpp"

#include <algorithm>
#include <bit>

#include "core/dispatch.hpp"

// Compiled for the baseline, AVX2 and AVX-512; the ones between would add nothing.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/adaptive_kernel.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file for each target
#include <hwy/highway.h>

#include "cpu/adaptive_decode-inl.hpp"
#include "cpu/adaptive_leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace baltoro::cpu {
namespace HWY_NAMESPACE {

template <template <class> class Ring, class T, direction Side>
void add_single(const container_job<T>& job, container_leaves& leaves) {
  using A = accumulator_t<Ring, T>;
  // Where the last inputs do not fill a leaf, they are read from here.
  const std::uint64_t whole = job.inputs / 8;
  T tail[8] = {};
  std::copy(job.x + 8 * whole, job.x + job.inputs, tail);
  for (const std::uint64_t container : job.containers) {
    leaves.load(*job.a, container);
    // Bit 8 · input + output of a pattern from here on.
    leaves.sort_by_cells<Side == direction::right>();
    const std::uint64_t first_in = Side == direction::right ? leaves.col() : leaves.row();
    const std::uint64_t first_out = Side == direction::right ? leaves.row() : leaves.col();
    A* const sums = static_cast<A*>(job.sums) + 8 * (first_out - job.first_out);
    const std::uint32_t* const places = leaves.places();
    const std::uint64_t* const patterns = leaves.patterns();
    const auto x_of = [&](std::uint32_t place) {
      const std::uint64_t in =
          first_in + (Side == direction::right ? place & 0xFFFFU : place >> 16U);
      return in < whole ? job.x + 8 * in : tail;
    };
    const auto sums_of = [&](std::uint32_t place) {
      return sums + 8 * std::uint64_t{Side == direction::right ? place >> 16U : place & 0xFFFFU};
    };
    for (const std::uint16_t i : leaves.single()) {
      multiply_cell<Ring, T>(static_cast<unsigned>(std::countr_zero(patterns[i])), x_of(places[i]),
                             sums_of(places[i]));
    }
    for (const std::uint16_t i : leaves.pairs()) {
      const T* const x = x_of(places[i]);
      A* const to = sums_of(places[i]);
      multiply_cell<Ring, T>(static_cast<unsigned>(std::countr_zero(patterns[i])), x, to);
      multiply_cell<Ring, T>(63U - static_cast<unsigned>(std::countl_zero(patterns[i])), x, to);
    }
    const std::uint8_t* const bytes = leaves.pattern_bytes();
    for (const std::uint16_t i : leaves.others()) {
      multiply_leaf<Ring, T>(bytes + std::size_t{8} * i, x_of(places[i]), sums_of(places[i]));
    }
  }
}

template <template <class> class Ring, class T, direction Side>
void add_batch(const container_job<T>& job, container_leaves& leaves) {
  using A = accumulator_t<Ring, T>;
  for (const std::uint64_t container : job.containers) {
    leaves.load(*job.a, container);
    // Bit 8 · output + input of a pattern from here on.
    if constexpr (Side == direction::left) leaves.transpose();
    const std::uint64_t first_in = Side == direction::right ? leaves.col() : leaves.row();
    const std::uint64_t first_out = Side == direction::right ? leaves.row() : leaves.col();
    const T* const x = job.x + 8 * first_in * job.batch;
    A* const sums = static_cast<A*>(job.sums) + 8 * (first_out - job.first_out) * job.batch;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const std::uint64_t row = leaves.places()[i] >> 16U;
      const std::uint64_t col = leaves.places()[i] & 0xFFFFU;
      const std::uint64_t in = Side == direction::right ? col : row;
      const std::uint64_t out = Side == direction::right ? row : col;
      multiply_leaf_batch<Ring, T>(leaves.patterns()[i], x + 8 * in * job.batch, job.batch,
                                   sums + 8 * out * job.batch);
    }
  }
}

template <template <class> class Ring, class T, direction Side>
void add_either(const container_job<T>& job) {
  container_leaves leaves;
  if (job.batch == 1) {
    add_single<Ring, T, Side>(job, leaves);
  } else {
    add_batch<Ring, T, Side>(job, leaves);
  }
}

template <class T>
void add_all(const container_job<T>& job) {
  with_semiring(job.ring, [&]<template <class> class Ring>() {
    with_side(job.side, [&]<direction Side>() { add_either<Ring, T, Side>(job); });
  });
}

void add_floats(const container_job<float>& job) { add_all(job); }
void add_doubles(const container_job<double>& job) { add_all(job); }

}  // namespace HWY_NAMESPACE
}  // namespace baltoro::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace baltoro::cpu {

HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);

void add_containers(const container_job<float>& job) { HWY_DYNAMIC_DISPATCH(add_floats)(job); }
void add_containers(const container_job<double>& job) { HWY_DYNAMIC_DISPATCH(add_doubles)(job); }

}  // namespace baltoro::cpu
#endif
