// The CPU backend for products with an adaptive matrix.
#pragma once

#include <baltoro/product.hpp>

#include <memory>

#include "core/backend.hpp"

namespace baltoro::cpu {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_adaptive(const matrix& a,
                                                         const product_options& options);

}  // namespace baltoro::cpu
