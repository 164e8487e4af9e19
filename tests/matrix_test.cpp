// Queries on the compressed form, against a std::set of cells.
#include <baltoro/builder.hpp>
#include <baltoro/error.hpp>
#include <baltoro/generate.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/morton.hpp>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "format/adaptive/kinds.hpp"
#include "support/oracle.hpp"
#include "support/reference_matrix.hpp"

namespace {

using namespace baltoro;
using test::reference_matrix;

bool before_in_morton_order(const edge& a, const edge& b) {
  return morton::encode(a.row, a.col) < morton::encode(b.row, b.col);
}

struct query_case {
  shape dims;
  layout kind;
};

std::vector<query_case> query_cases() {
  std::vector<query_case> cases;
  for (const layout kind : {layout::level_order, layout::adaptive}) {
    for (const shape dims : test::awkward_shapes()) cases.push_back({dims, kind});
    cases.push_back({{max_dimension, max_dimension}, kind});
  }
  return cases;
}

class MatrixQueries : public testing::TestWithParam<query_case> {
 protected:
  static constexpr index_t few = 1U << 20U;  // vectors longer than that say nothing more

  MatrixQueries()
      : cells_(test::random_cells(dims(), 300, dims().rows * 31 + dims().cols, 2)),
        twin_(dims(), cells_),
        a_(build(cells_, {.dims = dims(), .kind = GetParam().kind, .directory_step = 16})) {}

  static shape dims() { return GetParam().dims; }

  std::vector<edge> cells_;
  reference_matrix twin_;
  matrix a_;
};

TEST_P(MatrixQueries, HasTheLayoutAskedFor) {
  EXPECT_EQ(a_.kind(), GetParam().kind);
  EXPECT_EQ(a_.nnz(), cells_.size());
  std::string reason;
  EXPECT_TRUE(a_.validate(&reason)) << reason;
}

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
  for (std::size_t i = 0; i < cells_.size(); i += 17) {
    EXPECT_EQ(a_.successors(cells_[i].row), twin_.row(cells_[i].row));
    EXPECT_EQ(a_.predecessors(cells_[i].col), twin_.column(cells_[i].col));
  }
  EXPECT_EQ(a_.successors(a_.rows() - 1), twin_.row(a_.rows() - 1));
  EXPECT_EQ(a_.predecessors(a_.cols() - 1), twin_.column(a_.cols() - 1));
}

TEST_P(MatrixQueries, Degrees) {
  if (a_.rows() > few) GTEST_SKIP();
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
  const auto border = [&](index_t size) {
    return static_cast<index_t>(random() % (std::uint64_t{size} + (size == max_dimension ? 1 : 2)));
  };
  for (int i = 0; i < 50; ++i) {
    const rectangle where{border(a_.rows()), border(a_.cols()), border(a_.rows()),
                          border(a_.cols())};
    auto found = a_.cells(where);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), before_in_morton_order));
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
  EXPECT_TRUE(std::is_sorted(morton_order.begin(), morton_order.end(), before_in_morton_order));
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

INSTANTIATE_TEST_SUITE_P(Shapes, MatrixQueries, testing::ValuesIn(query_cases()),
                         [](const auto& one) {
                           const query_case& c = one.param;
                           return std::to_string(c.dims.rows) + "x" + std::to_string(c.dims.cols) +
                                  (c.kind == layout::adaptive ? "adaptive" : "level_order");
                         });

TEST(Matrix, DefaultIsTheEmptyMatrix) {
  const matrix a;
  EXPECT_EQ(a.dims(), (shape{0, 0}));
  EXPECT_EQ(a.nnz(), 0U);
  EXPECT_TRUE(a.validate());
  EXPECT_TRUE(a.out_degrees().empty());
  EXPECT_TRUE(a.cells({0, 0, 10, 10}).empty());
}

class Iteration : public testing::TestWithParam<layout> {};

