#include <baltoro/error.hpp>
#include <baltoro/reader.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "io/name_dictionary.hpp"
#include "io/readers.hpp"
#include "io/vertex_order.hpp"
#include "support/data.hpp"
#include "support/expected.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

class Triples : public testing::Test {
 protected:
  graph read(const std::string& name, std::string_view text, const read_options& options = {}) {
    const fs::path file = folder.write(name, text);
    return io::read_triples({&file, 1}, options);
  }

  test::temporary_directory folder;
};

std::vector<std::string> vertices_of(const graph& g) {
  std::vector<std::string> names;
  for (index_t i = 0; i < g.vertices.size(); ++i) names.emplace_back(g.vertices[i]);
  return names;
}

std::vector<std::string> relations_of(const graph& g) {
  std::vector<std::string> names;
  for (const relation& r : g.relations) names.push_back(r.name);
  return names;
}

// The triples of a graph by name, the union left out.
std::set<std::tuple<std::string, std::string, std::string>> triples_of(const graph& g) {
  std::set<std::tuple<std::string, std::string, std::string>> all;
  for (const relation& r : g.relations) {
    if (r.name == "*") continue;
    r.adjacency.for_each([&](std::span<const edge> cells) {
      for (const edge& cell : cells) {
        all.emplace(g.vertices[cell.row], r.name, g.vertices[cell.col]);
      }
    });
  }
  return all;
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

constexpr std::string_view family =
    "anna\tparent\tbert\n"
    "bert\tparent\tcarl\n"
    "anna\tknows\tcarl\n"
    "anna\tknows\tbert\n";

TEST_F(Triples, BecomeAMatrixARelationAndTheirUnion) {
  const graph g = read("family.tsv", family);
  EXPECT_THAT(vertices_of(g), ElementsAre("anna", "bert", "carl"));
  EXPECT_THAT(relations_of(g), ElementsAre("*", "knows", "parent"));
  for (const relation& r : g.relations) {
    EXPECT_EQ(r.adjacency.dims(), (shape{3, 3}));
    EXPECT_TRUE(r.adjacency.validate());
  }
  EXPECT_EQ(g.at().nnz(), 3U);  // anna knows her child
  EXPECT_EQ(g.at("parent").nnz(), 2U);
  EXPECT_TRUE(g.at("parent").contains(0, 1));
  EXPECT_TRUE(g.at("parent").contains(1, 2));
  EXPECT_TRUE(g.at("knows").contains(0, 2));
  EXPECT_FALSE(g.at("knows").contains(1, 2));
}

TEST_F(Triples, HaveNoUnionWhereNoneIsAskedFor) {
  const graph g = read("family.tsv", family, {.with_union = false});
  EXPECT_THAT(relations_of(g), ElementsAre("knows", "parent"));
  EXPECT_EQ(g.at("knows").nnz(), 2U);
  EXPECT_THROW(g.at(), invalid_argument);
}

TEST_F(Triples, HaveAUnionOfASingleRelation) {
  const graph g = read("one.tsv", "a\tr\tb\n");
  EXPECT_THAT(relations_of(g), ElementsAre("*", "r"));
  EXPECT_EQ(g.at("*").nnz(), 1U);
}

TEST_F(Triples, AreMergedWhereTheyAreEqual) {
  EXPECT_EQ(read("twice.tsv", "a\tr\tb\na\tr\tb\n").at("r").nnz(), 1U);
}

TEST_F(Triples, MayBeNone) {
  const graph g = read("none.tsv", "# nothing\n\n");
  EXPECT_THAT(relations_of(g), ElementsAre(""));
  EXPECT_EQ(g.at().dims(), (shape{0, 0}));
  EXPECT_TRUE(g.vertices.empty());
}

TEST_F(Triples, MayHaveOneVertexOnly) {
  const graph g = read("loop.tsv", "a\tr\ta");
  EXPECT_EQ(g.at().dims(), (shape{1, 1}));
  EXPECT_TRUE(g.at("r").contains(0, 0));
}

TEST_F(Triples, KeepNamesByteForByte) {
  const graph g = read("names.tsv", " a \tr s\t\"b\"\r\n#a\tr s\té\xff\n");
  EXPECT_THAT(vertices_of(g), ElementsAre(" a ", "\"b\"", "#a", "é\xff"));
  EXPECT_THAT(relations_of(g), ElementsAre("*", "r s"));
}

TEST_F(Triples, PassOverCommentsBlankLinesAndAByteOrderMark) {
  const graph g = read("odd.tsv", "\xEF\xBB\xBF# comment\n\r\n  \na\tr\tb\r\n\n#\nb\tr\tc");
  EXPECT_THAT(vertices_of(g), ElementsAre("a", "b", "c"));
  EXPECT_EQ(g.at("r").nnz(), 2U);
}

TEST_F(Triples, OfSeveralFilesShareTheirNames) {
  const std::vector<fs::path> files = {
      folder.write("1.tsv", "Q2\tP1\tQ10\n"),
      folder.write("2.nt", "_:b <http://r> _:c .\n"),
      folder.write("3.tsv", "Q10\tP1\t_:b\n"),
  };
  const graph g = io::read_triples(files, {});
  EXPECT_THAT(vertices_of(g), ElementsAre("Q10", "Q2", "_:b", "_:c"));
  EXPECT_THAT(relations_of(g), ElementsAre("*", "P1", "http://r"));
  EXPECT_EQ(g.at("P1").nnz(), 2U);
  EXPECT_TRUE(g.at("P1").contains(0, 2));
}

TEST_F(Triples, TakeAShapeThatIsLargeEnough) {
  read_options options;
  options.build.dims = shape{5, 4};
  const graph g = read("family.tsv", family, options);
  for (const relation& r : g.relations) EXPECT_EQ(r.adjacency.dims(), (shape{5, 4}));
  EXPECT_EQ(g.vertices.size(), 3U);
  options.build.dims = shape{5, 2};
  EXPECT_THAT([&] { read("family.tsv", family, options); },
              ThrowsMessage<invalid_argument>(HasSubstr("shape 5x2 is too small")));
}

TEST_F(Triples, AreOrderedAsAsked) {
  constexpr std::string_view text = "Q9\tP10\tQ10\nQ9\tP2\tQ1\n";
  const auto with = [&](vertex_order order) { return read("q.tsv", text, {.order = order}); };
  const graph automatic = with(vertex_order::automatic);
  EXPECT_THAT(vertices_of(automatic), ElementsAre("Q1", "Q9", "Q10"));
  EXPECT_THAT(relations_of(automatic), ElementsAre("*", "P2", "P10"));
  const graph bytes = with(vertex_order::by_bytes);
  EXPECT_THAT(vertices_of(bytes), ElementsAre("Q1", "Q10", "Q9"));
  EXPECT_THAT(relations_of(bytes), ElementsAre("*", "P10", "P2"));
  const graph number = with(vertex_order::by_number);
  EXPECT_EQ(vertices_of(number), vertices_of(automatic));
  const graph seen = with(vertex_order::first_seen);
  EXPECT_THAT(vertices_of(seen), ElementsAre("Q9", "Q10", "Q1"));
  EXPECT_THAT(relations_of(seen), ElementsAre("*", "P10", "P2"));
  EXPECT_EQ(triples_of(seen), triples_of(automatic));
}

TEST_F(Triples, CannotBeOrderedByNumbersThatTheyDoNotHave) {
  const read_options options{.order = vertex_order::by_number};
  EXPECT_THAT([&] { read("q.tsv", "Q1\tP\tQ01\n", options); },
              ThrowsMessage<invalid_argument>(AllOf(HasSubstr("'Q01'"), HasSubstr("'Q'"))));
  // The relations need no number.
  EXPECT_THAT(relations_of(read("r.tsv", "Q1\tb\tQ2\nQ1\ta\tQ2\n", options)),
              ElementsAre("*", "a", "b"));
}

TEST_F(Triples, ReportTheBytesReadToTheEnd) {
  std::uint64_t done = 0;
  read_options options;
  options.build.progress = [&](const progress_event& event) {
    if (event.stage != "reading") return;
    EXPECT_EQ(event.unit, "bytes");
    EXPECT_EQ(event.total, family.size());
    done = event.done;
  };
  read("family.tsv", family, options);
  EXPECT_EQ(done, family.size());
}

TEST_F(Triples, SayWhenMemoryDoesNotSuffice) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) {
    text.append("http://example.org/a/long/name/").append(std::to_string(i)).append("\tr\tx\n");
  }
  read_options options;
  options.build.memory_bytes = 16 << 20;
  EXPECT_THAT([&] { read("much.tsv", text, options); },
              ThrowsMessage<out_of_memory>(HasSubstr("raise the memory limit")));
  options.build.memory_bytes = 128 << 20;
  EXPECT_EQ(read("much.tsv", text, options).at().nnz(), 300'000U);
  options.build.memory_bytes = 1;
  EXPECT_THROW(read("family.tsv", family, options), invalid_argument);
}

