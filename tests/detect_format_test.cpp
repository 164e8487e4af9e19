// Which format a file is taken for.
#include <baltoro/error.hpp>
#include <baltoro/reader.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;

file_format found(const std::string& name, const std::string& bytes) {
  const test::temporary_directory folder;
  return detect_format(folder.write(name, bytes));
}

TEST(DetectFormat, ByName) {
  EXPECT_EQ(found("a.mtx", "x"), file_format::matrix_market);
  EXPECT_EQ(found("a.MTX.gz", "x"), file_format::matrix_market);
  EXPECT_EQ(found("a.graph", "x"), file_format::bvgraph);
  EXPECT_EQ(found("a.properties", "x"), file_format::bvgraph);
  EXPECT_EQ(found("a.nt.zst", "x"), file_format::triples);
  EXPECT_EQ(found("a.k2m", "x"), file_format::k2m);
  EXPECT_EQ(found("a.csv", "source,target\n"), file_format::edge_list);
}

TEST(DetectFormat, ABasenameIsABvgraph) {
  const test::temporary_directory folder;
  folder.write("web.graph", "");
  folder.write("web.properties", "");
  EXPECT_EQ(detect_format(folder / "web"), file_format::bvgraph);
}

TEST(DetectFormat, ByContent) {
  EXPECT_EQ(found("a", "%%MatrixMarket matrix"), file_format::matrix_market);
  EXPECT_EQ(found("a", "  %matrixmarket matrix"), file_format::matrix_market);
  EXPECT_EQ(found("a", "# c\n\n3 4\n"), file_format::edge_list);
  EXPECT_EQ(found("a", "3,4,0.5\n"), file_format::edge_list);
  EXPECT_EQ(found("a.tsv", "3\t4\t5\n"), file_format::edge_list);
  EXPECT_EQ(found("a.tsv", "source\ttarget\tweight\n3\t4\t5\n"), file_format::edge_list);
  EXPECT_EQ(found("a.tsv", "Q1\tP2\tQ3\nQ1\tP2\tQ4\n"), file_format::triples);
  EXPECT_EQ(found("a", "<http://a> <http://b> <http://c> .\n"), file_format::triples);
  EXPECT_EQ(found("a", "\x89K2M\r\n\x1a\n"), file_format::k2m);
  EXPECT_EQ(found("a", "# only comments\n"), file_format::edge_list);
}

TEST(DetectFormat, WhatCannotBeTold) {
  EXPECT_THROW(found("a", ""), invalid_format);
  EXPECT_THROW(found("a", "hello world\n"), invalid_format);
  EXPECT_THAT([] { found("a", "BZh91AY"); },
              testing::ThrowsMessage<invalid_format>(testing::HasSubstr("bzip2")));
  EXPECT_THROW(detect_format("/no/such/file"), io_error);
}

}  // namespace
