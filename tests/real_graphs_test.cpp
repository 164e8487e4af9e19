// Every graph of the shared data and every single relation, against the figures of expected.tsv and
// the oracle. Without that data these tests are skipped.
#include <baltoro/builder.hpp>
#include <baltoro/k2m.hpp>
#include <baltoro/morton.hpp>
#include <baltoro/product.hpp>
#include <baltoro/reader.hpp>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/expected.hpp"
#include "support/oracle.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;

struct real_graph {
  std::string name;
  std::string file;

  friend void PrintTo(const real_graph& g, std::ostream* out) { *out << g.file; }
};

class RealGraph : public testing::TestWithParam<real_graph> {
 protected:
  void SetUp() override {
    const auto file = test::shared_data(GetParam().file);
    if (!file) GTEST_SKIP() << "no " << GetParam().file << " in the shared data";
    graph_ = read_graph(*file);
    expected_ = test::expected_of(GetParam().name);
    ASSERT_FALSE(expected_.empty());
  }

  const matrix& at(const std::string& relation) const {
    return graph_.at(graph_.relations.size() == 1 ? "" : relation);
  }

  graph graph_;
  std::vector<test::expected_matrix> expected_;
};

std::vector<edge> cells_of(const matrix& a) {
  std::vector<edge> cells;
  a.for_each([&](std::span<const edge> b) { cells.insert(cells.end(), b.begin(), b.end()); });
  return cells;
}

TEST_P(RealGraph, HasTheExpectedFigures) {
  ASSERT_EQ(graph_.relations.size(), expected_.size());
  for (const auto& wanted : expected_) {
    SCOPED_TRACE(wanted.relation);
    const matrix& a = at(wanted.relation);
    EXPECT_EQ(a.rows(), wanted.rows);
    EXPECT_EQ(a.cols(), wanted.cols);
    EXPECT_EQ(a.nnz(), wanted.nnz);
    EXPECT_EQ(a.tree().levels, wanted.levels);
    EXPECT_EQ(a.tree().nodes(), wanted.nodes);
    EXPECT_EQ(test::nodes_per_level_of(a), wanted.nodes_per_level);
    EXPECT_NEAR(a.bits_per_edge(), wanted.bits_per_edge, 5.1e-5);
    EXPECT_EQ(test::checksum_of(a), wanted.checksum);
    std::uint64_t diagonal = 0;
    std::set<std::uint64_t> blocks4;
    std::map<std::uint64_t, std::uint64_t> blocks8;  // the pattern of each
    for (const edge& e : cells_of(a)) {
      diagonal += e.row == e.col;
      blocks4.insert(morton::encode(e.row, e.col) >> 4U);
      const std::uint64_t code = morton::encode(e.row, e.col);
      blocks8[code >> 6U] |= 1ULL << (code & 63U);
    }
    EXPECT_EQ(diagonal, wanted.diagonal);
    EXPECT_EQ(blocks4.size(), wanted.nonempty_4x4);
    EXPECT_EQ(blocks8.size(), wanted.nonempty_8x8);
    std::set<std::uint64_t> patterns;
    for (const auto& [block, pattern] : blocks8) patterns.insert(pattern);
    EXPECT_EQ(patterns.size(), wanted.distinct_8x8);
    std::string reason;
    EXPECT_TRUE(a.validate(&reason)) << reason;
  }
}

template <class T>
void expect_products(const matrix& a, std::span<const edge> cells, index_t batch) {
  std::mt19937_64 random(a.nnz());
  for (const direction side : {direction::right, direction::left}) {
    for (const semiring ring : {semiring::plus_times, semiring::lor_land, semiring::min_plus}) {
      plan<T> p(a, {.side = side, .ring = ring, .batch = batch});
      std::vector<T> x(p.x_size());
      for (T& v : x) v = random() % 4 == 0 ? T{0} : static_cast<T>(random() % 1000) / T{8};
      std::vector<T> y(p.y_size());
      p.run(x, y);
      const std::uint64_t outputs = side == direction::right ? a.rows() : a.cols();
      const auto wanted = test::coo_product<T>(cells, ring, side, outputs, batch, x);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double off = std::abs(static_cast<double>(y[i]) - wanted[i]);
        wrong += ring == semiring::plus_times ? off > 1e-6 * std::abs(wanted[i])
                                              : y[i] != static_cast<T>(wanted[i]);
      }
      EXPECT_EQ(wrong, 0U) << name_of(ring) << (side == direction::right ? " right" : " left")
                           << " B=" << batch;
    }
  }
}

