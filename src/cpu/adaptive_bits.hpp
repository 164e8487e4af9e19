// The CPU backend for products of an adaptive matrix with Boolean vectors kept as bits.
#pragma once

#include <baltoro/product.hpp>

#include <memory>

#include "core/backend.hpp"

namespace baltoro::cpu {

std::unique_ptr<plan<bits>::backend> plan_bits(const matrix& a, const product_options& options);

}  // namespace baltoro::cpu
