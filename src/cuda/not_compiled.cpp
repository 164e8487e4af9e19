// What a build without the GPU backend answers.
#include <baltoro/cuda.hpp>
#include <baltoro/device.hpp>
#include <baltoro/error.hpp>

#include "cuda/adaptive/adaptive_plan.hpp"
#include "cuda/adaptive/bits_plan.hpp"
#include "cuda/algorithms.hpp"
#include "cuda/build/construction.hpp"
#include "cuda/level_order_plan.hpp"

namespace baltoro {
namespace {

[[noreturn]] void refuse() { throw not_compiled("device cuda: " + query_cuda().reason); }

}  // namespace

const cuda_status& query_cuda() {
  static const cuda_status status{false, "this build of Baltoro has no GPU backend"};
  return status;
}

std::shared_ptr<cuda_scratch> make_cuda_scratch() { refuse(); }
std::uint64_t allocated_bytes(const cuda_scratch&) { refuse(); }

namespace cuda {

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_level_order(const matrix&, const product_options&) {
  refuse();
}

template std::unique_ptr<plan<float>::backend> plan_level_order<float>(const matrix&,
                                                                       const product_options&);
template std::unique_ptr<plan<double>::backend> plan_level_order<double>(const matrix&,
                                                                         const product_options&);

template <class T>
std::unique_ptr<typename plan<T>::backend> plan_adaptive(const matrix&, const product_options&) {
  refuse();
}

template std::unique_ptr<plan<float>::backend> plan_adaptive<float>(const matrix&,
                                                                    const product_options&);
template std::unique_ptr<plan<double>::backend> plan_adaptive<double>(const matrix&,
                                                                      const product_options&);

std::unique_ptr<plan<bits>::backend> plan_bits(const matrix&, const product_options&) { refuse(); }

pagerank_result pagerank(const matrix&, const pagerank_options&, std::span<const double>) {
  refuse();
}
personalized_pagerank_result personalized_pagerank(const matrix&, std::span<const index_t>,
                                                   const pagerank_options&) {
  refuse();
}
bfs_result bfs(const matrix&, std::span<const index_t>, const bfs_options&) { refuse(); }
multi_source_result multi_source_bfs(const matrix&, std::span<const index_t>,
                                     const multi_source_options&) {
  refuse();
}
reach_result reach(const matrix&, std::span<const index_t>, const reach_options&) { refuse(); }

working_set pagerank_needs(const matrix&, const pagerank_options&) { refuse(); }
working_set personalized_pagerank_needs(const matrix&, std::uint64_t, const pagerank_options&) {
  refuse();
}
working_set bfs_needs(const matrix&, const bfs_options&) { refuse(); }
working_set multi_source_needs(const matrix&, std::uint64_t, const multi_source_options&) {
  refuse();
}
working_set reach_needs(const matrix&, std::uint64_t, const reach_options&) { refuse(); }

class construction::impl {};
construction::construction(const build_options&, std::uint64_t) { refuse(); }
construction::~construction() = default;
void construction::add_edges(std::span<const edge>) { refuse(); }
void construction::add_keys(std::span<const std::uint64_t>) { refuse(); }
shape construction::seen() const { refuse(); }
matrix construction::finish(shape) { refuse(); }
build_memory construction::needs(const build_options&, std::uint64_t) { refuse(); }

}  // namespace cuda
}  // namespace baltoro
