#include <baltoro/error.hpp>
#include <baltoro/npy.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/data.hpp"
#include "support/temporary_directory.hpp"

namespace {

using namespace baltoro;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file of version 1.0, or of the version given.
std::string npy(const std::string& header, const std::string& values, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  for (unsigned i = 0; i < (version == 1 ? 2U : 4U); ++i) {
    file += static_cast<char>(header.size() >> 8U * i & 0xFFU);
  }
  return file + header + values;
}

std::string header_of(const std::string& descr, const std::string& dims, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + dims + ", }\n";
}

class Npy : public testing::Test {
 protected:
  npy_numbers read(const std::string& bytes) { return read_npy(folder.write("x.npy", bytes)); }
  std::vector<double> doubles(const std::string& bytes) {
    return std::get<npy_array<double>>(read(bytes)).values;
  }
  auto refusal(const std::string& bytes, const std::string& reason) {
    const fs::path file = folder.write("x.npy", bytes);
    EXPECT_THAT([&] { read_npy(file); }, ThrowsMessage<invalid_format>(HasSubstr(reason)));
  }

  test::temporary_directory folder;
};

TEST_F(Npy, ReadsAVectorOfFloats) {
  const auto array = std::get<npy_array<float>>(
      read(npy(header_of("<f4", "(2,)"), std::string("\0\0\x80\x3f\0\0\0\xc0", 8))));
  EXPECT_EQ(array.rows, 2U);
  EXPECT_EQ(array.batch, 1U);
  EXPECT_TRUE(array.is_vector);
  EXPECT_THAT(array.values, ElementsAre(1.0F, -2.0F));
}

TEST_F(Npy, ReadsEveryTypeInBothByteOrders) {
  using namespace std::string_literals;
  EXPECT_THAT(doubles(npy(header_of("|b1", "(3,)"), "\0\1\7"s)), ElementsAre(0, 1, 1));
  EXPECT_THAT(doubles(npy(header_of("|i1", "(2,)"), "\x80\x7f"s)), ElementsAre(-128, 127));
  EXPECT_THAT(doubles(npy(header_of("|u1", "(2,)"), "\x80\x7f"s)), ElementsAre(128, 127));
  EXPECT_THAT(doubles(npy(header_of("<i2", "(1,)"), "\xfe\xff"s)), ElementsAre(-2));
  EXPECT_THAT(doubles(npy(header_of(">i2", "(1,)"), "\xff\xfe"s)), ElementsAre(-2));
  EXPECT_THAT(doubles(npy(header_of(">u2", "(1,)"), "\xff\xfe"s)), ElementsAre(65534));
  EXPECT_THAT(doubles(npy(header_of("<i4", "(1,)"), "\0\0\0\x80"s)), ElementsAre(-0x1p31));
  EXPECT_THAT(doubles(npy(header_of(">u4", "(1,)"), "\x80\0\0\0"s)), ElementsAre(0x1p31));
  EXPECT_THAT(doubles(npy(header_of("<i8", "(1,)"), "\0\0\0\0\0\0\0\x80"s)), ElementsAre(-0x1p63));
  EXPECT_THAT(doubles(npy(header_of(">u8", "(1,)"), "\x80\0\0\0\0\0\0\0"s)), ElementsAre(0x1p63));
  EXPECT_THAT(doubles(npy(header_of(">f8", "(1,)"), "\x3f\xf8\0\0\0\0\0\0"s)), ElementsAre(1.5));
  const auto floats =
      std::get<npy_array<float>>(read(npy(header_of(">f4", "(1,)"), "\x3f\xc0\0\0"s)));
  EXPECT_THAT(floats.values, ElementsAre(1.5F));
}

TEST_F(Npy, ReadsHalfPrecisionExactly) {
  const std::string halves("\x00\x3c\x00\xc0\x01\x00\xff\x03\xff\x7b\x00\x7c\x00\xfc\x00\x80", 16);
  const auto values = doubles(npy(header_of("<f2", "(8,)"), halves));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(values, ElementsAre(1, -2, 0x1p-24, 1023 * 0x1p-24, 65504, infinity, -infinity, 0));
  EXPECT_TRUE(std::signbit(values.back()));
  EXPECT_TRUE(std::isnan(doubles(npy(header_of("<f2", "(1,)"), "\x01\x7e")).front()));
}

TEST_F(Npy, ReadsABatchInEitherOrder) {
  for (const bool fortran : {false, true}) {
    const auto array =
        std::get<npy_array<double>>(read(npy(header_of("|u1", "(3, 2)", fortran), "\1\2\3\4\5\6")));
    EXPECT_EQ(array.rows, 3U);
    EXPECT_EQ(array.batch, 2U);
    EXPECT_FALSE(array.is_vector);
    if (fortran) {
      EXPECT_THAT(array.values, ElementsAre(1, 4, 2, 5, 3, 6));
    } else {
      EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
    }
  }
}

TEST_F(Npy, ReadsArraysOfManyPieces) {
  constexpr std::uint64_t rows = 40'001;
  std::string values;
  for (std::uint64_t col = 0; col < 3; ++col) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t value = 3 * row + col;
      for (unsigned i = 0; i < 8; ++i) values += static_cast<char>(value >> 8U * i & 0xFFU);
    }
  }
  const auto read_back = doubles(npy(header_of("<i8", "(40001, 3)", true), values));
  ASSERT_EQ(read_back.size(), 3 * rows);
  for (std::uint64_t i = 0; i < read_back.size(); ++i) {
    ASSERT_EQ(read_back[i], static_cast<double>(i));
  }
}

