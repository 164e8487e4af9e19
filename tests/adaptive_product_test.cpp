// Products with an adaptive matrix on the CPU: every instruction set, graphs of all sorts of leaves, real
// graphs, the farthest rows and columns.
#include <baltoro/builder.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/product.hpp>
#include <baltoro/reader.hpp>
#include <baltoro/threads.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <sys/mman.h>

#include "cpu/adaptive_partition.hpp"
#include "support/data.hpp"
#include "support/oracle.hpp"

namespace {

using namespace baltoro;

constexpr semiring all_rings[] = {semiring::plus_times, semiring::lor_land, semiring::min_plus};
constexpr direction both_sides[] = {direction::right, direction::left};

matrix adaptive_of(std::span<const edge> cells, shape dims) {
  return build(cells, {.dims = dims, .kind = layout::adaptive});
}

template <class T>
std::vector<T> product_of(const matrix& a, const product_options& options, std::span<const T> x) {
  plan<T> p(a, options);
  std::vector<T> y(p.y_size(), std::numeric_limits<T>::quiet_NaN());
  p.run(x, y);
  return y;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Equal, or both NaN, or near enough for a sum.
template <class T>
void expect_product(const matrix& a, std::span<const edge> cells, const product_options& options,
                    std::span<const T> x) {
  const std::uint64_t outputs = options.side == direction::right ? a.rows() : a.cols();
  const auto y = product_of<T>(a, options, x);
  const auto wanted =
      test::coo_product<T>(cells, options.ring, options.side, outputs, options.batch, x);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto is = static_cast<double>(y[i]);
    if (options.ring == semiring::plus_times && std::isfinite(wanted[i])) {
      wrong += !(std::abs(is - wanted[i]) <= (sizeof(T) == 4 ? 1e-6 : 1e-13) * std::abs(wanted[i]));
    } else {
      wrong += is != wanted[i] && !(std::isnan(is) && std::isnan(wanted[i]));
    }
  }
  EXPECT_EQ(wrong, 0U) << name_of(options.ring)
                       << (options.side == direction::right ? " right" : " left")
                       << " B=" << options.batch << (sizeof(T) == 4 ? " float" : " double");
}

// Leaves of one, two and more cells, in and out of the dictionary, close by and far apart.
std::vector<edge> cells_of_all_sorts(shape dims) {
  std::vector<edge> cells = test::random_cells(dims, 3000, 1);
  for (const auto& more :
       {test::random_cells(dims, 3000, 2, 1), test::random_cells(dims, 800, 3, 9),
        test::random_cells(dims, 300, 4, 60)}) {
    cells.insert(cells.end(), more.begin(), more.end());
  }
  for (index_t i = 0; i < 2000; ++i) cells.push_back({i, i / 3});
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

// Runs the body with each instruction set there is.
template <class Body>
void for_each_target(const Body& body) {
  std::int64_t left = hwy::SupportedTargets();
  while (left != 0) {
    const std::int64_t one = left & -left;
    left &= ~one;
    hwy::SetSupportedTargetsForTest(one);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(one));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

template <class T>
void expect_same_on_all_targets() {
  const shape dims{4001, 5003};
  const auto cells = cells_of_all_sorts(dims);
  const matrix a = adaptive_of(cells, dims);
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : {1U, 3U, 8U, 40U}) {
        const product_options options{.side = side, .ring = ring, .batch = batch};
        const auto x = test::values<T>(plan<T>(a, options).x_size(), batch, ring);
        const auto first = product_of<T>(a, options, x);
        for_each_target([&] {
          expect_product<T>(a, cells, options, x);
          EXPECT_TRUE(same_bits(product_of<T>(a, options, x), first));
        });
      }
    }
  }
}

TEST(AdaptiveProduct, EscapesByRowsOnEveryInstructionSet) {
  const auto cells = test::repeated_rows(700, 8);
  const matrix a = adaptive_of(cells, {700, 700});
  ASSERT_TRUE(a.adaptive().classes.escapes_by_rows());
  for (const direction side : both_sides) {
    const product_options options{.side = side};
    const auto x = test::values<float>(700, 5, options.ring);
    for_each_target([&] { expect_product<float>(a, cells, options, x); });
  }
}

TEST(AdaptiveProduct, EveryInstructionSetGivesTheSameBitsInFloat) {
  expect_same_on_all_targets<float>();
}
TEST(AdaptiveProduct, EveryInstructionSetGivesTheSameBitsInDouble) {
  expect_same_on_all_targets<double>();
}

