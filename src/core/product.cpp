#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <type_traits>

#include <fmt/format.h>

#include "core/backend.hpp"
#include "cpu/adaptive_bits.hpp"
#include "cpu/adaptive_plan.hpp"
#include "cpu/level_order_plan.hpp"
#include "cuda/adaptive/adaptive_plan.hpp"
#include "cuda/adaptive/bits_plan.hpp"
#include "cuda/level_order_plan.hpp"

namespace baltoro {
namespace {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_on(device where, const matrix& a,
                                                   const product_options& options) {
  const bool gpu = where == device::cuda;
  if constexpr (std::is_same_v<T, bits>) {
    return gpu ? cuda::plan_bits(a, options) : cpu::plan_bits(a, options);
  } else {
    switch (a.kind()) {
      case layout::level_order:
        return gpu ? cuda::plan_level_order<T>(a, options) : cpu::plan_level_order<T>(a, options);
      case layout::adaptive:
        return gpu ? cuda::plan_adaptive<T>(a, options) : cpu::plan_adaptive<T>(a, options);
    }
    throw invalid_argument("unknown layout");
  }
}

template <class T>
void check_options(const matrix& a, const product_options& options) {
  if (options.batch == 0) throw invalid_argument("batch 0: a product needs at least one vector");
  switch (options.ring) {
    case semiring::plus_times:
    case semiring::lor_land:
    case semiring::min_plus:
      break;
    default:
      throw invalid_argument("unknown semiring");
  }
  if constexpr (std::is_same_v<T, bits>) {
    if (options.ring != semiring::lor_land) {
      throw invalid_argument(
          fmt::format("bits are multiplied over lor_land, not over {}", name_of(options.ring)));
    }
    if (a.kind() != layout::adaptive) {
      throw invalid_argument(
          fmt::format("bits need a matrix laid out adaptive, this one is {}", name_of(a.kind())));
    }
  }
}

template <class T>
std::unique_ptr<typename plan<T>::backend> make_backend(const matrix& a,
                                                        const product_options& options) {
  check_options<T>(a, options);
  const device where = resolve(options.where);
  try {
    return plan_on<T>(where, a, options);
  } catch (const out_of_memory&) {
    if (where == device::cpu || options.where == device::cuda) throw;
    return plan_on<T>(device::cpu, a, options);
  }
}

template <class T>
void check_size(const char* name, std::uint64_t size, index_t vertices, index_t batch) {
  const std::uint64_t wanted = entries<T>(vertices, batch);
  if (size == wanted) return;
  if constexpr (std::is_same_v<T, bits>) {
    throw invalid_argument(
        fmt::format("{} has {} words, but {} are needed for {} vectors of {} bits", name, size,
                    wanted, batch, vertices));
  } else {
    throw invalid_argument(fmt::format("{} has {} values, but {} x {} = {} are needed", name, size,
                                       vertices, batch, wanted));
  }
}

template <class T>
void check_apart(std::span<const T> x, std::span<const std::type_identity_t<T>> y) {
  if (!x.empty() && !y.empty() && x.data() < y.data() + y.size() &&
      y.data() < x.data() + x.size()) {
    throw invalid_argument("x and y overlap");
  }
}

template <class T>
void check_update(semiring ring, update<T> how) {
  if (ring != semiring::plus_times &&
      (how.alpha != T{1} || (how.beta != T{0} && how.beta != T{1}))) {
    throw invalid_argument(fmt::format(
        "alpha {} and beta {}: {} takes alpha 1 and beta 0 (overwrite) or 1 (accumulate)",
        static_cast<double>(how.alpha), static_cast<double>(how.beta), name_of(ring)));
  }
}

}  // namespace

template <class T>
plan<T>::plan(const matrix& a, const product_options& options)
    : backend_(make_backend<T>(a, options)) {}
template <class T>
plan<T>::~plan() = default;
template <class T>
plan<T>::plan(plan&&) noexcept = default;
template <class T>
plan<T>& plan<T>::operator=(plan&&) noexcept = default;

template <class T>
std::uint64_t plan<T>::x_size() const {
  return entries<T>(backend_->inputs(), backend_->options().batch);
}

template <class T>
std::uint64_t plan<T>::y_size() const {
  return entries<T>(backend_->outputs(), backend_->options().batch);
}

template <class T>
working_set plan<T>::needs() const {
  return {.matrix_bytes = backend_->matrix_bytes(),
          .vector_bytes = (x_size() + y_size()) * sizeof(T),
          .scratch_bytes = backend_->scratch_bytes()};
}

template <class T>
device plan<T>::where() const {
  return backend_->where();
}

template <class T>
void plan<T>::prepare() {
  backend_->prepare();
}

template <class T>
void plan<T>::run(std::span<const T> x, std::span<T> y, update<T> how) {
  const product_options& options = backend_->options();
  check_size<T>("x", x.size(), backend_->inputs(), options.batch);
  check_size<T>("y", y.size(), backend_->outputs(), options.batch);
  check_apart(x, y);
  check_update(options.ring, how);
  backend_->run(x.data(), y.data(), how);
}

template <class T>
void plan<T>::run_on(cuda_stream stream, const T* x, T* y, update<T> how) {
  check_apart(std::span(x, x_size()), std::span<const T>(y, y_size()));
  check_update(backend_->options().ring, how);
  backend_->run_on(stream, x, y, how);
}

template class plan<float>;
template class plan<double>;
template class plan<bits>;

}  // namespace baltoro
