// The copy of an adaptive matrix in device memory, shared by all plans on it.
#pragma once

#include <baltoro/matrix.hpp>

#include <cstdint>
#include <memory>

#include "cuda/device_memory.hpp"
#include "format/adaptive/streamed.hpp"

namespace baltoro::cuda {

class device_containers {
 public:
  // Uploads a matrix and waits for it. `a` is kept alive, since it is what later plans are told by that
  // they want the same.
  explicit device_containers(const matrix& a);

  // The matrix with pointers into device memory.
  const adaptive_view& view() const { return view_; }
  // Whether there are containers that can be read as streams, and the list of the others, which for a matrix
  // without streams are all and not listed.
  bool streamed() const { return streamed_; }
  const std::uint32_t* others() const { return others_; }
  std::uint64_t other_containers() const { return other_containers_; }

  // The copy of this matrix on the current device, uploaded where no plan holds one.
  static std::shared_ptr<device_containers> shared(const matrix& a);
  // Whether a plan holds one.
  static bool resident(const matrix& a);
  // Bytes that a copy takes. Reads every container's header where no plan holds one.
  static std::uint64_t bytes(const matrix& a);

 private:
  device_containers(const matrix& a, const format::streamed_containers& streams);

  matrix a_;
  device_memory memory_;
  adaptive_view view_;
  bool streamed_;
  const std::uint32_t* others_ = nullptr;
  std::uint64_t other_containers_;
};

}  // namespace baltoro::cuda
