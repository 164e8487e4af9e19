// The .properties file of a BVGraph, and Java's syntax for such files.
#include "io/bvgraph_properties.hpp"

#include <baltoro/error.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/java_properties.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using io::bit_order;
using io::code;
using io::code_kind;
using testing::HasSubstr;

std::string value_of(std::string_view text, std::string_view key) {
  const auto all = io::parse_java_properties(text);
  const auto found = all.find(key);
  return found == all.end() ? "(none)" : found->second.value;
}

TEST(JavaProperties, KnowsAllSeparators) {
  for (const char* text :
       {"key=a b", "key:a b", "key a b", "  key  =  a b", "\tkey\t:a b\n", "key = a b\r\n"}) {
    EXPECT_EQ(value_of(text, "key"), "a b") << text;
  }
  EXPECT_EQ(value_of("key==x", "key"), "=x");
  EXPECT_EQ(value_of("key", "key"), "");
  EXPECT_EQ(value_of("key=\nother=1", "key"), "");
}

TEST(JavaProperties, PassesOverComments) {
  const auto all = io::parse_java_properties("# a=1\n  ! b=2\n\n\r\nc=3 # not a comment\r#d=4");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.at("c").value, "3 # not a comment");
  EXPECT_EQ(all.at("c").line, 5U);
}

TEST(JavaProperties, UnderstandsEscapesAndContinuedLines) {
  EXPECT_EQ(value_of("a\\=b\\ c=x", "a=b c"), "x");
  EXPECT_EQ(value_of("k=1\\\n   2\\\r\n\t3", "k"), "123");
  EXPECT_EQ(value_of("k=\\t\\u0041\\u00e9\\u20AC\\q", "k"), "\tA\xC3\xA9\xE2\x82\xACq");
  EXPECT_EQ(value_of("k=\\u12", "k"), "u12");
  EXPECT_EQ(value_of("k=x\\", "k"), "x");
}

TEST(JavaProperties, TheLastValueOfAKeyCounts) { EXPECT_EQ(value_of("a=1\na=2\n", "a"), "2"); }

io::bvgraph_properties parse(const std::string& text) {
  const test::temporary_directory folder;
  return io::read_bvgraph_properties(folder.write("g.properties", text));
}

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const invalid_format& e) {
    return e.what();
  }
  return "no error";
}

TEST(BvgraphProperties, HasDefaults) {
  const auto p = parse("nodes=5\narcs=7\n");
  EXPECT_EQ(p.nodes, 5U);
  EXPECT_EQ(p.arcs, 7U);
  EXPECT_EQ(p.window_size, 5U);  // 7, but there are 5 nodes
  EXPECT_EQ(p.min_interval_length, 4U);
  EXPECT_EQ(p.order, bit_order::msb_first);
  EXPECT_EQ(p.codes.outdegrees, (code{code_kind::gamma}));
  EXPECT_EQ(p.codes.references, (code{code_kind::unary}));
  EXPECT_EQ(p.codes.block_counts, (code{code_kind::gamma}));
  EXPECT_EQ(p.codes.blocks, (code{code_kind::gamma}));
  EXPECT_EQ(p.codes.intervals, (code{code_kind::gamma}));
  EXPECT_EQ(p.codes.residuals, (code{code_kind::zeta, 3}));
  EXPECT_EQ(p.codes.offsets, (code{code_kind::gamma}));
}

TEST(BvgraphProperties, ReadsWhatJavaWrites) {
  const auto p = parse(
      "#BVGraph properties\r\nnodes=100\r\narcs=7\r\nwindowsize=0\r\nminintervallength=0\r\n"
      "maxrefcount=-1\r\nzetak=5\r\nversion=0\r\ngraphclass=it.unimi.dsi.webgraph.BVGraph\r\n"
      "compressionflags=OUTDEGREES_DELTA | REFERENCES_GAMMA | BLOCKS_DELTA | RESIDUALS_GOLOMB | "
      "OFFSETS_DELTA\r\n");
  EXPECT_EQ(p.window_size, 0U);
  EXPECT_EQ(p.min_interval_length, 0U);
  EXPECT_EQ(p.codes.outdegrees, (code{code_kind::delta}));
  EXPECT_EQ(p.codes.references, (code{code_kind::gamma}));
  EXPECT_EQ(p.codes.block_counts, (code{code_kind::gamma}));  // a flag of its own
  EXPECT_EQ(p.codes.blocks, (code{code_kind::delta}));
  EXPECT_EQ(p.codes.residuals, (code{code_kind::golomb, 5}));
  EXPECT_EQ(p.codes.offsets, (code{code_kind::delta}));
}

