#include "cuda/adaptive/device_containers.hpp"
#include "cuda/search/search_graph.hpp"
#include "cuda/search/spread_bits.cuh"
#include "cuda/search/spread_tables.cuh"

namespace baltoro::cuda {
namespace {

class adaptive_graph final : public search_graph {
 public:
  adaptive_graph(const matrix& a, algorithms::traversal follow) : a_(a), follow_(follow) {}

  std::uint64_t vertices() const override { return a_.rows(); }
  std::uint64_t matrix_bytes() const override { return device_containers::bytes(a_); }
  std::uint64_t resident_bytes() const override {
    return device_containers::resident(a_) ? matrix_bytes() : 0;
  }
  std::uint64_t scratch_bytes() const override {
    return counters_bytes + aligned(sizeof(std::uint32_t) * a_.adaptive().containers);
  }

  void prepare() override {
    if (copy_ != nullptr) return;
    memory_ = device_memory(scratch_bytes(), "the list of containers of a search");
    copy_ = device_containers::shared(a_);
  }

  void spread(cudaStream_t stream, const search_sets& sets,
              const search_tables& tables) const override {
    along_edges([&]<direction Side>() {
      spread_level<Side>(stream, device_view(copy_->view()), sets, list(), spread_warps,
                         spread_tables<Side>, tables);
    });
  }

  void spread(cudaStream_t stream, const search_sets& sets, index_t* parents) const override {
    along_edges([&]<direction Side>() {
      spread_level<Side>(stream, device_view(copy_->view()), sets, list(), spread_bits_warps,
                         parents == nullptr ? spread_bits<Side, false> : spread_bits<Side, true>,
                         parents);
    });
  }

 private:
  static constexpr std::uint64_t counters_bytes = aligned(2 * sizeof(std::uint32_t));

  template <class Work>
  void along_edges(const Work& work) const {
    if (follow_.along) work.template operator()<direction::left>();
    if (follow_.against) work.template operator()<direction::right>();
  }
  container_list list() const {
    auto* const counters = memory_.at<std::uint32_t>();
    return {memory_.at<std::uint32_t>(counters_bytes), counters, counters + 1};
  }

  matrix a_;
  algorithms::traversal follow_;
  device_memory memory_;
  std::shared_ptr<device_containers> copy_;
};

}  // namespace

std::unique_ptr<search_graph> make_search_graph(const matrix& a, algorithms::traversal follow) {
  return std::make_unique<adaptive_graph>(a, follow);
}

}  // namespace baltoro::cuda
