// What the program allocates on the GPU, counted where the linker sends calls of cudaMalloc.
#pragma once

#include <cstdint>

namespace baltoro::test {

// Bytes of all successful calls of cudaMalloc so far; frees are not taken off.
std::uint64_t cuda_bytes_allocated();
// Their number.
std::uint64_t cuda_allocations();

}  // namespace baltoro::test
