#include <baltoro/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/readers.hpp"
#include "support/data.hpp"
#include "support/edge_collector.hpp"
#include "support/invalid_files.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n";

class MatrixMarket : public testing::Test {
 protected:
  // Reads a text and returns its edges; dims_ is its shape.
  std::vector<edge> read(const std::string& text) {
    test::edge_collector sink;
    const auto dims = io::read_matrix_market(folder_.write("file.mtx", text), sink, {});
    dims_ = dims.value();
    return sink.edges;
  }
  test::temporary_directory folder_;
  shape dims_;
};

TEST_F(MatrixMarket, ReadsPatterns) {
  EXPECT_THAT(read(pattern + "3 4 2\n1 4\n3 1\n"), ElementsAre(edge{0, 3}, edge{2, 0}));
  EXPECT_EQ(dims_, (shape{3, 4}));
}

TEST_F(MatrixMarket, ReadsMatricesWithoutCells) {
  EXPECT_THAT(read(pattern + "0 0 0\n"), IsEmpty());
  EXPECT_EQ(dims_, (shape{0, 0}));
  EXPECT_THAT(read(pattern + "4294967295 7 0"), IsEmpty());
  EXPECT_EQ(dims_, (shape{max_dimension, 7}));
}

TEST_F(MatrixMarket, IgnoresValuesOfEveryField) {
  const auto expected = ElementsAre(edge{0, 1}, edge{1, 0});
  for (const auto& [field, value] :
       std::vector<std::pair<std::string, std::string>>{{"real", " 1.5e-3"},
                                                        {"real", " 0"},  // stored, so a cell
                                                        {"real", ""},  // files like this are about
                                                        {"double", " nan"},
                                                        {"integer", " -7"},
                                                        {"unsigned-integer", " 7"},
                                                        {"complex", "  1.0   -2.5"},
                                                        {"pattern", ""},
                                                        {"pattern", "\t1"}}) {
    EXPECT_THAT(read("%%MatrixMarket matrix coordinate " + field + " general\n2 2 2\n1 2" + value +
                     "\n2 1" + value + "\n"),
                expected)
        << field << value;
  }
}

TEST_F(MatrixMarket, MirrorsSymmetricFilesAndTakesTheDiagonalOnce) {
  for (const std::string symmetry : {"symmetric", "skew-symmetric", "hermitian"}) {
    EXPECT_THAT(read("%%MatrixMarket matrix coordinate complex " + symmetry +
                     "\n3 3 3\n2 1 1 1\n3 3 1 0\n1 3 2 2\n"),
                ElementsAre(edge{1, 0}, edge{0, 1}, edge{2, 2}, edge{0, 2}, edge{2, 0}))
        << symmetry;
  }
}

TEST_F(MatrixMarket, ReadsFilesAsTheyAreFound) {
  const auto expected = ElementsAre(edge{0, 1}, edge{1, 2});
  const std::vector<std::string> texts = {
      // banners
      "%%matrixmarket MATRIX Coordinate PATTERN General\n3 3 2\n1 2\n2 3\n",
      "%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
      "  %%MatrixMarket\tmatrix  coordinate pattern general  \n3 3 2\n1 2\n2 3\n",
      "\n \n%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
      "\xEF\xBB\xBF%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
      "%%MatrixMarket matrix coordinate pattern general % found so\n3 3 2\n1 2\n2 3\n",
      // comments and blank lines
      pattern + "%\n% text\n%%\n%%GraphBLAS type bool\n\n  % indented\n3 3 2\n1 2\n2 3\n",
      pattern + "\n\n3 3 2\n\n1 2\n \t \n2 3\n\n\n",
      pattern + "3 3 2\n% between\n1 2\n%\n2 3\n% after\n",
      // line ends and blanks
      "%%MatrixMarket matrix coordinate pattern general\r\n%\r\n\r\n3 3 2\r\n1 2\r\n\r\n2 3\r\n",
      pattern + "3 3 2\n1 2\n2 3", pattern + "3 3 2\r\n1 2\r\r\n2 3\r",
      pattern + "  3\t3   2 \n   1\t\t2\n\t2 3  \n",
      pattern + "003 3 0002\n0001 2\n2 00000000000000000000003\n",
      pattern + "3 3 2 % as counted\n1 2 % first\n2 3\n"};
  for (const auto& text : texts) {
    EXPECT_THAT(read(text), expected) << text;
    EXPECT_EQ(dims_, (shape{3, 3})) << text;
  }
}

TEST_F(MatrixMarket, ReadsIndicesOfAnyLength) {
  for (std::uint64_t number = 1; number < max_dimension; number *= 10) {
    for (const std::uint64_t near : {number - 1, number, number + 1}) {
      if (near == 0) continue;
      const auto last = static_cast<index_t>(near - 1);
      const std::string n = std::to_string(near);
      EXPECT_THAT(read(pattern + "4294967295 4294967295 1\n" + n + ' ' + n + '\n'),
                  ElementsAre(edge{last, last}));
    }
  }
  EXPECT_THAT(read(pattern + "4294967295 4294967295 1\n4294967295 4294967295\n"),
              ElementsAre(edge{max_dimension - 1, max_dimension - 1}));
}

TEST_F(MatrixMarket, ReadsFilesLongerThanItsWindow) {
  constexpr index_t size = 200'000;
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n200000 200000 200000\n";
  std::vector<edge> expected;
  for (index_t i = 0; i < size; ++i) {
    const index_t j = i / 3;
    text += std::to_string(i + 1) + ' ' + std::to_string(j + 1) + (i % 7 == 0 ? " 0.25\r\n" : "\n");
    expected.push_back({i, j});
    if (i != j) expected.push_back({j, i});
  }
  EXPECT_TRUE(read(text) == expected);
}

