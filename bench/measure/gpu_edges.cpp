#include "measure/gpu_edges.hpp"

#include <cstring>
#include <utility>

#include "cuda/device_memory.hpp"

namespace baltoro::bench {

std::shared_ptr<const edge> pinned_edges(std::span<const edge> edges) {
  auto memory = std::make_shared<cuda::pinned_memory>(edges.size_bytes());
  edge* const copy = memory->at<edge>();
  std::memcpy(copy, edges.data(), edges.size_bytes());
  return {std::move(memory), copy};
}

std::shared_ptr<const edge> device_edges(std::span<const edge> edges) {
  auto memory = std::make_shared<cuda::device_memory>(edges.size_bytes(), "the edges");
  const cuda::stream upload;
  cuda::copy_to_device(memory->data(), edges.data(), edges.size_bytes(), upload.get());
  upload.wait();
  const edge* const copy = memory->at<edge>();
  return {std::move(memory), copy};
}

}  // namespace baltoro::bench
