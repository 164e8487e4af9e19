#include <algorithm>
#include <optional>

#include "algorithms/csr_graph.hpp"
#include "algorithms/csr_steps.cuh"
#include "cuda/check.cuh"

namespace baltoro::bench {
namespace {

constexpr unsigned threads_per_block = 128;

template <class Offset>
class csr_graph final : public cuda::search_graph {
 public:
  csr_graph(const csr& out, const csr& in, csr_steps steps)
      : vertices_(out.dims.rows), edges_(out.nnz()), steps_(steps) {
    if (steps != csr_steps::pull) out_.emplace(out);
    if (steps != csr_steps::push) in_.emplace(in);
  }

  std::uint64_t vertices() const override { return vertices_; }
  std::uint64_t matrix_bytes() const override {
    return (out_ ? out_->bytes() : 0) + (in_ ? in_->bytes() : 0);
  }
  std::uint64_t resident_bytes() const override { return matrix_bytes(); }
  std::uint64_t scratch_bytes() const override { return sizeof(unsigned long long); }
  void prepare() override {
    if (counter_.bytes() == 0) counter_ = cuda::device_memory(scratch_bytes(), "a counter");
  }

  void spread(cudaStream_t stream, const cuda::search_sets& sets,
              const cuda::search_tables& tables) const override {
    look_at_frontier(stream, sets);
    if (out_) start(stream, push_tables<Offset>, sets, rows(*out_), tables, few());
    if (in_) start(stream, pull_tables<Offset>, sets, rows(*in_), tables, many());
  }

  void spread(cudaStream_t stream, const cuda::search_sets& sets, index_t* parents) const override {
    if (parents != nullptr) throw invalid_argument("a search over CSR keeps no parents");
    look_at_frontier(stream, sets);
    if (out_) start(stream, push_bits<Offset>, sets, rows(*out_), few());
    if (in_) start(stream, pull_bits<Offset>, sets, rows(*in_), many());
  }

 private:
  static csr_rows<Offset> rows(const device_csr& a) {
    return {static_cast<const Offset*>(a.row_begin()), a.columns()};
  }

  template <class Kernel, class... Arguments>
  void start(cudaStream_t stream, const Kernel& kernel, const cuda::search_sets& sets,
             const Arguments&... arguments) const {
    constexpr std::uint32_t most_blocks = 1U << 18U;
    constexpr std::uint32_t words_of_block = threads_per_block / warp::lanes;
    const std::uint32_t blocks = std::min(most_blocks, sets.groups * warp::lanes / words_of_block);
    cuda::launch(kernel, dim3(blocks), dim3(threads_per_block), 0, stream, sets, arguments...);
  }

  void look_at_frontier(cudaStream_t stream, const cuda::search_sets& sets) const {
    if (steps_ != csr_steps::both) return;
    cuda::check(cudaMemsetAsync(counter_.data(), 0, scratch_bytes(), stream), "cudaMemsetAsync");
    start(stream, count_frontier_edges<Offset>, sets, rows(*out_),
          counter_.at<unsigned long long>());
  }
  when turn(bool many) const {
    constexpr std::uint64_t share = 14;  // Beamer's
    if (steps_ != csr_steps::both) return {nullptr, 0, many};
    return {counter_.at<unsigned long long>(), edges_ / share, many};
  }
  when few() const { return turn(false); }
  when many() const { return turn(true); }

  std::uint64_t vertices_;
  std::uint64_t edges_;
  csr_steps steps_;
  std::optional<device_csr> out_;
  std::optional<device_csr> in_;
  cuda::device_memory counter_;
};

}  // namespace

std::unique_ptr<cuda::search_graph> make_csr_graph(const csr& out, const csr& in, csr_steps steps) {
  if (needs_wide_offsets(out.nnz())) {
    return std::make_unique<csr_graph<std::uint64_t>>(out, in, steps);
  }
  return std::make_unique<csr_graph<std::uint32_t>>(out, in, steps);
}

}  // namespace baltoro::bench
