#include <baltoro/product.hpp>

#include "engines/engines.hpp"

namespace baltoro::bench {
namespace {

product_options options_of(const task& what, device where, const cuda_options& options) {
  return {.side = what.side, .batch = what.batch, .where = where, .cuda = options};
}

class level_order_product final : public product {
 public:
  level_order_product(const matrix& a, const product_options& options) : plan_(a, options) {}

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

class level_order_engine final : public engine {
 public:
  level_order_engine(const matrix& a, std::string name, device where, cuda_options options)
      : a_(a),
        name_(std::move(name)),
        where_(where),
        options_(std::move(options)),
        holder_(a, options_of({}, where, with_scratch())) {
    holder_.prepare();  // the matrix stays on the device while products come and go
  }

  std::string name() const override { return name_; }
  device where() const override { return where_; }
  std::uint64_t persistent_bytes() const override { return holder_.needs().matrix_bytes; }
  std::vector<std::string> variants(const task&) const override { return {"default"}; }
  std::unique_ptr<product> make(const task& what, const std::string&) override {
    return std::make_unique<level_order_product>(a_, options_of(what, where_, options_));
  }

 private:
  const cuda_options& with_scratch() {
    if (where_ == device::cuda) options_.scratch = make_cuda_scratch();
    return options_;
  }

  matrix a_;
  std::string name_;
  device where_;
  cuda_options options_;
  plan<float> holder_;
};

}  // namespace

std::unique_ptr<engine> make_level_order(subject& graph, std::string name, device where,
                                         const cuda_options& options) {
  return std::make_unique<level_order_engine>(graph.compressed(), std::move(name), where, options);
}

}  // namespace baltoro::bench
