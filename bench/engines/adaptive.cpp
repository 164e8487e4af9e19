#include <baltoro/builder.hpp>
#include <baltoro/product.hpp>

#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

class adaptive_product final : public product {
 public:
  adaptive_product(const matrix& a, const product_options& options) : plan_(a, options) {}

  void prepare(cuda_stream, const float*, float*) override { plan_.prepare(); }
  void run(cuda_stream stream, const float* x, float* y) override {
    if (plan_.where() == device::cuda) {
      plan_.run_on(stream, x, y);
    } else {
      plan_.run({x, plan_.x_size()}, {y, plan_.y_size()});
    }
  }
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
    const auto* const from = reinterpret_cast<const bits*>(x);
    auto* const to = reinterpret_cast<bits*>(y);
    if (plan_.where() == device::cuda) {
      plan_.run_on(stream, from, to);
    } else {
      plan_.run({from, plan_.x_size()}, {to, plan_.y_size()});
    }
  }
  working_set needs() const override { return plan_.needs(); }

 private:
  plan<bits> plan_;
};

class adaptive_engine final : public engine {
 public:
  adaptive_engine(matrix a, std::string name, device where, bool reproducible)
      : a_(std::move(a)),
        name_(std::move(name)),
        where_(where),
        reproducible_(reproducible),
        holder_(a_, {.where = where}) {
    holder_.prepare();
  }

  std::string name() const override { return name_; }
  device where() const override { return where_; }
  std::uint64_t persistent_bytes() const override { return holder_.needs().matrix_bytes; }
  std::vector<std::string> variants(const task&) const override { return {"default"}; }
  bool boolean() const override { return !reproducible_; }
  std::unique_ptr<product> make(const task& what, const std::string&) override {
    if (what.boolean) {
      return std::make_unique<bits_product>(
          a_, product_options{.side = what.side, .ring = semiring::lor_land, .where = where_});
    }
    return std::make_unique<adaptive_product>(
        a_, product_options{.side = what.side,
                            .batch = what.batch,
                            .where = where_,
                            .reproducible = reproducible_});
  }

 private:
  matrix a_;
  std::string name_;
  device where_;
  bool reproducible_;
  plan<float> holder_;
};

}  // namespace

std::unique_ptr<engine> make_adaptive(subject& graph, std::string name, device where,
                                      std::uint32_t container_leaves, bool reproducible) {
  return std::make_unique<adaptive_engine>(
      convert(graph.compressed(), layout::adaptive, {.container_leaves = container_leaves}),
      std::move(name), where, reproducible);
}

}  // namespace baltoro::bench
