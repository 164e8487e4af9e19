#include <baltoro/error.hpp>
#include <baltoro/product.hpp>

#include <type_traits>

#include <fmt/format.h>

#include "core/backend.hpp"
#include "cpu/adaptive_plan.hpp"
#include "cpu/level_order_plan.hpp"
#include "cuda/level_order_plan.hpp"

namespace baltoro {
namespace {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_on_cpu(const matrix& a,
                                                       const product_options& options) {
  return a.kind() == layout::adaptive ? cpu::plan_adaptive<T>(a, options)
                                      : cpu::plan_level_order<T>(a, options);
}

template <class T>
std::unique_ptr<typename plan<T>::backend> make_backend(const matrix& a,
                                                        const product_options& options) {
  if (options.batch == 0) throw invalid_argument("batch 0: a product needs at least one vector");
  switch (options.ring) {
    case semiring::plus_times:
    case semiring::lor_land:
    case semiring::min_plus:
      break;
    default:
      throw invalid_argument("unknown semiring");
  }
  if (resolve(options.where) == device::cpu) return plan_on_cpu<T>(a, options);
  try {
    return cuda::plan_level_order<T>(a, options);
  } catch (const out_of_memory&) {
    if (options.where == device::cuda) throw;
    return plan_on_cpu<T>(a, options);
  }
}

void check_size(const char* name, std::uint64_t size, std::uint64_t wanted, index_t batch) {
  if (size != wanted) {
    throw invalid_argument(fmt::format("{} has {} values, but {} x {} = {} are needed", name, size,
                                       wanted / batch, batch, wanted));
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
        how.alpha, how.beta, name_of(ring)));
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
  return std::uint64_t{backend_->inputs()} * backend_->options().batch;
}

template <class T>
std::uint64_t plan<T>::y_size() const {
  return std::uint64_t{backend_->outputs()} * backend_->options().batch;
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
  check_size("x", x.size(), x_size(), options.batch);
  check_size("y", y.size(), y_size(), options.batch);
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

}  // namespace baltoro