TEST_F(MatrixMarket, BoundsLines) {
  const std::string most(std::size_t{1} << 20, ' ');
  EXPECT_THAT(read(pattern + '%' + most.substr(1) + "\n2 2 1\n1 2\n"), ElementsAre(edge{0, 1}));
  for (const std::string end : {"", "\n1 1 0\n"}) {
    EXPECT_THAT([&] { read(pattern + "%\n%" + most + most + most + end); },
                ThrowsMessage<invalid_format>(HasSubstr("line 3: the line is longer than 1 MiB")));
    EXPECT_THAT([&] { read(pattern + "%\n%" + most + end); },
                ThrowsMessage<invalid_format>(HasSubstr("line 3: the line is longer than 1 MiB")));
  }
}

TEST_F(MatrixMarket, RefusesInvalidFiles) {
  const std::vector<test::invalid_file> files = {
      {"empty.mtx", "the file ends before a Matrix Market banner"},
      {"no_banner.mtx", "line 1: '3' is no Matrix Market banner"},
      {"banner_only.mtx", "line 1: the file ends before the size line"},
      {"banner_unknown_field.mtx", "line 1: the field 'quaternion' is unknown"},
      {"banner_unknown_symmetry.mtx", "line 1: the symmetry 'lopsided' is unknown"},
      {"banner_vector.mtx", "line 1: the object 'vector' is unknown"},
      {"banner_cut_off.mtx", "line 1: the banner lacks the symmetry"},
      {"banner_goes_on.mtx", "line 1: the banner goes on with '1'"},
      {"dense_array.mtx", "line 1: this is a dense matrix"},
      {"size_line_short.mtx", "line 2: the size line lacks the number of entries"},
      {"size_line_long.mtx", "line 2: the size line goes on with '1'"},
      {"size_line_not_a_number.mtx", "line 2: number of columns 'three' is not a number"},
      {"rows_negative.mtx", "line 2: number of rows '-3' is negative"},
      {"rows_above_2_to_32.mtx", "line 2: number of rows 4294967296 exceeds 4294967295"},
      {"columns_huge.mtx", "line 2: number of columns '99999999999999999999999' is too large"},
      {"entries_fewer.mtx", "line 4: the file ends after 2 of 3 entries"},
      {"entries_more.mtx", "line 4: more entries than the 1 of the size line"},
      {"entries_huge.mtx", "line 3: the file ends after 1 of 18446744073709551615 entries"},
      {"entries_beyond_64_bits.mtx", "line 2: number of entries '18446744073709551616' is too"},
      {"row_zero.mtx", "line 3: row 0 is below 1"},
      {"row_exceeds.mtx", "line 3: row 4 exceeds 3"},
      {"row_negative.mtx", "line 3: row '-1' is negative"},
      {"row_fraction.mtx", "line 3: row '1.5' is not a number"},
      {"column_zero.mtx", "line 3: column 0 is below 1"},
      {"column_exceeds.mtx", "line 3: column 4 exceeds 3"},
      {"column_huge.mtx", "line 3: column 4294967298 exceeds 3"},
      {"column_beyond_64_bits.mtx", "line 3: column '18446744073709551618' is too large"},
      {"column_missing.mtx", "line 3: the column is missing"},
      {"column_with_tail.mtx", "line 3: column '2x' is not a number"},
      {"commas.mtx", "line 3: row '1,2' is not a number"},
      {"entry_in_empty_matrix.mtx", "line 3: row 1 exceeds 0"},
      {"symmetric_not_square.mtx", "line 2: a symmetric matrix is square, but this one is 3x4"},
      {"zero_bytes.mtx", "line 3: column '2\\x003' is not a number"},
  };
  test::expect_all_listed(files, ".mtx");
  test::expect_refusals(files, [](const auto& file) {
    test::edge_collector sink;
    io::read_matrix_market(file, sink, {});
  });
}

TEST_F(MatrixMarket, ReportsProgressUpToTheLastByte) {
  std::string text = pattern + "9 9 100000\n";
  for (int i = 0; i < 100'000; ++i) text += "1 2\n";
  std::vector<std::uint64_t> done;
  read_options options;
  options.build.progress = [&](const progress_event& event) {
    EXPECT_EQ(event.stage, "reading");
    EXPECT_EQ(event.unit, "bytes");
    EXPECT_EQ(event.total, text.size());
    done.push_back(event.done);
  };
  test::edge_collector sink;
  io::read_matrix_market(folder_.write("file.mtx", text), sink, options);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  ASSERT_FALSE(done.empty());
  EXPECT_EQ(done.back(), text.size());
}

TEST_F(MatrixMarket, EndsWithTheExceptionOfTheProgressCallback) {
  read_options options;
  options.build.progress = [](const progress_event&) { throw std::runtime_error("stopped"); };
  test::edge_collector sink;
  const auto file = folder_.write("file.mtx", pattern + "9 9 1\n1 2\n");
  EXPECT_THAT([&] { io::read_matrix_market(file, sink, options); },
              ThrowsMessage<std::runtime_error>("stopped"));
}

TEST(MatrixMarketOfGit, HasTheKnownCells) {
  const auto file = test::shared_data("git-v1.8.0.mtx.zst");
  if (!file) GTEST_SKIP() << "git-v1.8.0.mtx.zst is not in " << test::shared_data();
  test::edge_checksum sink(137'022);
  const auto dims = io::read_matrix_market(*file, sink, {});
  EXPECT_EQ(dims, (shape{137'022, 137'022}));
  EXPECT_EQ(sink.count, 12'812'811U);
  EXPECT_EQ(sink.sum, 96'043'711'195'804'165U);
}

}  // namespace
