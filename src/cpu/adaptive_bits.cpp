#include "cpu/adaptive_bits.hpp"

#include <baltoro/morton.hpp>

#include <algorithm>
#include <atomic>
#include <bit>

#include <tbb/parallel_for.h>

#include "format/adaptive/bit_vectors.hpp"
#include "format/adaptive/decoder.hpp"

namespace baltoro::cpu {
namespace {

// word |= more. Most are there already: then nothing is written.
void add(bits& word, std::uint32_t more) {
  std::atomic_ref<bits> shared(word);
  bits seen = shared.load(std::memory_order_relaxed);
  while ((more & ~static_cast<std::uint32_t>(seen)) != 0) {
    const bits next{static_cast<std::uint32_t>(seen) | more};
    if (shared.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return;
  }
}

class bits_product final : public plan<bits>::backend {
 public:
  using backend::backend;

  std::uint64_t scratch_bytes() const override { return 0; }

  void run(const bits* x, bits* y, update<bits> how) override {
    if (how.beta == bits{0}) {
      std::fill_n(y, entries<bits>(outputs(), options().batch), bits{0});
    }
    const adaptive_view& matrix = a().adaptive();
    tbb::parallel_for(std::uint64_t{0}, matrix.containers, [&](std::uint64_t i) {
      thread_local format::decoded_container container;
      container.load(matrix, i, format::leaf_order::stored);
      for (std::size_t k = 0; k < container.offsets().size(); ++k) {
        const std::uint64_t code = container.corner() + container.offsets()[k];
        const std::uint64_t row = morton::row_of(code);
        const std::uint64_t col = morton::col_of(code);
        if (options().side == direction::right) {
          multiply<direction::right>(container.patterns()[k], col, row, x, y);
        } else {
          multiply<direction::left>(container.patterns()[k], row, col, x, y);
        }
      }
    });
  }

 private:
  // One leaf, by the numbers of its strips of eight vertices.
  template <direction Side>
  void multiply(std::uint64_t pattern, std::uint64_t input, std::uint64_t output, const bits* x,
                bits* y) const {
    if (options().batch == 1) {
      const std::uint32_t byte =
          static_cast<std::uint32_t>(x[input / 4]) >> (input % 4 * 8) & 0xFFU;
      const std::uint32_t reached = format::multiply_bits<Side>(pattern, byte);
      if (reached != 0) add(y[output / 4], reached << (output % 4 * 8));
      return;
    }
    const std::uint64_t words = entries<bits>(1, options().batch);
    for (std::uint64_t left = pattern; left != 0; left &= left - 1) {
      const auto cell = static_cast<unsigned>(std::countr_zero(left));
      const unsigned from = Side == direction::right ? cell % 8 : cell / 8;
      const unsigned to = Side == direction::right ? cell / 8 : cell % 8;
      for (std::uint64_t w = 0; w < words; ++w) {
        add(y[(8 * output + to) * words + w],
            static_cast<std::uint32_t>(x[(8 * input + from) * words + w]));
      }
    }
  }
};

}  // namespace

std::unique_ptr<plan<bits>::backend> plan_bits(const matrix& a, const product_options& options) {
  return std::make_unique<bits_product>(a, options);
}

}  // namespace baltoro::cpu
