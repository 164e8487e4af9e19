#include <baltoro/morton.hpp>

#include <gtest/gtest.h>

namespace {

using namespace baltoro;

TEST(Morton, PutsTheRowBitAboveTheColumnBit) {
  EXPECT_EQ(morton::encode(0, 1), 1U);
  EXPECT_EQ(morton::encode(1, 0), 2U);
  EXPECT_EQ(morton::encode(3, 5), 0b011011U);  // the example of the paper's Figure 1
}

TEST(Morton, DecodesWhatItEncoded) {
  for (const index_t row : {0U, 1U, 2U, 255U, 65536U, 0x8000'0000U, 0xFFFF'FFFEU, 0xFFFF'FFFFU}) {
    for (const index_t col : {0U, 1U, 3U, 256U, 65535U, 0x7FFF'FFFFU, 0xFFFF'FFFFU}) {
      const std::uint64_t code = morton::encode(row, col);
      EXPECT_EQ(morton::row_of(code), row);
      EXPECT_EQ(morton::col_of(code), col);
      EXPECT_EQ(morton::transpose(code), morton::encode(col, row));
    }
  }
}

}  // namespace
