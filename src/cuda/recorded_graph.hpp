// Products recorded as CUDA graphs, so that repeating one costs a single call (paper, 3.4).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <cuda_runtime.h>

namespace baltoro::cuda {

// Everything that the kernels of a recorded product were given.
struct recording_key {
  std::array<const void*, 3> pointers{};
  std::array<double, 2> factors{};
  friend bool operator==(const recording_key&, const recording_key&) = default;
};

class recorded_graphs {
 public:
  recorded_graphs() = default;
  ~recorded_graphs();
  recorded_graphs(const recorded_graphs&) = delete;
  recorded_graphs& operator=(const recorded_graphs&) = delete;

  // Runs what `enqueue` puts on the stream it is given. The first time for a key it is called with
  // `stream` itself, the second time it is recorded, and from then on replayed. A stream that is captured
  // gets the work itself, for it takes no graphs.
  void run(const recording_key& key, cudaStream_t stream,
           const std::function<void(cudaStream_t)>& enqueue);

 private:
  struct entry {
    recording_key key;
    cudaGraphExec_t graph = nullptr;  // not recorded yet
  };
  static constexpr std::size_t kept = 4;
  std::vector<entry> entries_;  // the last used is the last
};

}  // namespace baltoro::cuda