template <class T>
void expect_special_values_to_stay() {
  // Whatever is not finite reaches the outputs of its cells and no others, in leaves of every sort.
  const shape dims{600, 700};
  auto cells = test::random_cells(dims, 300, 1);
  for (const auto& more :
       {test::random_cells(dims, 300, 2, 1), test::random_cells(dims, 60, 3, 20)}) {
    cells.insert(cells.end(), more.begin(), more.end());
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  const matrix a = adaptive_of(cells, dims);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  std::mt19937 random(3);
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      for (const index_t batch : {1U, 5U, 32U}) {
        const product_options options{.side = side, .ring = ring, .batch = batch};
        std::vector<T> x(plan<T>(a, options).x_size());
        for (T& v : x) {
          const auto kind = random() % 40;
          v = kind == 0   ? std::numeric_limits<T>::quiet_NaN()
              : kind == 1 ? infinity
              : kind == 2 ? -infinity
              : kind == 3 ? -T{0}
                          : static_cast<T>(random() % 1000) / T{8};
          if (v == -infinity && ring == semiring::min_plus) v = infinity;  // lengths are ≥ 0
        }
        for_each_target([&] { expect_product<T>(a, cells, options, x); });
      }
    }
  }
}

TEST(AdaptiveProduct, NanAndInfinityStayWithTheirCellsInFloat) {
  expect_special_values_to_stay<float>();
}
TEST(AdaptiveProduct, NanAndInfinityStayWithTheirCellsInDouble) {
  expect_special_values_to_stay<double>();
}

TEST(AdaptiveProduct, UpdatesInEveryBatch) {
  const shape dims{900, 1100};
  const auto cells = test::random_cells(dims, 2000, 9, 6);
  const matrix a = adaptive_of(cells, dims);
  for (const index_t batch : {1U, 3U, 8U, 32U, 128U}) {
    plan<float> p(a, {.batch = batch});
    const auto x = test::values<float>(p.x_size(), 1, semiring::plus_times);
    auto y = test::values<float>(p.y_size(), 2, semiring::plus_times);
    const auto old = y;
    p.run(x, y, {.alpha = -2, .beta = 0.5F});
    const auto sums = test::coo_product<float>(cells, semiring::plus_times, direction::right,
                                               dims.rows, batch, x);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double wanted = -2 * sums[i] + 0.5 * static_cast<double>(old[i]);
      ASSERT_NEAR(y[i], wanted, 1e-6 * (2 * std::abs(sums[i]) + std::abs(wanted))) << i;
    }
  }
}

