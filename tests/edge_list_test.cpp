#include <baltoro/error.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/readers.hpp"
#include "support/edge_collector.hpp"
#include "support/invalid_files.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

class EdgeList : public testing::Test {
 protected:
  std::vector<edge> read(const std::string& text, const read_options& options = {}) {
    test::edge_collector sink;
    EXPECT_EQ(io::read_edge_list(folder_.write("file.tsv", text), sink, options), std::nullopt);
    return sink.edges;
  }
  test::temporary_directory folder_;
};

TEST_F(EdgeList, ReadsEverySeparator) {
  for (const std::string separator : {" ", "\t", ",", ";", ", ", " , ", "\t;\t", "   ", " \t "}) {
    EXPECT_THAT(read("0" + separator + "1\n12" + separator + "3\n"),
                ElementsAre(edge{0, 1}, edge{12, 3}))
        << '"' << separator << '"';
  }
}

TEST_F(EdgeList, ReadsFilesAsTheyAreFound) {
  const auto expected = ElementsAre(edge{0, 1}, edge{1, 2});
  for (const std::string text :
       {"0 1\n1 2\n", "0 1\n1 2", "0 1\r\n1 2\r\n", "\n\n0 1\n \n1 2\n\n", "  0 1  \n\t1 2\t\n",
        "# text\n% text\n// text\n  # indented\n#\n0 1\n#\n1 2\n", "0 1 0.5\n1 2 -3e7 x,y;z\n",
        "0,1,,,\n1,2,\n", "0 1 # note\n1 2 % note\n",
        "\xEF\xBB\xBF"
        "0 1\n1 2\n",
        "00 000000000000000000000001\n1 2\n"}) {
    EXPECT_THAT(read(text), expected) << text;
  }
}

TEST_F(EdgeList, ReadsFilesWithoutEdges) {
  for (const std::string text : {"", "\n", "# nothing\n", "#", "\r\n\r\n"}) {
    EXPECT_THAT(read(text), IsEmpty()) << text;
  }
}

TEST_F(EdgeList, CountsFromZeroOrOne) {
  read_options options;
  options.index_base = 1;
  EXPECT_THAT(read("1 2\n3 1\n", options), ElementsAre(edge{0, 1}, edge{2, 0}));
  EXPECT_THAT([&] { read("1 2\n0 1\n", options); },
              ThrowsMessage<invalid_format>(HasSubstr("line 2: row 0 is below 1 (the first")));
  EXPECT_THAT([&] { read("1 2\n1 0\n", options); },
              ThrowsMessage<invalid_format>(HasSubstr("line 2: column 0 is below 1 (the first")));
  EXPECT_THAT(read("4294967295 1\n", options), ElementsAre(edge{max_dimension - 1, 0}));
  options.index_base = 2;
  EXPECT_THROW(read("2 2\n", options), invalid_argument);
}

TEST_F(EdgeList, SkipsLines) {
  read_options options;
  options.skip_lines = 2;
  EXPECT_THAT(read("source target\n\n1 2\n", options), ElementsAre(edge{1, 2}));
  EXPECT_THAT([&] { read("source target\n\nx 2\n", options); },
              ThrowsMessage<invalid_format>(HasSubstr("line 3: row 'x'")));
  options.skip_lines = 4;
  EXPECT_THAT(read("source target\n\n1 2\n", options), IsEmpty());
}

TEST_F(EdgeList, HintsAtAHeaderOnlyBeforeTheFirstEdge) {
  EXPECT_THAT([&] { read("# x\nsource,target\n1,2\n"); },
              ThrowsMessage<invalid_format>(HasSubstr("--skip-lines 2")));
  EXPECT_THAT([&] { read("1,2\nsource,target\n"); },
              ThrowsMessage<invalid_format>(Not(HasSubstr("--skip-lines"))));
  EXPECT_THAT([&] { read("-1,2\n"); },
              ThrowsMessage<invalid_format>(Not(HasSubstr("--skip-lines"))));
}

TEST_F(EdgeList, KeepsToAGivenShape) {
  read_options options;
  options.build.dims = shape{3, 2};
  EXPECT_THAT(read("2 1\n", options), ElementsAre(edge{2, 1}));
  EXPECT_THAT([&] { read("2 1\n3 1\n", options); },
              ThrowsMessage<invalid_format>(HasSubstr("line 2: row 3 exceeds 2")));
  EXPECT_THAT([&] { read("2 1\n2 2\n", options); },
              ThrowsMessage<invalid_format>(HasSubstr("line 2: column 2 exceeds 1")));
  options.build.dims = shape{0, 2};
  for (const index_t base : {0U, 1U}) {
    options.index_base = base;
    EXPECT_THAT([&] { read("1 1\n", options); },
                ThrowsMessage<invalid_format>(HasSubstr("line 1: row 1")));
  }
  EXPECT_THAT(read("# no edges\n", options), IsEmpty());
}

TEST_F(EdgeList, ReadsVerticesOfAnyLength) {
  for (std::uint64_t number = 1; number < max_dimension; number *= 10) {
    for (const std::uint64_t near : {number - 1, number, number + 1}) {
      const auto index = static_cast<index_t>(near);
      const std::string n = std::to_string(near);
      EXPECT_THAT(read(n + ' ' + n + '\n'), ElementsAre(edge{index, index}));
      EXPECT_THAT(read(n + ',' + n), ElementsAre(edge{index, index}));
    }
  }
  EXPECT_THAT(read("4294967294 0\n"), ElementsAre(edge{max_dimension - 1, 0}));
}

TEST_F(EdgeList, ReadsFilesLongerThanItsWindow) {
  std::string text;
  std::vector<edge> expected;
  for (index_t i = 0; i < 300'000; ++i) {
    text += std::to_string(i * 17) + '\t' + std::to_string(i / 3) + (i % 5 == 0 ? "\t0.5\n" : "\n");
    expected.push_back({i * 17, i / 3});
  }
  EXPECT_TRUE(read(text) == expected);
}

TEST_F(EdgeList, RefusesInvalidFiles) {
  const std::vector<test::invalid_file> files = {
      {"row_negative.edges", "line 2: row '-1' is negative"},
      {"row_not_a_number.edges", "line 2: row 'one' is not a number"},
      {"header.edges", "line 1: row 'source' is not a number (a header? --skip-lines 1"},
      {"column_missing.edges", "line 2: the column is missing"},
      {"column_missing_after_comma.edges", "line 2: the column is missing"},
      {"column_empty.edges", "line 2: column '' is not a number"},
      {"row_empty.edges", "line 2: row '' is not a number"},
      {"column_fraction.edges", "line 2: column '2.0' is not a number"},
      {"column_with_tail.edges", "line 2: column '2x' is not a number"},
      {"vertex_above_2_to_32.edges", "line 2: row 4294967295 exceeds 4294967294"},
      {"vertex_beyond_64_bits.edges", "line 2: column '99999999999999999999' is too large"},
      {"bars.edges", "line 1: row '0|1' is not a number"},
      {"binary.edges", "line 1: row '\\x01\\x02"},
  };
  test::expect_all_listed(files, ".edges");
  test::expect_refusals(files, [](const auto& file) {
    test::edge_collector sink;
    io::read_edge_list(file, sink, {});
  });
}

}  // namespace
