// y = alpha · A⊗x + beta · y for a batch of vectors: containers are expanded into a list of the inputs of their
// leaves by strip of outputs, a tile of strips at a time, and then every input meets all vectors.
//
// Reading a row of x or touching one of y moves B values, so what counts is how often that happens: a row of
// x once a leaf that has cells in its column, a row of y once, but for strips that are cut.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/product.hpp>
#include <baltoro/semiring.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cuda/adaptive/batch_kernels.cuh"
#include "cuda/adaptive/batch_list.cuh"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"
#include "format/adaptive/strips.hpp"

namespace baltoro::cuda {

// Inputs of a tile: their list takes 64 MiB. A container is decoded once for each tile it has leaves in.
inline constexpr std::uint64_t batch_tile = 1ULL << 23U;

// A batch's work as the host has planned it, and what it needs on the device beside matrix and vectors.
class batch_plan {
 public:
  batch_plan(const adaptive_view& a, direction side)
      : plan_(format::plan_strips(a, side, batch_tile)),
        begin_bytes_(aligned(4 * plan_.begin.size())),
        list_bytes_(aligned(4 * plan_.containers.size())),
        next_bytes_(aligned(4 * plan_.most_strips())),
        inputs_bytes_(aligned(sizeof(batch_input) * plan_.most_inputs())) {}

  std::uint64_t bytes() const { return begin_bytes_ + list_bytes_ + next_bytes_ + inputs_bytes_; }

  // Allocates, uploads and waits; does nothing when it was done.
  void prepare() {
    if (memory_.bytes() == bytes()) return;
    memory_ = device_memory(bytes(), "scratch of the products");
    const stream upload;
    copy_to_device(memory_.data(), plan_.begin.data(), 4 * plan_.begin.size(), upload.get());
    copy_to_device(memory_.at<std::uint32_t>(begin_bytes_), plan_.containers.data(),
                   4 * plan_.containers.size(), upload.get());
    upload.wait();
  }

  // Enqueues y = alpha · A⊗x + beta · y.
  template <template <class> class Ring, direction Side, class T>
  void run(cudaStream_t stream, const device_view& matrix, const batch_operands<T>& v) const {
    for (const format::strip_tile& t : plan_.tiles) {
      begin<Ring>(stream, t, v);
      if (t.inputs == 0) continue;
      expand<Side>(stream, t, matrix);
      multiply<Ring>(stream, t, v);
    }
  }

 private:
  // The steps of a tile.
  template <template <class> class Ring, class T>
  void begin(cudaStream_t stream, const format::strip_tile& t, const batch_operands<T>& v) const {
    constexpr unsigned each = begin_run * (begin_threads / warp::lanes);
    launch(begin_strips<Ring, T>, dim3((t.strips + each - 1) / each), dim3(begin_threads), 0,
           stream, view(t), v);
  }
  template <direction Side>
  void expand(cudaStream_t stream, const format::strip_tile& t, const device_view& matrix) const {
    auto* const next = memory_.at<std::uint32_t>(begin_bytes_ + list_bytes_);
    check(cudaMemcpyAsync(next, view(t).begin, 4 * std::uint64_t{t.strips},
                          cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    const auto containers = static_cast<unsigned>(t.containers);
    launch(expand_containers<Side>, dim3((containers + expand_warps - 1) / expand_warps),
           dim3(expand_warps * warp::lanes), 0, stream, matrix, view(t),
           memory_.at<std::uint32_t>(begin_bytes_ + 4 * t.first_container), containers, next);
  }
  template <template <class> class Ring, class T>
  void multiply(cudaStream_t stream, const format::strip_tile& t,
                const batch_operands<T>& v) const {
    constexpr unsigned quad = 16 / sizeof(T);
    constexpr std::uint64_t most_slices = 65535;
    const auto fits = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
    const bool wide = v.batch % quad == 0 && fits(v.x) && fits(v.y) &&
                      std::uint64_t{v.batch} * sizeof(T) < 1ULL << 32U;
    const unsigned each = wide ? quad : 1;
    // As many threads a row as it has parts, at most a warp.
    const unsigned lanes =
        std::min<unsigned>(warp::lanes, std::bit_ceil((v.batch + each - 1) / each));
    const std::uint64_t slices = (std::uint64_t{v.batch} + each * lanes - 1) / (each * lanes);
    const auto blocks = static_cast<unsigned>((t.inputs + batch_inputs - 1) / batch_inputs);
    for (std::uint64_t slice = 0; slice < slices; slice += most_slices) {
      launch(wide ? multiply_batch<Ring, T, quad> : multiply_batch<Ring, T, 1>,
             dim3(blocks, static_cast<unsigned>(std::min(most_slices, slices - slice))),
             dim3(batch_threads), 0, stream, view(t), v, slice * each * lanes, lanes);
    }
  }

  tile_view view(const format::strip_tile& t) const {
    return {t.first_strip, t.strips, static_cast<std::uint32_t>(t.inputs),
            memory_.at<std::uint32_t>(4 * std::uint64_t{t.first_strip}),
            memory_.at<batch_input>(begin_bytes_ + list_bytes_ + next_bytes_)};
  }

  format::strip_plan plan_;
  std::uint64_t begin_bytes_;
  std::uint64_t list_bytes_;
  std::uint64_t next_bytes_;
  std::uint64_t inputs_bytes_;
  device_memory memory_;
};

}  // namespace baltoro::cuda
