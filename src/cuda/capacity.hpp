// Whether what a run needs fits a GPU, and what would fit where it does not.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/matrix.hpp>

#include <cstdint>
#include <functional>

namespace baltoro::cuda {

class descent;

// Throws out_of_memory when a descent and `vector_bytes(batch)` exceed what is free or what
// options.memory_limit_bytes allows. The message says what is needed, what there is and which other
// choice would fit.
void require_fit(const matrix& a, const descent& planned, const cuda_options& options,
                 const std::function<std::uint64_t(index_t batch)>& vector_bytes);

// The same for work that knows no other choice than a smaller batch: it needs `bytes(batch)`, of which
// `resident` are on the device already.
void require_fit(index_t batch, std::uint64_t resident, const cuda_options& options,
                 const std::function<std::uint64_t(index_t batch)>& bytes);

}  // namespace baltoro::cuda
