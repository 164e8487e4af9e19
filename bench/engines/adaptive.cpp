#include <baltoro/builder.hpp>
#include <baltoro/product.hpp>

#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

class adaptive_product final : public product {
 public:
  adaptive_product(const matrix& a, const product_options& options) : plan_(a, options) {}

  void prepare(cuda_stream, const float*, float*) override { plan_.prepare(); }
  void run(cuda_stream stream, const float* x, float* y) override { plan_.run_on(stream, x, y); }
  working_set needs() const override { return plan_.needs(); }

 private:
  plan<float> plan_;
};

// The same on vectors in bits, whose words lie where floats would.
class bits_product final : public product {
 public:
  bits_product(const matrix& a, const product_options& options) : plan_(a, options) {}

  void prepare(cuda_stream, const float*, float*) override { plan_.prepare(); }
  void run(cuda_stream stream, const float* x, float* y) override {
    plan_.run_on(stream, reinterpret_cast<const bits*>(x), reinterpret_cast<bits*>(y));
  }
  working_set needs() const override { return plan_.needs(); }

 private:
  plan<bits> plan_;
};

class adaptive_engine final : public engine {
 public:
  adaptive_engine(matrix a, std::string name)
      : a_(std::move(a)), name_(std::move(name)), holder_(a_, {.where = device::cuda}) {
    holder_.prepare();
  }

  std::string name() const override { return name_; }
  device where() const override { return device::cuda; }
  std::uint64_t persistent_bytes() const override { return holder_.needs().matrix_bytes; }
  std::vector<std::string> variants(const task&) const override { return {"default"}; }
  bool boolean() const override { return true; }
  std::unique_ptr<product> make(const task& what, const std::string&) override {
    if (what.boolean) {
      return std::make_unique<bits_product>(
          a_, product_options{
                  .side = what.side, .ring = semiring::lor_land, .where = device::cuda});
    }
    return std::make_unique<adaptive_product>(
        a_, product_options{.side = what.side, .batch = what.batch, .where = device::cuda});
  }

 private:
  matrix a_;
  std::string name_;
  plan<float> holder_;
};

}  // namespace

std::unique_ptr<engine> make_adaptive(subject& graph, std::string name,
                                      std::uint32_t container_leaves) {
  builder cells({.dims = graph.dims(),
                 .kind = layout::adaptive,
                 .container_leaves = container_leaves});
  graph.compressed().for_each([&](std::span<const edge> batch) { cells.add(batch); });
  return std::make_unique<adaptive_engine>(cells.finish(), std::move(name));
}

}  // namespace baltoro::bench
