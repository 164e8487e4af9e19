// Queries on the compressed form, against a std::set of cells.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/matrix.hpp>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using test::reference_matrix;

class MatrixQueries : public testing::TestWithParam<shape> {
 protected:
  MatrixQueries()
      : cells_(test::random_cells(GetParam(), 300, GetParam().rows * 31 + GetParam().cols, 2)),
        twin_(GetParam(), cells_),
        a_(build(cells_, {.dims = GetParam(), .directory_step = 16})) {}

  std::vector<edge> cells_;
  reference_matrix twin_;
  matrix a_;
};

TEST_P(MatrixQueries, ContainsExactlyTheCells) {
  std::mt19937_64 random(1);
  for (const edge& e : cells_) EXPECT_TRUE(a_.contains(e.row, e.col));
  for (int i = 0; i < 500; ++i) {
    const edge e{static_cast<index_t>(random() % a_.rows()),
                 static_cast<index_t>(random() % a_.cols())};
    EXPECT_EQ(a_.contains(e.row, e.col), twin_.cells().contains(e));
  }
}

TEST_P(MatrixQueries, RowsAndColumns) {
  for (index_t r = 0; r < std::min(a_.rows(), 40U); ++r) EXPECT_EQ(a_.successors(r), twin_.row(r));
  for (index_t c = 0; c < std::min(a_.cols(), 40U); ++c) {
    EXPECT_EQ(a_.predecessors(c), twin_.column(c));
  }
  EXPECT_EQ(a_.successors(a_.rows() - 1), twin_.row(a_.rows() - 1));
  EXPECT_EQ(a_.predecessors(a_.cols() - 1), twin_.column(a_.cols() - 1));
}

TEST_P(MatrixQueries, Degrees) {
  std::vector<index_t> out(a_.rows());
  std::vector<index_t> in(a_.cols());
  for (const edge& e : cells_) {
    ++out[e.row];
    ++in[e.col];
  }
  EXPECT_EQ(a_.out_degrees(), out);
  EXPECT_EQ(a_.in_degrees(), in);
}

TEST_P(MatrixQueries, Rectangles) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 50; ++i) {
    rectangle where{static_cast<index_t>(random() % (a_.rows() + 1)),
                    static_cast<index_t>(random() % (a_.cols() + 1)),
                    static_cast<index_t>(random() % (a_.rows() + 2)),
                    static_cast<index_t>(random() % (a_.cols() + 2))};
    auto found = a_.cells(where);
    std::sort(found.begin(), found.end());
    std::vector<edge> wanted;
    for (const edge& e : cells_) {
      if (e.row >= where.first_row && e.row < where.last_row && e.col >= where.first_col &&
          e.col < where.last_col) {
        wanted.push_back(e);
      }
    }
    EXPECT_EQ(found, wanted);
  }
}

TEST_P(MatrixQueries, IterationInBothOrders) {
  std::vector<edge> morton_order;
  a_.for_each([&](std::span<const edge> batch) {
    ASSERT_FALSE(batch.empty());
    morton_order.insert(morton_order.end(), batch.begin(), batch.end());
  });
  EXPECT_TRUE(std::is_sorted(morton_order.begin(), morton_order.end(), [](edge a, edge b) {
    return morton::encode(a.row, a.col) < morton::encode(b.row, b.col);
  }));
  std::vector<edge> row_order;
  a_.for_each_by_row([&](std::span<const edge> batch) {
    row_order.insert(row_order.end(), batch.begin(), batch.end());
  });
  EXPECT_EQ(row_order, cells_);
  std::sort(morton_order.begin(), morton_order.end());
  EXPECT_EQ(morton_order, cells_);
}

