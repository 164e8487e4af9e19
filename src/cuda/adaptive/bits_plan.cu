#include "core/dispatch.hpp"
#include "cuda/adaptive/adaptive_backend.cuh"
#include "cuda/adaptive/bits_plan.hpp"
#include "cuda/adaptive/multiply_bits.cuh"
#include "cuda/adaptive/multiply_bits_streams.cuh"
#include "cuda/check.cuh"

namespace baltoro::cuda {
namespace {

template <direction Side>
class bits_product final : public adaptive_backend<bits> {
 public:
  bits_product(const matrix& a, const product_options& options) : adaptive_backend(a, options) {}

  void run_on(cudaStream_t stream, const bits* x, bits* y, update<bits> how) override {
    const device_guard guard(device_number());
    prepare();
    const std::uint64_t count = entries<bits>(outputs(), options().batch);
    if (count == 0) return;
    const device_view view(copy().view());
    const auto* const from = reinterpret_cast<const std::uint32_t*>(x);
    auto* const to = reinterpret_cast<std::uint32_t*>(y);
    if (options().batch == 1) {
      if (how.beta == bits{0}) {
        check(cudaMemsetAsync(y, 0, sizeof(bits) * count, stream), "cudaMemsetAsync");
      }
      const auto by_leaves = [&](std::uint64_t containers, const std::uint32_t* list) {
        with_blocks(containers, [&]<class Team>(dim3 blocks, Team) {
          launch(multiply_bits<Side, Team>, blocks, dim3(Team::threads), 0, stream, view, from, to,
                 list);
        });
      };
      if (reads_streams()) {
        launch(multiply_bits_streams<Side>, dim3(static_cast<unsigned>(view.matrix.containers)),
               dim3(warp::lanes), 0, stream, view, from, to);
        by_leaves(copy().other_containers(), copy().others());
      } else {
        by_leaves(view.matrix.containers, nullptr);
      }
      return;
    }
    const auto words = static_cast<index_t>(entries<bits>(1, options().batch));
    batch().run<bitwise_or, Side>(
        stream, view,
        batch_operands<std::uint32_t>{from, to, outputs(), words, 1U,
                                      static_cast<std::uint32_t>(how.beta)});
  }
};

}  // namespace

std::unique_ptr<plan<bits>::backend> plan_bits(const matrix& a, const product_options& options) {
  using made = std::unique_ptr<plan<bits>::backend>;
  return with_side(options.side, [&]<direction Side>() -> made {
    return std::make_unique<bits_product<Side>>(a, options);
  });
}

}  // namespace baltoro::cuda