TEST_F(Triples, HaveLinesAcrossAnyBuffer) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::string(20'000 + 997 * i, static_cast<char>('a' + i % 26)) + "\tr\tend\n";
  }
  const std::string longest(io::name_dictionary::max_name_bytes, 'z');
  text += longest + '\t' + longest + '\t' + longest;
  const graph g = read("long.tsv", text);
  EXPECT_EQ(g.at("r").nnz(), 40U);
  EXPECT_EQ(g.at(longest).nnz(), 1U);
  EXPECT_TRUE(g.vertices.find(longest));
}

TEST_F(Triples, RefuseNamesAndLinesBeyondTheLimit) {
  const std::string longer(io::name_dictionary::max_name_bytes + 1, 'z');
  EXPECT_THAT([&] { read("s.tsv", longer + "\tr\to\n"); },
              ThrowsMessage<invalid_format>(HasSubstr("s.tsv: line 1: the subject is longer")));
  EXPECT_THAT([&] { read("r.tsv", "s\t" + longer + "\to\n"); },
              ThrowsMessage<invalid_format>(HasSubstr("the relation is longer")));
  EXPECT_THAT([&] { read("o.tsv", "a\tb\tc\ns\tr\t" + longer); },
              ThrowsMessage<invalid_format>(HasSubstr("o.tsv: line 2: the object is longer")));
  for (const std::size_t size : {std::size_t{5'000'000}, std::size_t{20'000'000}}) {
    EXPECT_THAT([&] { read("line.tsv", "a\tb\tc\n#" + std::string(size, '#')); },
                ThrowsMessage<invalid_format>(HasSubstr("line 2: the line is longer")));
  }
}