TEST_P(MatrixQueries, OutsideIsAnError) {
  EXPECT_THROW(a_.contains(a_.rows(), 0), invalid_argument);
  EXPECT_THROW(a_.contains(0, a_.cols()), invalid_argument);
  EXPECT_THROW(a_.successors(a_.rows()), invalid_argument);
  EXPECT_THROW(a_.predecessors(a_.cols()), invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatrixQueries, testing::ValuesIn(test::awkward_shapes()),
                         [](const auto& shape_of) {
                           return std::to_string(shape_of.param.rows) + "x" +
                                  std::to_string(shape_of.param.cols);
                         });

TEST(Matrix, DefaultIsTheEmptyMatrix) {
  const matrix a;
  EXPECT_EQ(a.dims(), (shape{0, 0}));
  EXPECT_EQ(a.nnz(), 0U);
  EXPECT_TRUE(a.validate());
  EXPECT_TRUE(a.out_degrees().empty());
  EXPECT_TRUE(a.cells({0, 0, 10, 10}).empty());
}

TEST(Matrix, IteratesByRowOverManyStrips) {
  // Rows far apart, in blocks of their own, and one row longer than a strip is.
  std::vector<edge> cells;
  for (index_t c = 0; c < (7U << 20U) + 5; ++c) cells.push_back({3, c});
  for (const index_t r : {4U, (1U << 20U) - 1, 1U << 20U, (1U << 20U) + 77, 0xFFFF'FFFDU}) {
    cells.push_back({r, 1});
    cells.push_back({r, 9});
  }
  const matrix a = build(cells, {.dims = shape{0xFFFF'FFFEU, 8U << 20U}});
  std::size_t next = 0;
  bool same = true;
  a.for_each_by_row([&](std::span<const edge> batch) {
    for (const edge& e : batch) same = same && next < cells.size() && e == cells[next++];
  });
  EXPECT_TRUE(same);
  EXPECT_EQ(next, cells.size());
}

TEST(Matrix, SharesItsDataWithCopies) {
  const std::vector<edge> cells = {{0, 1}};
  matrix copy;
  {
    const matrix a = build(cells);
    copy = a;
  }
  EXPECT_TRUE(copy.contains(0, 1));
}

TEST(Matrix, TheDirectoryCostsWhatThePaperSays) {
  const auto cells = test::random_cells({5000, 5000}, 20'000, 3, 6);
  const matrix a = build(cells);
  const double bits =
      8.0 * static_cast<double>(a.bytes().directory) / static_cast<double>(a.tree().nodes());
  EXPECT_GT(bits, 0.05);
  EXPECT_LT(bits, 0.12);
}

// A tree with one fault each: validate must name it.
class Damaged : public testing::Test {
 protected:
  Damaged() : a_(build(test::random_cells({300, 300}, 900, 5), {.directory_step = 16})) {
    const level_order_view& t = a_.tree();
    words_.assign(t.signatures, t.signatures + t.signature_words());
    directory_.assign(t.directory, t.directory + t.samples());
    tree_ = t;
    tree_.signatures = words_.data();
    tree_.directory = directory_.data();
  }

  std::string reason() {
    std::string found;
    EXPECT_FALSE(matrix(tree_, nullptr).validate(&found));
    return found;
  }

  matrix a_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> directory_;
  level_order_view tree_;
};

TEST_F(Damaged, IsSoundBeforeItIsDamaged) { EXPECT_TRUE(matrix(tree_, nullptr).validate()); }

TEST_F(Damaged, EmptySignature) {
  words_[1] &= ~0xFULL;
  EXPECT_EQ(reason(), "node 16 has an empty signature");
}

TEST_F(Damaged, AddedChild) {
  for (auto& w : words_) {
    if ((w & 0xFU) != 0xFU) {
      w |= 0xFU;
      break;
    }
  }
  EXPECT_NE(reason().find("set bits"), std::string::npos);
}

TEST_F(Damaged, BitsAfterTheLastNode) {
  if (tree_.nodes() % 16 == 0) GTEST_SKIP() << "no unused nibble in the last word";
  words_.back() |= 1ULL << 63U;
  EXPECT_NE(reason().find("after the last node"), std::string::npos);
}

TEST_F(Damaged, DirectorySample) {
  ++directory_.back();
  EXPECT_NE(reason().find("directory sample"), std::string::npos);
}

TEST_F(Damaged, CellOutsideTheShape) {
  tree_.dims.rows -= 1;
  while (matrix(tree_, nullptr).validate()) tree_.dims.rows -= 1;
  EXPECT_NE(reason().find("lies outside"), std::string::npos);
}

TEST_F(Damaged, CellOutsideTheColumns) {
  tree_.dims.cols -= 1;
  while (matrix(tree_, nullptr).validate()) tree_.dims.cols -= 1;
  EXPECT_NE(reason().find("lies outside"), std::string::npos);
}

TEST_F(Damaged, LevelTable) {
  tree_.level_begin[3] = tree_.level_begin[2];
  EXPECT_NE(reason().find("level"), std::string::npos);
}

TEST_F(Damaged, NumberOfNonZeros) {
  ++tree_.nnz;
  EXPECT_NE(reason().find("non-zeros"), std::string::npos);
}

}  // namespace
