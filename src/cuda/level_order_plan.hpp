// The CUDA backend for products with a level-order matrix.
#pragma once

#include <baltoro/product.hpp>

#include <memory>

#include "core/backend.hpp"

namespace baltoro::cuda {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix& a,
                                                            const product_options& options);

}  // namespace baltoro::cuda