TEST_F(Npy, ReadsEmptyArrays) {
  EXPECT_TRUE(doubles(npy(header_of("<f8", "(0,)"), "")).empty());
  const auto array = std::get<npy_array<double>>(read(npy(header_of("<f8", "(0, 4)"), "")));
  EXPECT_EQ(array.batch, 4U);
  EXPECT_EQ(array.rows, 0U);
  EXPECT_EQ(std::get<npy_array<double>>(read(npy(header_of("<f8", "(5, 0)"), ""))).rows, 5U);
}

TEST_F(Npy, ReadsEveryVersionAndSpelling) {
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_THAT(doubles(npy(header_of("|u1", "(2,)"), "\1\2", version)), ElementsAre(1, 2));
  }
  EXPECT_THAT(doubles(npy("{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"|u1\"}", "\1\2")),
              ElementsAre(1, 2));
  EXPECT_THAT(doubles(npy("  { 'shape' : ( 1 , 2 , ) , 'fortran_order' : True ,\n"
                          "'descr' : '=u1' } \n",
                          "\1\2")),
              ElementsAre(1, 2));
}

TEST_F(Npy, RefusesFilesThatEndTooEarlyOrTooLate) {
  refusal("", "x.npy: byte 0: the file ends inside its magic number");
  const std::string whole = npy(header_of("<f8", "(2,)"), std::string(16, 'x'));
  for (std::size_t size = 1; size < whole.size(); ++size) refusal(whole.substr(0, size), "byte ");
  refusal(whole + "x", "the header promises 16 bytes of values, but 17 follow");
}

TEST_F(Npy, RefusesHeadersThatLie) {
  const auto with = [](const std::string& dims) { return npy(header_of("<f8", dims), "x"); };
  refusal(with("(1000000000000,)"), "promises 8000000000000 bytes");
  refusal(with("(4294967296, 4294967296)"), "too large for any file");
  refusal(with("(2305843009213693952,)"), "too large for any file");
  refusal(with("(18446744073709551616,)"), "more than 64 bits");
  refusal(with("(-1,)"), "expected a dimension");
  refusal(with("()"), "a single number");
  refusal(with("(8)"), "expected ','");
  refusal(with("(1, 2, 3)"), "more than two dimensions");
  refusal(with("(1 2)"), "expected ','");
  refusal(with("[1]"), "expected '('");
}