TEST_F(Triples, AreReadFromCompressedFiles) {
  const auto expected = triples_of(read("family.tsv", family));
  EXPECT_EQ(triples_of(read("family.tsv.gz", gzipped(std::string(family)))), expected);
  EXPECT_EQ(triples_of(read("family.zst", zstd_packed(std::string(family)))), expected);
  const std::string nt = "<a:b> <r:s> \"<\" .\n";
  EXPECT_THAT(vertices_of(read("x.nt.gz", gzipped(nt))), ElementsAre("\"<\"", "a:b"));
  EXPECT_THAT(vertices_of(read("x.nt.zst", zstd_packed(nt))), ElementsAre("\"<\"", "a:b"));
}

TEST_F(Triples, InNTriplesHaveResourcesAndLiteralsAsVertices) {
  const graph g = read("terms.nt",
                       "# a comment\n"
                       "<http://x/s> <http://x/r> <http://x/o> .\r\n"
                       "\n"
                       "  _:b0\t<http://x/r>_:b1.# another\n"
                       "<http://x/s><http://x/r>\"plain\".\n"
                       "<http://x/s> <http://x/r> \"Bonn\"@de-DE .\n"
                       "<http://x/s> <http://x/r> \"7\"^^<http://x/int> .\n"
                       "<http://x/s> <http://x/r> \"\" .");
  EXPECT_THAT(vertices_of(g), ElementsAre("\"\"", "\"7\"^^<http://x/int>", "\"Bonn\"@de-DE",
                                          "\"plain\"", "_:b0", "_:b1", "http://x/o", "http://x/s"));
  EXPECT_THAT(relations_of(g), ElementsAre("*", "http://x/r"));
  EXPECT_EQ(g.at().nnz(), 6U);
}

