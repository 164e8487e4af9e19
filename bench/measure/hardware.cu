#include <functional>

#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"
#include "measure/gpu_vectors.hpp"
#include "measure/hardware.hpp"
#include "measure/place.hpp"

namespace baltoro::bench {
namespace {

using cuda::check;
using cuda::launch;

constexpr std::uint64_t entries = 1ULL << 26U;  // 256 MiB of floats, more than any cache
constexpr unsigned threads = 256;
constexpr unsigned graph_nodes = 1000;

__global__ void nothing() {}

__global__ void add_atomically(const float* x, float* y) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  atomicAdd(y + i, x[i]);
}

__global__ void add_plainly(const float* x, float* y) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  y[i] += x[i];
}

// A hash scatters neighbours over all of y.
__global__ void add_scattered(const float* x, float* y) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::uint64_t z = (i + 1) * 0x9E37'79B9'7F4A'7C15ULL;
  z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9ULL;
  atomicAdd(y + ((z ^ (z >> 27U)) & (entries - 1)), x[i]);
}

// Work on a stream, measured as a product is.
class enqueued final : public product {
 public:
  explicit enqueued(std::function<void(cudaStream_t)> work) : work_(std::move(work)) {}
  void prepare(cuda_stream, const float*, float*) override {}
  void run(cuda_stream stream, const float*, float*) override { work_(stream); }
  working_set needs() const override { return {}; }

 private:
  std::function<void(cudaStream_t)> work_;
};

double median_ms(const protocol& how, std::function<void(cudaStream_t)> work) {
  enqueued timed(std::move(work));
  return measure(*make_gpu_place(), timed, how).ms.median;
}

double measure_graph_node_us(const protocol& how) {
  const cuda::stream recorder;
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(recorder.get(), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
  for (unsigned i = 0; i < graph_nodes; ++i) launch(nothing, dim3(1), dim3(1), 0, recorder.get());
  check(cudaStreamEndCapture(recorder.get(), &graph), "cudaStreamEndCapture");
  cudaGraphExec_t recorded = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&recorded, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "cudaGraphInstantiate");
  const double ms = median_ms(how, [&](cudaStream_t stream) {
    check(cudaGraphLaunch(recorded, stream), "cudaGraphLaunch");
  });
  cudaGraphExecDestroy(recorded);
  return 1000 * ms / graph_nodes;
}

}  // namespace

hardware_figures measure_hardware(const protocol& how) {
  hardware_figures figures;
  figures.entries = entries;
  figures.launch_us = 1000 * median_ms(how, [](cudaStream_t stream) {
                        launch(nothing, dim3(1), dim3(1), 0, stream);
                      });
  figures.graph_node_us = measure_graph_node_us(how);

  constexpr std::uint64_t bytes = sizeof(float) * entries;
  const cuda::device_memory x(4 * bytes, "a measurement of the hardware");
  const cuda::device_memory y(4 * bytes, "a measurement of the hardware");
  const cuda::stream filling;
  fill_inputs(x.at<float>(), 4 * entries, 1, filling.get());
  fill_inputs(y.at<float>(), 4 * entries, 1, filling.get());
  filling.wait();
  const double copy_ms = median_ms(how, [&](cudaStream_t stream) {
    check(cudaMemcpyAsync(y.data(), x.data(), 4 * bytes, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  });
  figures.copy_gb_per_s = 2.0 * 4 * bytes / copy_ms / 1e6;
  const auto rate = [&](void (*kernel)(const float*, float*)) {
    const double ms = median_ms(how, [&](cudaStream_t stream) {
      launch(kernel, dim3(entries / threads), dim3(threads), 0, stream, x.at<float>(),
             y.at<float>());
    });
    return entries / ms / 1e6;
  };
  figures.consecutive_atomics_g_s = rate(add_atomically);
  figures.consecutive_stores_g_s = rate(add_plainly);
  figures.scattered_atomics_g_s = rate(add_scattered);
  return figures;
}

}  // namespace baltoro::bench
