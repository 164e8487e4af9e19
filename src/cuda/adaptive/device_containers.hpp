// The copy of an adaptive matrix in device memory, shared by all plans on it.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <memory>

#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

class device_containers {
 public:
  // Uploads a matrix and waits for it. `a` is kept alive, since it is what later plans are told by that
  // they want the same.
  explicit device_containers(const matrix& a);

  // The matrix with pointers into device memory.
  const adaptive_view& view() const { return view_; }

  // The copy of this matrix on the current device, uploaded where no plan holds one.
  static std::shared_ptr<device_containers> shared(const matrix& a);
  // Whether a plan holds one.
  static bool resident(const matrix& a);
  // Bytes that a copy takes.
  static std::uint64_t bytes(const adaptive_view& a);

 private:
  matrix a_;
  device_memory memory_;
  adaptive_view view_;
};

}  // namespace baltoro::cuda
