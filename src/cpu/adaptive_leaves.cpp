#include "cpu/adaptive_leaves.hpp"

#include <memory>

// As in adaptive_kernel.cpp.
#define HWY_DISABLED_TARGETS (HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/adaptive_leaves.cpp"
#include <hwy/foreach_target.h>  // compiles the rest of this file for each target
#include <hwy/highway.h>

#include "cpu/adaptive_decode-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace baltoro::cpu {
namespace HWY_NAMESPACE {

decoded_leaves decode(const adaptive_view& a, std::uint64_t container) {
  thread_local const auto leaves = std::make_unique<container_leaves>();
  leaves->load(a, container);
  return {leaves->row(),
          leaves->col(),
          {leaves->places(), leaves->size()},
          {leaves->patterns(), leaves->size()}};
}

}  // namespace HWY_NAMESPACE
}  // namespace baltoro::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace baltoro::cpu {

HWY_EXPORT(decode);

decoded_leaves decode_leaves(const adaptive_view& a, std::uint64_t container) {
  return HWY_DYNAMIC_DISPATCH(decode)(a, container);
}

}  // namespace baltoro::cpu
#endif
