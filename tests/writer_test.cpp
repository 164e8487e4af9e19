#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/text_format.hpp"
#include "support/edge_collector.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

io::cell_batches batches_of(const std::vector<edge>& cells, std::size_t size) {
  return [&cells, size](const std::function<void(std::span<const edge>)>& visit) {
    for (std::span<const edge> rest = cells; !rest.empty();) {
      const auto batch = rest.first(std::min(size, rest.size()));
      visit(batch);
      rest = rest.subspan(batch.size());
    }
  };
}

class Writer : public testing::Test {
 protected:
  std::filesystem::path matrix_market(shape dims, const std::vector<edge>& cells,
                                      std::size_t batch = 1000) {
    io::output to(folder_ / "out.mtx");
    io::format_matrix_market(dims, cells.size(), batches_of(cells, batch), to, {});
    to.commit();
    return folder_ / "out.mtx";
  }
  std::filesystem::path edge_list(const std::vector<edge>& cells, std::size_t batch = 1000) {
    io::output to(folder_ / "out.tsv");
    io::format_edge_list(cells.size(), batches_of(cells, batch), to, {});
    to.commit();
    return folder_ / "out.tsv";
  }
  test::temporary_directory folder_;
};

TEST_F(Writer, WritesMatrixMarketFromOne) {
  EXPECT_EQ(content(matrix_market({3, 4}, {{0, 3}, {0, 0}, {2, 1}})),
            "%%MatrixMarket matrix coordinate pattern general\n3 4 3\n1 4\n1 1\n3 2\n");
  EXPECT_EQ(content(matrix_market({0, 0}, {})),
            "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
}

TEST_F(Writer, WritesEdgeListsFromZero) {
  EXPECT_EQ(content(edge_list({{0, 3}, {0, 0}, {2, 1}})), "0\t3\n0\t0\n2\t1\n");
  EXPECT_EQ(content(edge_list({})), "");
}

TEST_F(Writer, WritesTheLargestIndices) {
  constexpr index_t last = max_dimension - 1;
  const std::vector<edge> cells{{0, last}, {last, 0}, {last, last}};
  EXPECT_EQ(content(matrix_market({max_dimension, max_dimension}, cells)),
            "%%MatrixMarket matrix coordinate pattern general\n4294967295 4294967295 3\n"
            "1 4294967295\n4294967295 1\n4294967295 4294967295\n");
  EXPECT_EQ(content(edge_list(cells)), "0\t4294967294\n4294967294\t0\n4294967294\t4294967294\n");
}

TEST_F(Writer, IsReadBackWhateverTheBatches) {
  std::vector<edge> cells;
  for (index_t i = 0; i < 30'000; ++i) cells.push_back({i / 3 * 1001, i % 3 * 1'400'000'001 + i});
  const shape dims{20'000'000, max_dimension};
  for (const std::size_t batch : {1U, 4095U, 4096U, 4097U, 100'000U}) {
    test::edge_collector from_matrix_market;
    EXPECT_EQ(io::read_matrix_market(matrix_market(dims, cells, batch), from_matrix_market, {}),
              dims);
    EXPECT_TRUE(from_matrix_market.edges == cells) << batch;
    test::edge_collector from_edge_list;
    io::read_edge_list(edge_list(cells, batch), from_edge_list, {});
    EXPECT_TRUE(from_edge_list.edges == cells) << batch;
  }
}

TEST_F(Writer, HoldsLongLinesWithoutEnd) {
  // Lines of the greatest length fill the buffer of a part to the last byte that may be needed.
  const std::vector<edge> cells(4096, {max_dimension - 1, max_dimension - 1});
  EXPECT_EQ(content(edge_list(cells)).size(), 4096U * 22);
}

TEST_F(Writer, ReportsProgress) {
  const std::vector<edge> cells(10'000, {1, 2});
  std::vector<std::uint64_t> done;
  io::output to(folder_ / "out.tsv");
  io::format_edge_list(cells.size(), batches_of(cells, 100), to, [&](const progress_event& event) {
    EXPECT_EQ(event.stage, "writing");
    EXPECT_EQ(event.unit, "edges");
    EXPECT_EQ(event.total, cells.size());
    done.push_back(event.done);
  });
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  ASSERT_FALSE(done.empty());
  EXPECT_EQ(done.back(), cells.size());
}

TEST_F(Writer, LeavesNothingBehindWhenItFails) {
  EXPECT_THROW(
      {
        io::output to(folder_ / "out.tsv");
        io::format_edge_list(1, [](const auto&) { throw std::runtime_error("no cells"); }, to, {});
        to.commit();
      },
      std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

}  // namespace