TEST_P(Iteration, ByRowOverManyStrips) {
  // Rows far apart, in blocks of their own, and one row longer than a strip is.
  std::vector<edge> cells;
  for (index_t c = 0; c < (7U << 20U) + 5; ++c) cells.push_back({3, c});
  for (const index_t r : {4U, (1U << 20U) - 1, 1U << 20U, (1U << 20U) + 77, 0xFFFF'FFFDU}) {
    cells.push_back({r, 1});
    cells.push_back({r, 9});
  }
  const matrix a = build(cells, {.dims = shape{0xFFFF'FFFEU, 8U << 20U}, .kind = GetParam()});
  std::size_t next = 0;
  bool same = true;
  a.for_each_by_row([&](std::span<const edge> batch) {
    for (const edge& e : batch) same = same && next < cells.size() && e == cells[next++];
  });
  EXPECT_TRUE(same);
  EXPECT_EQ(next, cells.size());
}

INSTANTIATE_TEST_SUITE_P(Layouts, Iteration, testing::Values(layout::level_order, layout::adaptive),
                         [](const auto& one) {
                           return one.param == layout::adaptive ? "adaptive" : "level_order";
                         });

// Graphs of many containers, of both kinds and every level; all queries against the plain tree.
TEST(Matrix, BothLayoutsAnswerAlike) {
  std::mt19937_64 random(3);
  const auto web = generate_web(30'000, 12, 4);
  const auto scattered = generate_rmat(15, 120'000, 0.57, 0.19, 0.19, 7);
  const auto dense = test::random_cells({700, 900}, 200'000, 5);
  for (const auto& edges : {web, scattered, dense}) {
    const matrix plain = build(edges, {.kind = layout::level_order});
    const matrix a = build(edges, {.kind = layout::adaptive});
    ASSERT_GT(a.adaptive().containers, 10U);
    EXPECT_TRUE(a.validate());
    EXPECT_EQ(a.out_degrees(), plain.out_degrees());
    EXPECT_EQ(a.in_degrees(), plain.in_degrees());
    for (int i = 0; i < 300; ++i) {
      const auto row = static_cast<index_t>(random() % a.rows());
      const auto col = static_cast<index_t>(random() % a.cols());
      EXPECT_EQ(a.contains(row, col), plain.contains(row, col));
      EXPECT_EQ(a.successors(row), plain.successors(row));
      EXPECT_EQ(a.predecessors(col), plain.predecessors(col));
      const edge& e = edges[random() % edges.size()];
      EXPECT_TRUE(a.contains(e.row, e.col));
      const rectangle where{row, col, row + static_cast<index_t>(random() % 500),
                            col + static_cast<index_t>(random() % 500)};
      EXPECT_EQ(a.cells(where), plain.cells(where));
    }
    EXPECT_EQ(a.cells({0, 0, a.rows(), a.cols()}).size(), a.nnz());
    // Every cell of a corner, set or not.
    for (index_t r = 0; r < 200; ++r) {
      for (index_t c = 0; c < 200; ++c) ASSERT_EQ(a.contains(r, c), plain.contains(r, c));
    }
  }
}

TEST(Matrix, BytesAddUp) {
  const auto edges = generate_web(30'000, 12, 4);
  const matrix a = build(edges, {.kind = layout::adaptive});
  const adaptive_view& view = a.adaptive();
  const matrix_bytes bytes = a.bytes();
  EXPECT_EQ(bytes.containers, 10 * view.containers + 8 * view.bases());
  EXPECT_EQ(bytes.payload, 4 * view.payload_words);
  EXPECT_EQ(bytes.dictionary, 8 * view.patterns);
  EXPECT_EQ(bytes.tree + bytes.directory, 0U);
  EXPECT_EQ(bytes.total(), bytes.containers + bytes.payload + bytes.dictionary + bytes.table);
  EXPECT_DOUBLE_EQ(a.bits_per_edge(), 8.0 * static_cast<double>(bytes.total() - bytes.table) /
                                          static_cast<double>(a.nnz()));
  EXPECT_EQ(build({}, {.kind = layout::adaptive}).bits_per_edge(), 0.0);
}

TEST(Matrix, RefusesTheViewOfTheOtherLayout) {
  const std::vector<edge> cells = {{0, 1}};
  EXPECT_THROW(build(cells, {.kind = layout::adaptive}).tree(), invalid_argument);
  EXPECT_THROW(build(cells, {.kind = layout::level_order}).adaptive(), invalid_argument);
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
  const matrix a = build(cells, {.kind = layout::level_order});
  const double bits =
      8.0 * static_cast<double>(a.bytes().directory) / static_cast<double>(a.tree().nodes());
  EXPECT_GT(bits, 0.05);
  EXPECT_LT(bits, 0.12);
}

// A tree with one fault each: validate must name it.
class Damaged : public testing::Test {
 protected:
  Damaged()
      : a_(build(test::random_cells({300, 300}, 900, 5),
                 {.kind = layout::level_order, .directory_step = 16})) {
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

// A matrix of containers with one fault each.
class DamagedAdaptive : public testing::Test {
 protected:
  DamagedAdaptive() {
    auto edges = generate_rmat(14, 60'000, 0.57, 0.19, 0.19, 7);
    for (index_t r = 0; r < 512; ++r) {
      for (index_t c = 0; c < 200; ++c) {
        if ((r * 31 + c * 17) % 7 < 5) edges.push_back({r, c});
      }
    }
    a_ = build(edges, {.dims = shape{1U << 14U, 1U << 14U}, .kind = layout::adaptive});
    view_ = a_.adaptive();
    places_.assign(view_.places, view_.places + view_.containers);
    starts_.assign(view_.starts, view_.starts + view_.containers);
    bases_.assign(view_.start_bases, view_.start_bases + view_.bases());
    payload_.assign(view_.payload, view_.payload + view_.payload_words);
    dictionary_.assign(view_.dictionary, view_.dictionary + view_.patterns);
    view_.places = places_.data();
    view_.starts = starts_.data();
    view_.start_bases = bases_.data();
    view_.payload = payload_.data();
    view_.dictionary = dictionary_.data();
  }

  std::string reason() {
    std::string found;
    EXPECT_FALSE(matrix(view_, nullptr).validate(&found));
    return found;
  }

  container_header header(std::uint64_t container) const { return {*view_.payload_of(container)}; }
  std::uint32_t& first_word(std::uint64_t container) {
    return payload_[static_cast<std::size_t>(view_.payload_of(container) - view_.payload)];
  }
  std::uint64_t container_of_kind(unsigned kind) const {
    std::uint64_t i = 0;
    while (i < view_.containers && header(i).kind() != kind) ++i;
    return i;
  }

  matrix a_;
  adaptive_view view_;
  std::vector<std::uint64_t> places_;
  std::vector<std::uint16_t> starts_;
  std::vector<std::uint64_t> bases_;
  std::vector<std::uint32_t> payload_;
  std::vector<std::uint64_t> dictionary_;
};

TEST_F(DamagedAdaptive, IsSoundBeforeItIsDamaged) {
  std::string found;
  EXPECT_TRUE(matrix(view_, nullptr).validate(&found)) << found;
  EXPECT_GT(view_.containers, 64U) << "more than two bases";
  EXPECT_GT(view_.patterns, 1U);
  for (const unsigned kind : {1U, 2U}) EXPECT_LT(container_of_kind(kind), view_.containers);
}

TEST_F(DamagedAdaptive, Counts) {
  const adaptive_view sound = view_;
  const auto with = [&](auto change) {
    view_ = sound;
    change(view_);
    return reason();
  };
  EXPECT_NE(with([](auto& v) { ++v.nnz; }).find("non-zeros"), std::string::npos);
  EXPECT_NE(with([](auto& v) { ++v.leaves; }).find("leaves are stated"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.leaves = v.nnz + 1; }).find("cannot hold"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.leaves = 0; }).find("0 leaves"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.containers = v.leaves; }).find("do not fit"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.containers = ~0ULL; }).find("cannot hold"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.nnz = ~0ULL; }).find("cannot hold"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.payload_words = 0; }).find("padding"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.payload_words -= 1; }).find("padding"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.patterns = 1ULL << 32U; }).find("too many"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.patterns -= 1; }).find("contents of container"),
            std::string::npos);
  EXPECT_NE(with([](auto& v) { v.classes.width[0] = 33; }).find("33 bits"), std::string::npos);
  EXPECT_NE(with([](auto& v) { v.classes.width[2] = leaf_classes::raw; }).find("255 bits"),
            std::string::npos);
  EXPECT_NE(with([](auto& v) { v.classes.width[1] += 1; }).find("contents of container"),
            std::string::npos);
}

TEST_F(DamagedAdaptive, Dictionary) {
  dictionary_[1] = dictionary_[0];
  EXPECT_EQ(reason(), "the dictionary has a pattern twice");
  dictionary_[1] = 0;
  EXPECT_EQ(reason(), "the dictionary has an empty pattern");
}

TEST_F(DamagedAdaptive, Table) {
  const auto places = places_;
  places_[5] = places_[4];
  EXPECT_EQ(reason(), "container 5 does not lie after the one before it");
  places_ = places;
  places_[5] |= 15U;
  EXPECT_EQ(reason(), "container 5 has level 15, the most is 13");
  places_ = places;
  places_[5] += 16;
  EXPECT_NE(reason().find("container 5"), std::string::npos);
  places_ = places;
  places_.back() |= 1ULL << 62U;
  EXPECT_NE(reason().find("outside the 16384x16384 matrix"), std::string::npos);
  places_ = places;
  starts_[5] = starts_[4];
  EXPECT_NE(reason().find("the payload of container 5 begins at word"), std::string::npos);
  starts_[5] = static_cast<std::uint16_t>(starts_[4] + 1);
  EXPECT_NE(reason().find("container 4"), std::string::npos);
}

TEST_F(DamagedAdaptive, Bases) {
  const auto bases = bases_;
  ++bases_[1];
  EXPECT_NE(reason().find("container 31"), std::string::npos);
  bases_ = bases;
  bases_[0] = 1;
  EXPECT_NE(reason().find("container 0"), std::string::npos);
  bases_ = bases;
  bases_.back() = ~0ULL;
  EXPECT_NE(reason().find("lies outside"), std::string::npos);
  bases_ = bases;
  bases_.back() = view_.payload_words - 1;
  EXPECT_NE(reason(), "");
}

TEST_F(DamagedAdaptive, LevelsThatAreTooLarge) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if ((places_[i] & 15U) < 13) {
      ++places_[i];
      EXPECT_NE(reason(), "");
      --places_[i];
    }
  }
}