TEST_P(RealGraph, ProductsAgreeWithTheOracle) {
  for (const auto& r : graph_.relations) {
    SCOPED_TRACE(r.name);
    const auto cells = cells_of(r.adjacency);
    expect_products<float>(r.adjacency, cells, 1);
    expect_products<double>(r.adjacency, cells, 1);
    if (r.adjacency.nnz() < 4'000'000) expect_products<float>(r.adjacency, cells, 3);
  }
}

TEST_P(RealGraph, SurvivesItsOwnFormat) {
  const test::temporary_directory folder;
  save_k2m(graph_, folder / "g.k2m");
  const graph back = load_k2m(folder / "g.k2m");
  ASSERT_EQ(back.relations.size(), graph_.relations.size());
  ASSERT_EQ(back.vertices.size(), graph_.vertices.size());
  for (std::size_t r = 0; r < back.relations.size(); ++r) {
    EXPECT_EQ(back.relations[r].name, graph_.relations[r].name);
    EXPECT_EQ(test::checksum_of(back.relations[r].adjacency),
              test::checksum_of(graph_.relations[r].adjacency));
  }
  EXPECT_TRUE(std::ranges::equal(back.vertices.offsets(), graph_.vertices.offsets()));
  EXPECT_EQ(back.vertices.text(), graph_.vertices.text());
}

TEST_P(RealGraph, AdaptiveIsSmallerAndAnswersAlike) {
  const test::temporary_directory folder;
  graph converted;
  for (const auto& r : graph_.relations) {
    converted.relations.push_back({r.name, convert(r.adjacency, layout::adaptive)});
  }
  save_k2m(converted, folder / "g.k2m");
  const graph back = load_k2m(folder / "g.k2m");
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < back.relations.size(); ++i) {
    SCOPED_TRACE(back.relations[i].name);
    const matrix plain = convert(graph_.relations[i].adjacency, layout::level_order);
    const matrix& a = back.relations[i].adjacency;
    ASSERT_EQ(a.kind(), layout::adaptive);
    // A small relation may lose a little: one of 3,000 cells takes 13% more bits, for the sake of time.
    const double plain_bytes = plain.bits_per_edge() / 8 * static_cast<double>(plain.nnz());
    const double own_bytes = a.bits_per_edge() / 8 * static_cast<double>(a.nnz());
    if (a.nnz() > 1000) {
      EXPECT_LT(own_bytes, 1.15 * plain_bytes);
    }
    if (i == 0) {
      EXPECT_LT(own_bytes, 0.85 * plain_bytes) << "the graph, or the union of all";
    }
    EXPECT_EQ(a.nnz(), plain.nnz());
    EXPECT_EQ(test::checksum_of(a), test::checksum_of(plain));
    EXPECT_EQ(a.out_degrees(), plain.out_degrees());
    EXPECT_EQ(a.in_degrees(), plain.in_degrees());
    for (int k = 0; k < 200; ++k) {
      const auto row = static_cast<index_t>(random() % a.rows());
      const auto col = static_cast<index_t>(random() % a.cols());
      const auto found = a.successors(row);
      EXPECT_EQ(found, plain.successors(row));
      EXPECT_EQ(a.predecessors(col), plain.predecessors(col));
      for (const index_t successor : found) EXPECT_TRUE(a.contains(row, successor));
      EXPECT_EQ(a.contains(row, col), plain.contains(row, col));
      const rectangle where{row, col, row + 1000, col + 300};
      EXPECT_EQ(a.cells(where), plain.cells(where));
    }
    std::uint64_t rows_checksum = 0;
    edge last{};
    std::uint64_t count = 0;
    a.for_each_by_row([&](std::span<const edge> batch) {
      for (const edge& e : batch) {
        EXPECT_TRUE(count++ == 0 || last < e);
        last = e;
        rows_checksum += std::uint64_t{e.row} * a.cols() + e.col;
      }
    });
    EXPECT_EQ(rows_checksum, test::checksum_of(plain));
    EXPECT_EQ(count, plain.nnz());
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, RealGraph,
                         testing::Values(real_graph{"cnr-2000", "cnr-2000.graph"},
                                         real_graph{"git-v1.8.0", "git-v1.8.0.mtx.zst"},
                                         real_graph{"codex-m", "codex-m.tsv.gz"},
                                         real_graph{"debian-packages", "debian-packages.tsv.gz"}),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
