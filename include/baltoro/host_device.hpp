/// \file
/// \brief The one macro that lets a function run on the CPU and inside a CUDA kernel.
#pragma once

/// Marks a function compiled for host and device by nvcc and plainly by any other compiler.
/// Such functions are constexpr, work on trivially copyable views, and neither allocate nor throw.
#if defined(__CUDACC__)
#define BALTORO_HOST_DEVICE __host__ __device__
#else
#define BALTORO_HOST_DEVICE
#endif