TEST_F(DamagedAdaptive, Headers) {
  const auto payload = payload_;
  const auto set = [&](std::uint64_t i, unsigned leaves, unsigned kind, std::uint32_t detail) {
    payload_ = payload;
    first_word(i) = container_header::of(leaves, kind, detail).word;
    return reason();
  };
  for (const unsigned kind : {1U, 2U}) {
    const std::uint64_t i = container_of_kind(kind);
    const container_header h = header(i);
    EXPECT_NE(set(i, 513, kind, h.detail()).find("has 513 leaves"), std::string::npos);
    EXPECT_NE(set(i, h.leaves(), format::container_kinds, h.detail()).find("kind 5"),
              std::string::npos);
    EXPECT_NE(set(i, h.leaves(), 3 - kind, h.detail()).find("positions"), std::string::npos);
    EXPECT_NE(set(i, h.leaves() - 1, kind, h.detail()), "");
    EXPECT_NE(set(i, h.leaves(), kind, h.detail() + 1), "");
    EXPECT_NE(set(i, h.leaves(), kind, (1U << 18U) - 1).find("positions"), std::string::npos);
  }
  // The last container, whose payload ends where all end.
  const std::uint64_t last = view_.containers - 1;
  EXPECT_NE(set(last, 512, header(last).kind(), header(last).detail()), "");
  EXPECT_NE(set(last, 512, 0, 1023), "");
  EXPECT_NE(set(last, 512, 1, (1U << 18U) - 1), "");
}

