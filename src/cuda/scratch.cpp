#include "cuda/scratch.hpp"

namespace baltoro {

std::shared_ptr<cuda_scratch> make_cuda_scratch() { return std::make_shared<cuda_scratch>(); }

std::uint64_t allocated_bytes(const cuda_scratch& scratch) { return scratch.bytes(); }

}  // namespace baltoro