TEST(BvgraphProperties, ReadsWhatRustWrites) {
  const auto p = parse(
      "graphclass=it.unimi.dsi.webgraph.BVGraph\nversion=1\nendianness=little\nnodes=100\narcs=7\n"
      "compressionflags=OUTDEGREES_ZETA3|REFERENCES_DELTA|BLOCKS_PI2|INTERVALS_UNARY|"
      "RESIDUALS_ZETA7\n");
  EXPECT_EQ(p.order, bit_order::lsb_first);
  EXPECT_EQ(p.codes.outdegrees, (code{code_kind::zeta, 3}));
  EXPECT_EQ(p.codes.blocks, (code{code_kind::pi, 2}));
  EXPECT_EQ(p.codes.block_counts, (code{code_kind::pi, 2}));  // means both
  EXPECT_EQ(p.codes.intervals, (code{code_kind::unary}));
  EXPECT_EQ(p.codes.residuals, (code{code_kind::zeta, 7}));
}

TEST(BvgraphProperties, ZetaWithoutANumberTakesZetak) {
  const std::string head = "nodes=1\narcs=0\nzetak=4\n";
  EXPECT_EQ(parse(head).codes.residuals, (code{code_kind::zeta, 4}));
  EXPECT_EQ(parse(head + "compressionflags=RESIDUALS_ZETA").codes.residuals,
            (code{code_kind::zeta, 4}));
  EXPECT_EQ(parse(head + "compressionflags=residuals_nibble").codes.residuals,
            (code{code_kind::nibble}));
  EXPECT_EQ(parse(head + "compressionflags=BLOCK_COUNT_UNARY").codes.block_counts,
            (code{code_kind::unary}));
}

TEST(BvgraphProperties, NamesLineAndReason) {
  const std::string head = "nodes=10\narcs=7\n";
  EXPECT_THAT(error_of(""), HasSubstr("g.properties: 'nodes' is missing"));
  EXPECT_THAT(error_of("nodes=3\n"), HasSubstr("'arcs' is missing"));
  EXPECT_THAT(error_of("arcs=1\nnodes=-3\n"), HasSubstr("line 2: nodes is '-3'"));
  EXPECT_THAT(error_of("nodes=4294967296\narcs=1"), HasSubstr("at most 4294967295"));
  EXPECT_THAT(error_of("nodes=99999999999999999999\narcs=1"), HasSubstr("not a natural number"));
  EXPECT_THAT(error_of("nodes=3\narcs=10\n"),
              HasSubstr("line 2: arcs is 10, but can be at most 9"));
  EXPECT_THAT(error_of("nodes=99999\narcs=1\nwindowsize=80000\n"),
              HasSubstr("line 3: a windowsize"));
  EXPECT_THAT(error_of(head + "zetak=0"), HasSubstr("line 3: zetak"));
  EXPECT_THAT(error_of(head + "zetak=64"), HasSubstr("line 3: zetak"));
  EXPECT_THAT(error_of(head + "version=2"), HasSubstr("line 3: format version 2"));
  EXPECT_THAT(error_of(head + "endianness=middle"), HasSubstr("line 3: endianness 'middle'"));
  EXPECT_THAT(error_of(head + "graphclass=it.unimi.dsi.webgraph.EFGraph"), HasSubstr("EFGraph"));
  for (const char* flag :
       {"RESIDUALS_HUFFMAN", "RESIDUALS_SKEWED_GOLOMB", "RESIDUALS_ZETA0", "RESIDUALS_ZETA64",
        "RESIDUALS_GAMMA3", "RESIDUALS", "LABELS_GAMMA", "RESIDUALS_PI", "RESIDUALS_", "2048"}) {
    EXPECT_THAT(error_of(head + "compressionflags=" + flag),
                HasSubstr("line 3: '" + std::string(flag) + "' names no known"));
  }
  EXPECT_THAT(error_of(head + "#" + std::string(2 << 20, 'x')), HasSubstr("too large"));
}

}  // namespace