TEST_F(Triples, InNTriplesHaveOneNameForEverySpelling) {
  const graph g =
      read("spellings.nt",
           "<http://x/\\u00E9> <http://x/r> \"t\\tn\\nr\\rq\\\"b\\\\e\\u00e9\\U0001F600\" .\n"
           "<http://x/é> <http://x/r> \"t\tn\\nr\\rq\\u0022b\\u005Ceé😀\" .\n"
           "<http://x/é> <http://x/r> "
           "\"t\tn\\nr\\rq\\u0022b\\u005Ceé😀\"^^<http://www.w3.org/2001/XMLSchema#string> .\n");
  EXPECT_THAT(vertices_of(g), ElementsAre("\"t\tn\\nr\\rq\\\"b\\\\eé😀\"", "http://x/é"));
  EXPECT_EQ(g.at().nnz(), 1U);
}

TEST_F(Triples, InNTriplesAreToldByTheirFirstBytes) {
  const std::string nt = "# c\n\n_:a <http://r> _:b .\n";
  EXPECT_THAT(vertices_of(read("dump", nt)), ElementsAre("_:a", "_:b"));
  EXPECT_THAT(vertices_of(read("dump.txt", "<a:b> <r:s> <c:d> .")), ElementsAre("a:b", "c:d"));
  // A file that says it is tab-separated is.
  EXPECT_THAT(vertices_of(read("dump.tsv", "<a>\t<r>\t<b>\n")), ElementsAre("<a>", "<b>"));
}

// Every file below tests/data/invalid that this reader is for, and what is said of it.
struct defect {
  const char* file;
  const char* message;

  friend void PrintTo(const defect& d, std::ostream* out) { *out << d.file; }
};

class DefectiveTriples : public testing::TestWithParam<defect> {};

