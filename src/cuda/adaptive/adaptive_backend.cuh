// What all products with an adaptive matrix on a GPU have in common: its copy on the device, and the
// scratch of a batch.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cuda/adaptive/batch.cuh"
#include "cuda/adaptive/device_containers.hpp"
#include "cuda/adaptive/team.cuh"
#include "cuda/capacity.hpp"
#include "cuda/device_backend.hpp"

namespace baltoro::cuda {

template <class T>
class adaptive_backend : public device_backend<T> {
 public:
  std::uint64_t matrix_bytes() const override {
    return device_containers::bytes(this->a());
  }
  std::uint64_t scratch_bytes() const override { return batch_ ? batch_->bytes() : 0; }

  void prepare() override {
    const device_guard guard(this->device_number());
    if (copy_ == nullptr) copy_ = device_containers::shared(this->a());
    if (batch_) batch_->prepare();
  }

 protected:
  adaptive_backend(const matrix& a, const product_options& options)
      : adaptive_backend(a, options, [](index_t) { return std::uint64_t{0}; }) {}
  // With vector_scratch(batch) bytes that the product allocates beside what this does.
  template <class Bytes>
  adaptive_backend(const matrix& a, const product_options& options, const Bytes& vector_scratch)
      : device_backend<T>(a, options) {
    const unsigned warps = options.cuda.container_warps;
    if (warps != 0 && warps != 1 && warps != 4) {
      throw invalid_argument("teams of " + std::to_string(warps) +
                             " warps: a container is worked off by 1 or 4");
    }
    if (options.batch != 1) batch_.emplace(a.adaptive(), options.side);
    const std::uint64_t resident = device_containers::resident(a) ? matrix_bytes() : 0;
    require_fit(options.batch, resident, options.cuda, [&](index_t batch) {
      return matrix_bytes() + (batch == 1 ? 0 : scratch_bytes()) + vector_scratch(batch) +
             this->vector_bytes(batch);
    });
  }

  // The matrix on the device, once it is prepared.
  const device_containers& copy() const { return *copy_; }
  // Calls work(blocks, team) where there are containers: a block each, of the team that suits so many.
  template <class Work>
  void with_blocks(std::uint64_t containers, const Work& work) const {
    if (containers == 0) return;
    with_team(this->options().cuda.container_warps, containers,
              [&]<class Team>(Team of) { work(dim3(static_cast<unsigned>(containers)), of); });
  }
  // How to multiply more than one vector.
  const batch_plan& batch() const { return *batch_; }

 private:
  std::shared_ptr<device_containers> copy_;
  std::optional<batch_plan> batch_;
};

}  // namespace baltoro::cuda
