// The non-zeros of every row, counted on the GPU.
#pragma once

#include <baltoro/cuda.hpp>
#include <baltoro/matrix.hpp>

#include <cuda_runtime.h>

namespace baltoro::cuda {

// Enqueues degrees[v] = non-zeros of row v for all rows. Uploads the matrix where no plan holds it. A level-order
// matrix needs options.scratch.
void count_row_degrees(const matrix& a, const cuda_options& options, cudaStream_t stream,
                       index_t* degrees);

}  // namespace baltoro::cuda
