// PageRank's product with a compressed matrix.
#include <baltoro/product.hpp>

#include <memory>

#include "cuda/adaptive/device_containers.hpp"
#include "cuda/power_iteration.hpp"
#include "cuda/row_degrees.hpp"

namespace baltoro::cuda {
namespace {

cuda_options with_scratch(cuda_options how) {
  if (how.scratch == nullptr) how.scratch = make_cuda_scratch();
  return how;
}

template <class T>
class compressed_product final : public rank_product<T> {
 public:
  compressed_product(const matrix& a, index_t batch, const cuda_options& options)
      : a_(a),
        batch_(batch),
        options_(with_scratch(options)),
        plan_(a,
              {.side = direction::left, .batch = batch, .where = device::cuda, .cuda = options_}),
        needs_(plan_.needs()) {}

  std::uint64_t vertices() const override { return a_.rows(); }
  std::uint64_t matrix_bytes() const override { return needs_.matrix_bytes; }
  std::uint64_t resident_bytes() const override {
    const bool resident = a_.kind() == layout::adaptive && device_containers::resident(a_);
    return resident ? needs_.matrix_bytes : 0;
  }
  std::uint64_t scratch_bytes() const override { return needs_.scratch_bytes; }

  void prepare(cudaStream_t, const T*, T*) override { plan_.prepare(); }
  void count_degrees(cudaStream_t stream, index_t* degrees) override {
    count_row_degrees(a_, options_, stream, degrees);
  }
  void run(cudaStream_t stream, const T* x, T* y) override {
    plan_.run_on(stream, x, y, {.alpha = T{1}, .beta = adds() ? T{1} : T{0}});
  }
  // A product of one vector adds anyway; one of a batch writes most of what it makes once.
  bool adds() const override { return batch_ == 1; }

 private:
  matrix a_;
  index_t batch_;
  cuda_options options_;
  plan<T> plan_;
  working_set needs_;
};

}  // namespace

template <class T>
std::unique_ptr<rank_product<T>> make_rank_product(const matrix& a, index_t batch,
                                                   const cuda_options& options) {
  return std::make_unique<compressed_product<T>>(a, batch, options);
}

template std::unique_ptr<rank_product<float>> make_rank_product<float>(const matrix&, index_t,
                                                                       const cuda_options&);
template std::unique_ptr<rank_product<double>> make_rank_product<double>(const matrix&, index_t,
                                                                         const cuda_options&);

}  // namespace baltoro::cuda
