#include "cpu/level_order_plan.hpp"

#include <baltoro/threads.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/dispatch.hpp"
#include "cpu/accumulator.hpp"
#include "cpu/block_masks.hpp"
#include "cpu/strip_runner.hpp"

namespace baltoro::cpu {
namespace {

// Where a block reads and adds: its first input, and the accumulators of its first output.
template <class T, class A>
struct block_site {
  const T* x;
  std::uint64_t inputs;    // number of entries of x, of each vector
  std::uint64_t first_in;  // of the top node
  A* sums;                 // of the top node's first output
};

// A block times one vector: four inputs are made terms once, and each is added to the outputs its
// line of the mask names, four at a time. No branch depends on the cells.
template <template <class> class Ring, class T, direction Side>
class single_block {
 public:
  using A = accumulator_t<Ring, T>;
  explicit single_block(block_site<T, A> site) : site_(site) {}

  void operator()(std::uint64_t code, unsigned mask) const {
    const std::uint64_t row = code >> 32U;
    const std::uint64_t col = code & 0xFFFF'FFFFU;
    const std::uint64_t in = site_.first_in + 4 * (Side == direction::right ? col : row);
    A* const out = site_.sums + 4 * (Side == direction::right ? row : col);
    T x[4] = {};
    if (in + 4 <= site_.inputs) [[likely]] {
      std::memcpy(x, site_.x + in, sizeof x);
    } else {
      std::copy(site_.x + in, site_.x + site_.inputs, x);
    }
    const unsigned by_input = mask_by_input<Side>(mask);
    lanes<A> sums = lanes<A>::load(out);
    for (unsigned i = 0; i < 4; ++i) {
      add_where<Ring, A>(sums, masks_of<A>.of[(by_input >> (4 * i)) & 15U],
                         static_cast<A>(Ring<T>::term(x[i])));
    }
    sums.store(out);
  }

 private:
  block_site<T, A> site_;
};

// A block times a batch: cell by cell, the vectors side by side.
template <template <class> class Ring, class T, direction Side>
class batch_block {
 public:
  using A = accumulator_t<Ring, T>;
  batch_block(block_site<T, A> site, std::uint64_t batch) : site_(site), batch_(batch) {}

  void operator()(std::uint64_t code, unsigned mask) const {
    const std::uint64_t row = code >> 32U;
    const std::uint64_t col = code & 0xFFFF'FFFFU;
    const std::uint64_t in = site_.first_in + 4 * (Side == direction::right ? col : row);
    A* const out = site_.sums + 4 * (Side == direction::right ? row : col) * batch_;
    for (unsigned left = mask_by_input<Side>(mask); left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      const T* const x = site_.x + (in + bit / 4) * batch_;
      A* const sums = out + (bit % 4) * batch_;
      for (std::uint64_t k = 0; k < batch_; ++k) {
        sums[k] = Ring<A>::add(sums[k], static_cast<A>(Ring<T>::term(x[k])));
      }
    }
  }

 private:
  block_site<T, A> site_;
  std::uint64_t batch_;
};

template <template <class> class Ring, class T, direction Side>
class level_order_product final : public plan<T>::backend {
 public:
  using A = accumulator_t<Ring, T>;

  level_order_product(const matrix& a, const product_options& options)
      : plan<T>::backend(a, options),
        runner_(a.tree(), Side, this->outputs(), options.batch, thread_limit::current()) {}

  std::uint64_t scratch_bytes() const override { return runner_.scratch_bytes(); }

  void run(const T* x, T* y, update<T> how) override {
    const std::uint64_t batch = this->options().batch;
    const std::uint64_t side = runner_.side();
    const auto site = [&](A* sums, const top_node& node) {
      return block_site<T, A>{x, this->inputs(), node.in * side, sums};
    };
    const auto write = [&](std::uint64_t first, std::uint64_t last, const A* sums) {
      store_sums<Ring, T>(y + first * batch, (last - first) * batch, sums, how);
    };
    if (batch == 1) {
      runner_.run(
          Ring<A>::zero(),
          [&](A* sums, const top_node& n) { return single_block<Ring, T, Side>(site(sums, n)); },
          Ring<A>::add, write);
    } else {
      runner_.run(
          Ring<A>::zero(),
          [&](A* sums, const top_node& n) {
            return batch_block<Ring, T, Side>(site(sums, n), batch);
          },
          Ring<A>::add, write);
    }
  }

 private:
  strip_runner<A> runner_;
};

}  // namespace

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix& a,
                                                            const product_options& options) {
  using made = std::unique_ptr<typename plan<T>::backend>;
  return with_semiring(options.ring, [&]<template <class> class Ring>() -> made {
    return with_side(options.side, [&]<direction Side>() -> made {
      return std::make_unique<level_order_product<Ring, T, Side>>(a, options);
    });
  });
}

template std::unique_ptr<plan<float>::backend> plan_level_order<float>(const matrix&,
                                                                       const product_options&);
template std::unique_ptr<plan<double>::backend> plan_level_order<double>(const matrix&,
                                                                         const product_options&);

}  // namespace baltoro::cpu
