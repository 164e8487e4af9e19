#include <algorithm>

#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"
#include "cuda/recorded_graph.hpp"

namespace baltoro::cuda {
namespace {

cudaGraphExec_t record(const std::function<void(cudaStream_t)>& enqueue) {
  const stream recorder;
  check(cudaStreamBeginCapture(recorder.get(), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  cudaGraph_t graph = nullptr;
  try {
    enqueue(recorder.get());
  } catch (...) {
    cudaStreamEndCapture(recorder.get(), &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(recorder.get(), &graph), "cudaStreamEndCapture");
  cudaGraphExec_t recorded = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&recorded, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "cudaGraphInstantiate");
  return recorded;
}

bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace

recorded_graphs::~recorded_graphs() {
  for (const entry& e : entries_) {
    if (e.graph != nullptr) cudaGraphExecDestroy(e.graph);
  }
}

void recorded_graphs::run(const recording_key& key, cudaStream_t stream,
                          const std::function<void(cudaStream_t)>& enqueue) {
  if (is_captured(stream)) {
    enqueue(stream);
    return;
  }
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) { return e.key == key; });
  if (found == entries_.end()) {
    enqueue(stream);
    if (entries_.size() == kept) {
      if (entries_.front().graph != nullptr) cudaGraphExecDestroy(entries_.front().graph);
      entries_.erase(entries_.begin());
    }
    entries_.push_back({key});
    return;
  }
  std::rotate(found, found + 1, entries_.end());
  entry& last = entries_.back();
  if (last.graph == nullptr) last.graph = record(enqueue);
  check(cudaGraphLaunch(last.graph, stream), "cudaGraphLaunch");
}

}  // namespace baltoro::cuda