// Every flipped bit of a payload is noticed, or makes another sound matrix.
TEST_F(DamagedAdaptive, AnyBitOfThePayload) {
  std::size_t refused = 0;
  const std::size_t words = std::min<std::size_t>(payload_.size(), 700);
  for (std::size_t word = payload_.size() - words; word < payload_.size(); ++word) {
    for (const unsigned bit : {0U, 7U, 13U, 18U, 26U, 31U}) {
      payload_[word] ^= 1U << bit;
      const matrix damaged(view_, nullptr);
      if (damaged.validate()) {
        std::uint64_t cells = 0;
        damaged.for_each([&](std::span<const edge> batch) { cells += batch.size(); });
        EXPECT_EQ(cells, damaged.nnz());
      } else {
        ++refused;
      }
      payload_[word] ^= 1U << bit;
    }
  }
  EXPECT_GT(refused, words);
}

TEST_F(DamagedAdaptive, CellOutsideTheShape) {
  while (matrix(view_, nullptr).validate()) view_.dims.rows -= 1;
  EXPECT_NE(reason().find("has a cell outside"), std::string::npos);
  view_.dims = {1U << 14U, 1U << 14U};
  while (matrix(view_, nullptr).validate()) view_.dims.cols -= 1;
  EXPECT_NE(reason().find("has a cell outside"), std::string::npos);
}

}  // namespace