TEST_F(Npy, RefusesTypesThatAreNoNumbers) {
  for (const char* descr : {"<c8", "|O", "<U3", "|S1", "<f16", "<i3", "|i2", "<b2", "f8", "", "<f1",
                            "?f8", "<M8", "|V4"}) {
    refusal(npy(header_of(descr, "(1,)"), "x"), "cannot be read");
  }
  refusal(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}", "x"),
          "records are not numbers");
}

TEST_F(Npy, RefusesHeadersThatAreNone) {
  refusal("not an array of numbers", "no NumPy magic number");
  refusal(npy(header_of("<f8", "(1,)"), "x", 4), "version 4.0");
  refusal(npy("", ""), "expected '{'");
  refusal(npy("{}", ""), "needs descr");
  refusal(npy("{'descr': '<f8', 'descr': '<f8'", ""), "unknown or repeated key 'descr'");
  refusal(npy("{'what': 1}", ""), "unknown or repeated key 'what'");
  refusal(npy("{'descr", ""), "without its end");
  refusal(npy("{'fortran_order': 1}", ""), "expected True or False");
  refusal(npy(header_of("<f8", "(1,)") + "x", ""), "goes on after");
  refusal(npy(std::string(70'000, ' '), "", 2), "a header of 70000 bytes");
}

TEST_F(Npy, RefusesFoldersAndAbsentFiles) {
  EXPECT_THROW(read_npy(folder.path()), io_error);
  EXPECT_THROW(read_npy(folder / "absent.npy"), io_error);
}

TEST_F(Npy, NamesTheDefectOfFiles) {
  for (const auto& [name, reason] :
       {std::pair{"npy-shape-lies.npy", "byte 75: the header promises"},
        std::pair{"npy-pickled-objects.npy", "'|O' cannot be read"},
        std::pair{"npy-trailing-bytes.npy", "promises 8 bytes of values, but 9 follow"}}) {
    const fs::path file = test::test_data() / "invalid" / name;
    EXPECT_THAT([&] { read_npy(file); }, ThrowsMessage<invalid_format>(HasSubstr(reason)));
  }
}

TEST_F(Npy, WritesWhatItReads) {
  const fs::path file = folder / "w.npy";
  const std::vector<float> floats = {1.5F, -0.0F, 3e38F, 0.1F};
  write_npy(file, floats);
  EXPECT_EQ(std::get<npy_array<float>>(read_npy(file)).values, floats);
  EXPECT_TRUE(std::get<npy_array<float>>(read_npy(file)).is_vector);

  const std::vector<double> values = {1, 2, 3, 0.1, 5, std::numeric_limits<double>::infinity()};
  write_npy(file, values, 2);
  const auto batch = std::get<npy_array<double>>(read_npy(file));
  EXPECT_EQ(batch.values, values);
  EXPECT_EQ(batch.rows, 3U);
  EXPECT_EQ(batch.batch, 2U);
  EXPECT_FALSE(batch.is_vector);

  write_npy(file, std::vector<std::int32_t>{-1, 0, std::numeric_limits<std::int32_t>::max()});
  EXPECT_THAT(std::get<npy_array<double>>(read_npy(file)).values, ElementsAre(-1, 0, 2147483647));
  write_npy(file, std::vector<float>{});
  EXPECT_EQ(std::get<npy_array<float>>(read_npy(file)).rows, 0U);
}

TEST_F(Npy, WritesTheBytesThatNumPyWrites) {
  const fs::path file = folder / "w.npy";
  write_npy(file, std::vector<std::int32_t>{1, 2});
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  EXPECT_EQ(bytes_of(file), npy(header + '\n', std::string("\1\0\0\0\2\0\0\0", 8)));
}

TEST_F(Npy, RefusesToWriteARaggedBatch) {
  const fs::path file = folder / "w.npy";
  EXPECT_THROW(write_npy(file, std::vector<float>{1, 2, 3}, 2), invalid_argument);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_THROW(write_npy(folder / "no" / "w.npy", std::vector<float>{1}), io_error);
}

}  // namespace