TEST_P(DefectiveTriples, AreRefusedWithAReason) {
  const fs::path file = test::test_data() / "invalid" / GetParam().file;
  ASSERT_TRUE(fs::exists(file));
  EXPECT_THAT(
      [&] {
        io::read_triples({&file, 1}, {});
      },
      ThrowsMessage<invalid_format>(
          HasSubstr(std::string(GetParam().file) + ": " + GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    TabSeparated, DefectiveTriples,
    testing::Values(defect{"triples-empty-file.tsv", "the file is empty"},
                    defect{"triples-no-tab.tsv", "line 2: no tab"},
                    defect{"triples-two-columns.tsv", "line 1: two columns"},
                    defect{"triples-four-columns.tsv", "line 2, column 6: more than three"},
                    defect{"triples-empty-subject.tsv", "line 2: the subject is empty"},
                    defect{"triples-empty-relation.tsv", "line 1: the relation is empty"},
                    defect{"triples-empty-object.tsv", "line 1: the object is empty"},
                    defect{"triples-zero-byte.tsv", "line 1, column 4: a zero byte"},
                    defect{"triples-utf-16.tsv", "line 1, column 4: a zero byte"},
                    defect{"triples-truncated.packed", ""}));

INSTANTIATE_TEST_SUITE_P(
    NTriples, DefectiveTriples,
    testing::Values(
        defect{"ntriples-relation-is-blank-node.nt", "line 1, column 12: expected a relation"},
        defect{"ntriples-subject-is-literal.nt", "line 1, column 1: expected a subject"},
        defect{"ntriples-no-full-stop.nt", "line 2, column 37: expected a full stop"},
        defect{"ntriples-two-on-a-line.nt", "line 1, column 38: expected the end of the line"},
        defect{"ntriples-across-lines.nt", "line 1, column 11: expected a relation"},
        defect{"ntriples-iri-without-end.nt", "line 1, column 23: an IRI without"},
        defect{"ntriples-iri-with-space.nt", "line 1, column 11: "},
        defect{"ntriples-relative-iri.nt", "line 1, column 3: "},
        defect{"ntriples-literal-without-end.nt", "line 1, column 23: a literal without"},
        defect{"ntriples-unknown-escape.nt", "line 1, column 25: "},
        defect{"ntriples-escape-beyond-unicode.nt", "line 1, column "},
        defect{"ntriples-surrogate.nt", "line 1: a name with half of a surrogate pair"},
        defect{"ntriples-escaped-zero.nt", "line 1: a name with the character U+0000"},
        defect{"ntriples-not-utf-8.nt", "line 1, column "},
        defect{"ntriples-empty-language.nt", "line 1, column 27: expected a language"},
        defect{"ntriples-datatype-prefixed.nt", "line 1, column 26: expected ^^<IRI>"},
        defect{"ntriples-turtle-prefix.nt", "line 1, column 1: expected a subject"},
        defect{"ntriples-turtle-a.nt", "line 1, column 12: expected a relation"},
        defect{"ntriples-turtle-list.nt", "line 1, column 23: expected an object"},
        defect{"ntriples-turtle-semicolon.nt", "line 1, column 34: expected a full stop"},
        defect{"ntriples-turtle-long-literal.nt", "line 1, column 25: expected a full stop"},
        defect{"ntriples-blank-node-without-name.nt", "line 1, column 1: expected a blank node"},
        defect{"ntriples-quad.nt", "line 1, column 34: expected a full stop"}));

TEST_F(Triples, OfMoreRelationsThanAnyGraphHasAreRefused) {
  std::string text;
  for (int i = 0; i < (1 << 20) + 1; ++i)
    text.append("a\t").append(std::to_string(i)).append("\tb\n");
  EXPECT_THAT([&] { read("swapped.tsv", text); },
              ThrowsMessage<invalid_format>(HasSubstr("line 1048577: '1048576' is one relation")));
}

TEST_F(Triples, NeedAFileThatIsThere) {
  const fs::path absent = folder / "absent.tsv";
  EXPECT_THROW(io::read_triples({&absent, 1}, {}), io_error);
}

TEST(NameDictionary, NumbersNamesAsTheyCome) {
  io::name_dictionary names;
  for (int round = 0; round < 2; ++round) {
    for (index_t i = 0; i < 5000; ++i)
      EXPECT_EQ(names.intern(std::string("n").append(std::to_string(i))), i);
  }
  EXPECT_EQ(names.size(), 5000U);
  EXPECT_EQ(names.intern(""), 5000U);
  EXPECT_EQ(names[4999], "n4999");
  EXPECT_EQ(names[5000], "");
  EXPECT_GE(names.held_bytes(), names.text_bytes());
}

TEST(NameDictionary, KeepsNamesApartThatFillBlocks) {
  io::name_dictionary names;
  const std::string large(io::name_dictionary::max_name_bytes, 'x');
  for (int i = 0; i < 6; ++i) names.intern(std::to_string(i) + large.substr(1));
  for (int i = 0; i < 6; ++i) {
    const auto number = static_cast<index_t>(i);
    EXPECT_EQ(names[number], std::to_string(i) + large.substr(1));
  }
}

std::vector<std::string> in_order(const std::vector<std::string>& given, vertex_order order) {
  io::name_dictionary names;
  for (const std::string& name : given) names.intern(name);
  std::vector<std::string> result;
  for (const index_t number : io::ordered(names, order)) result.emplace_back(names[number]);
  return result;
}

TEST(VertexOrder, IsByNumberWhereAllNamesAreAPrefixAndANumber) {
  using enum vertex_order;
  EXPECT_THAT(in_order({"Q10", "Q9"}, automatic), ElementsAre("Q9", "Q10"));
  EXPECT_THAT(in_order({"10", "9", "0"}, automatic), ElementsAre("0", "9", "10"));
  EXPECT_THAT(in_order({"http://w3/Q10", "http://w3/Q9"}, automatic),
              ElementsAre("http://w3/Q9", "http://w3/Q10"));
  EXPECT_THAT(in_order({"n18446744073709551615", "n2"}, automatic),
              ElementsAre("n2", "n18446744073709551615"));
}

TEST(VertexOrder, IsByBytesElsewhere) {
  using enum vertex_order;
  EXPECT_THAT(in_order({"Q9", "Q10", "P1"}, automatic), ElementsAre("P1", "Q10", "Q9"));
  EXPECT_THAT(in_order({"Q9", "Q010"}, automatic), ElementsAre("Q010", "Q9"));
  EXPECT_THAT(in_order({"Q9", "Q10", "Q"}, automatic), ElementsAre("Q", "Q10", "Q9"));
  EXPECT_THAT(in_order({"n18446744073709551616", "n2"}, automatic),
              ElementsAre("n18446744073709551616", "n2"));
  EXPECT_THAT(in_order({}, automatic), ElementsAre());
}

TEST(VertexOrder, ComparesBytesAsUnsignedAndShorterNamesFirst) {
  const std::vector<std::string> sorted = {
      "", "a", std::string("a\0", 2), "a12345678", "a123456789", "z", "é", "\xff"};
  std::vector<std::string> given(sorted.rbegin(), sorted.rend());
  EXPECT_EQ(in_order(given, vertex_order::by_bytes), sorted);
}

class RealTriples : public testing::TestWithParam<const char*> {};

TEST_P(RealTriples, HaveTheExpectedMatrices) {
  const std::string name = GetParam();
  const auto file = test::shared_data(name + ".tsv.gz");
  const auto expected = test::expected_of(name);
  if (!file || expected.empty()) GTEST_SKIP() << "no shared data of " << name;
  const graph g = io::read_triples({&*file, 1}, {});
  EXPECT_EQ(g.relations.size(), expected.size());
  EXPECT_EQ(g.relations.front().name, "*");
  EXPECT_EQ(g.vertices.size(), expected.front().rows);
  for (const auto& one : expected) {
    SCOPED_TRACE(one.relation);
    const matrix& a = g.at(one.relation);
    EXPECT_EQ(a.dims(), (shape{static_cast<index_t>(one.rows), static_cast<index_t>(one.cols)}));
    EXPECT_EQ(a.nnz(), one.nnz);
    EXPECT_EQ(a.tree().nodes(), one.nodes);
    EXPECT_EQ(test::nodes_per_level_of(a), one.nodes_per_level);
    EXPECT_EQ(test::checksum_of(a), one.checksum);
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, RealTriples, testing::Values("codex-m", "debian-packages"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(0, name.find('-'));
                         });

TEST(RealTriples, HaveTheExpectedNames) {
  const auto codex = test::shared_data("codex-m.tsv.gz");
  const auto debian = test::shared_data("debian-packages.tsv.gz");
  if (!codex || !debian) GTEST_SKIP() << "no shared data";
  const graph entities = io::read_triples({&*codex, 1}, {});
  EXPECT_EQ(entities.vertices.size(), 17050U);
  EXPECT_EQ(entities.vertices[0], "Q15");
  EXPECT_EQ(entities.vertices[12], "Q30");
  EXPECT_EQ(entities.relations.size(), 52U);
  EXPECT_EQ(entities.relations[1].name, "P17");
  const graph packages = io::read_triples({&*debian, 1}, {});
  EXPECT_EQ(packages.vertices.size(), 103227U);
  for (const auto& [index, name] :
       {std::pair{0U, "0ad"}, {11027U, "gnome"}, {20010U, "libc6"}, {87773U, "python3"}}) {
    EXPECT_EQ(packages.vertices[index], name);
  }
  EXPECT_THAT(relations_of(packages),
              ElementsAre("*", "Conflicts", "Depends", "Provides", "Recommends", "Suggests"));
}

}  // namespace