// A matrix whose work has few outputs: groups are cut into pieces that add up privately.
TEST(AdaptiveProduct, RelationsWithFewColumnsAndFewRows) {
  const shape tall{400'000, 1700};
  auto cells = generate_uniform(tall, 1'200'000, 3);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  std::vector<edge> turned;
  for (const edge& e : cells) turned.push_back({e.col, e.row});
  const matrix a = adaptive_of(cells, tall);
  const matrix b = adaptive_of(turned, {tall.cols, tall.rows});
  EXPECT_GT(cpu::adaptive_partition(a.adaptive(), direction::left).private_outputs, 0U);
  EXPECT_GT(cpu::adaptive_partition(b.adaptive(), direction::right).private_outputs, 0U);
  for (const direction side : both_sides) {
    for (const semiring ring : all_rings) {
      const product_options options{.side = side, .ring = ring};
      const auto x = test::values<float>(plan<float>(a, options).x_size(), 5, ring);
      expect_product<float>(a, cells, options, x);
      const auto one_thread = [&] {
        const thread_limit limit(1);
        return product_of<float>(a, options, x);
      };
      EXPECT_TRUE(same_bits(product_of<float>(a, options, x), one_thread()));
      const auto z = test::values<float>(plan<float>(b, options).x_size(), 5, ring);
      expect_product<float>(b, turned, options, z);
    }
  }
}

TEST(AdaptiveProduct, PartitionHoldsEveryContainerOnceAndKeepsToItsBand) {
  const auto cells = generate_rmat(17, 400'000, 0.57, 0.19, 0.19, 7);
  const matrix a = adaptive_of(cells, {1U << 17U, 1U << 17U});
  const adaptive_view& view = a.adaptive();
  for (const direction side : both_sides) {
    const cpu::adaptive_partition parts(view, side);
    std::vector<int> seen(view.containers);
    ASSERT_EQ(parts.order.size(), view.containers);
    ASSERT_EQ(parts.first_phase.size(), parts.bands + 1);
    for (std::uint64_t band = 0; band < parts.bands; ++band) {
      for (std::uint64_t k = parts.first_phase[band]; k < parts.first_phase[band + 1]; ++k) {
        const auto& phase = parts.phases[k];
        for (std::uint64_t g = phase.groups_begin; g < phase.groups_end; ++g) {
          const auto& group = parts.groups[g];
          EXPECT_EQ(group.first_out >> parts.band_level, band);
          if (g > phase.groups_begin) {
            EXPECT_GT(group.first_out, parts.groups[g - 1].first_out);
          }
          for (std::uint64_t p = group.pieces_begin; p < group.pieces_end; ++p) {
            EXPECT_EQ(parts.pieces[p].is_private, p != group.pieces_begin);
            for (std::uint64_t i = parts.pieces[p].begin; i < parts.pieces[p].end; ++i) {
              const std::uint64_t container = parts.order[i];
              ++seen[container];
              const std::uint64_t code = view.first_leaf(container);
              const std::uint64_t out =
                  side == direction::right ? morton::row_of(code) : morton::col_of(code);
              EXPECT_EQ(out >> phase.level, group.first_out >> phase.level);
              EXPECT_LE(view.level(container), phase.level);
            }
          }
        }
      }
    }
    for (const int times : seen) EXPECT_EQ(times, 1);
  }
}

// Memory that reads as zeros and takes none until it is written.
struct zeros {
  explicit zeros(std::size_t count) : size(count) {
    void* const at = ::mmap(nullptr, count * sizeof(float), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) values = static_cast<float*>(at);
  }
  ~zeros() {
    if (values != nullptr) ::munmap(values, size * sizeof(float));
  }
  zeros(const zeros&) = delete;
  zeros& operator=(const zeros&) = delete;
  float* values = nullptr;
  std::size_t size;
};

TEST(AdaptiveProduct, InputsBeyondTwoToTheThirtyFirst) {
  const index_t far = max_dimension - 1;
  const std::vector<index_t> inputs = {0,       9,  (1U << 31U) - 1, 1U << 31U, (1U << 31U) + 8,
                                       far - 9, far};
  zeros x(max_dimension);
  if (x.values == nullptr) GTEST_SKIP() << "the system reserves no 17 GB";
  for (const index_t i : inputs) x.values[i] = 1;
  for (const direction side : both_sides) {
    std::vector<edge> cells;
    for (index_t k = 0; k < inputs.size(); ++k) {
      for (const index_t out : {2 * k, 2 * k + 20}) {
        const index_t in = out < 20 ? inputs[k] : inputs[k] ^ 4U;  // a one, and a zero beside it
        if (in < max_dimension)
          cells.push_back(side == direction::right ? edge{out, in} : edge{in, out});
      }
    }
    const matrix a = adaptive_of(
        cells, side == direction::right ? shape{40, max_dimension} : shape{max_dimension, 40});
    std::vector<float> y(40);
    plan<float> p(a, {.side = side, .ring = semiring::lor_land});
    p.run({x.values, x.size}, y);
    for (index_t out = 0; out < 40; ++out) {
      EXPECT_EQ(y[out], out % 2 == 0 && out < 2 * inputs.size() ? 1.0F : 0.0F) << out;
    }
    EXPECT_LT(p.needs().scratch_bytes, 1U << 20U);
  }
}

TEST(AdaptiveProduct, RealGraphs) {
  for (const char* const file : {"cnr-2000.graph", "git-v1.8.0.mtx.zst"}) {
    SCOPED_TRACE(file);
    const auto path = test::shared_data(file);
    if (!path) GTEST_SKIP() << "no " << file << " in the shared data";
    std::vector<edge> cells;
    const graph g = read_graph(*path);
    g.at().for_each(
        [&](std::span<const edge> b) { cells.insert(cells.end(), b.begin(), b.end()); });
    const matrix a = adaptive_of(cells, g.at().dims());
    for (const direction side : both_sides) {
      for (const semiring ring : all_rings) {
        for (const index_t batch : {1U, 3U, 8U, 32U, 128U}) {
          if (batch > 8 && (ring != semiring::plus_times || a.nnz() > 4'000'000)) continue;
          const product_options options{.side = side, .ring = ring, .batch = batch};
          const auto x = test::values<float>(plan<float>(a, options).x_size(), batch, ring);
          expect_product<float>(a, cells, options, x);
          if (batch == 1) {
            const auto z = test::values<double>(x.size(), 7, ring);
            expect_product<double>(a, cells, options, z);
            std::vector<std::vector<double>> results;
            for (const unsigned threads : {1U, 2U}) {
              const thread_limit limit(threads);
              results.push_back(product_of<double>(a, options, z));
            }
            EXPECT_TRUE(same_bits(results[0], results[1]));
          }
        }
      }
    }
  }
}

}  // namespace
