// The CUDA backend for products over plus_times with an adaptive matrix whose bits are the same on every run.
#pragma once

#include <baltoro/product.hpp>

#include <memory>

#include "core/backend.hpp"

namespace baltoro::cuda {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_reproducible(const matrix& a,
                                                             const product_options& options);

}  // namespace baltoro::cuda
