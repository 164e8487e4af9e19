#include <cub/device/device_scan.cuh>

#include "cuda/atomics.cuh"
#include "cuda/check.cuh"
#include "cuda/device_memory.hpp"
#include "cuda/device_tree.hpp"
#include "cuda/level_order_kernels.cuh"
#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

using cuda::check;
using cuda::device_memory;
using cuda::launch;

__global__ void write_fan_outs(level_order_view tree, std::uint64_t first, std::uint64_t count,
                               std::uint32_t* fan_outs) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t < count) fan_outs[t] = popcount(tree.signature(first + t));
}

struct add_term {
  const float* x;
  float* y;
  bool right;
  __device__ void operator()(std::uint64_t row, std::uint64_t col) const {
    cuda::accumulate<plus_times>(y + (right ? row : col), x[right ? col : row]);
  }
};

dim3 blocks_for(std::uint64_t threads) {
  return dim3(
      static_cast<unsigned>((threads + cuda::threads_per_block - 1) / cuda::threads_per_block));
}

constexpr dim3 block(cuda::threads_per_block);

class naive_product final : public product {
 public:
  naive_product(std::shared_ptr<cuda::device_tree> tree, const shape& dims, const task& what)
      : tree_(std::move(tree)), dims_(dims), what_(what) {}

  void prepare(cuda_stream, const float*, float*) override {}

  void run(cuda_stream stream, const float* x, float* y) override {
    const level_order_view& tree = tree_->view();
    check(cudaMemsetAsync(y, 0, sizeof(float) * what_.outputs(dims_), stream), "cudaMemsetAsync");
    device_memory codes(8, "the code of the root");
    check(cudaMemsetAsync(codes.data(), 0, 8, stream), "cudaMemsetAsync");
    const unsigned leaves = tree.levels - 1;
    for (unsigned level = 0; level < leaves; ++level) {
      // cudaFree waits for what still uses the memory
      codes = expand(tree, level, codes, stream);
    }
    const cuda::step_view step{tree.level_begin[leaves], tree.nodes_at(leaves), 0,
                               codes.at<std::uint64_t>(), nullptr};
    launch(cuda::visit_nodes<true, add_term>, blocks_for(step.nodes), block, 0, stream, tree, step,
           add_term{x, y, what_.side == direction::right});
  }

  working_set needs() const override {
    const level_order_view& tree = tree_->view();
    const unsigned last = tree.levels - 1;
    // Of the last expansion: codes of two levels, fan-outs and offsets, without CUB's own.
    const std::uint64_t above = last == 0 ? 0 : tree.nodes_at(last - 1);
    return {cuda::tree_bytes(tree),
            sizeof(float) * (std::uint64_t{dims_.rows} + std::uint64_t{dims_.cols}),
            8 * tree.nodes_at(last) + 16 * above};
  }

 private:
  // The codes of the level below.
  static device_memory expand(const level_order_view& tree, unsigned level,
                              const device_memory& codes, cudaStream_t stream) {
    const std::uint64_t first = tree.level_begin[level];
    const std::uint64_t nodes = tree.nodes_at(level);
    const device_memory fan_outs(4 * nodes, "fan-outs");
    const device_memory offsets(4 * nodes, "offsets");
    launch(write_fan_outs, blocks_for(nodes), block, 0, stream, tree, first, nodes,
           fan_outs.at<std::uint32_t>());
    const auto scan = [&](void* storage, std::size_t& bytes) {
      check(cub::DeviceScan::ExclusiveSum(storage, bytes, fan_outs.at<std::uint32_t>(),
                                          offsets.at<std::uint32_t>(), nodes, stream),
            "cub::DeviceScan");
    };
    std::size_t bytes = 0;
    scan(nullptr, bytes);
    const device_memory storage(bytes, "a scan");
    scan(storage.data(), bytes);
    device_memory below(8 * tree.nodes_at(level + 1), "codes");
    const cuda::step_view step{first, nodes, tree.level_begin[level + 1], codes.at<std::uint64_t>(),
                               offsets.at<std::uint32_t>()};
    launch(cuda::expand_nodes, blocks_for(nodes), block, 0, stream, tree, step,
           below.at<std::uint64_t>());
    return below;
  }

  std::shared_ptr<cuda::device_tree> tree_;
  shape dims_;
  task what_;
};

class naive_engine final : public engine {
 public:
  explicit naive_engine(const matrix& a) : a_(a), tree_(cuda::device_tree::shared(a)) {}

  std::string name() const override { return "naive"; }
  device where() const override { return device::cuda; }
  std::uint64_t persistent_bytes() const override { return cuda::tree_bytes(a_.tree()); }
  std::vector<std::string> variants(const task&) const override { return {"default"}; }
  std::unique_ptr<product> make(const task& what, const std::string&) override {
    if (what.batch > 1) throw not_compiled("the naive engine has no batches");
    if (a_.tree().nodes() >= 1ULL << 32U)
      throw not_compiled("the naive engine's offsets have 32 bits");
    return std::make_unique<naive_product>(tree_, a_.dims(), what);
  }

 private:
  matrix a_;
  std::shared_ptr<cuda::device_tree> tree_;
};

}  // namespace

std::unique_ptr<engine> make_naive(subject& graph) {
  return std::make_unique<naive_engine>(graph.compressed());
}

}  // namespace baltoro::bench
