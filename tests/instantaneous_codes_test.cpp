// The codes of BVGraph, against bits written down by hand and against the tests' own writer.
#include "io/instantaneous_codes.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/bvgraph_writer.hpp"

namespace {

using namespace baltoro;
using io::bit_order;
using io::code;
using io::code_kind;
using test::bit_writer;

template <bit_order Order>
std::uint64_t decode(code what, const bit_writer& bits) {
  const std::string bytes = bits.bytes();
  io::bit_reader<Order> in({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  const std::uint64_t value = io::read_code(in, what);
  EXPECT_EQ(in.position(), bits.size());
  return value;
}

struct codeword {
  code what;
  std::uint64_t value;
  const char* msb_first;
  const char* lsb_first;
};

TEST(InstantaneousCodes, AreAsWrittenByHand) {
  const codeword words[] = {
      {{code_kind::unary}, 0, "1", "1"},
      {{code_kind::unary}, 3, "0001", "0001"},
      {{code_kind::gamma}, 0, "1", "1"},
      {{code_kind::gamma}, 4, "001 01", "001 10"},
      {{code_kind::delta}, 0, "1", "1"},
      {{code_kind::delta}, 4, "01 1 01", "01 1 10"},
      {{code_kind::zeta, 3}, 0, "1 00", "1 00"},
      {{code_kind::zeta, 3}, 1, "1 01 0", "1 10 0"},
      {{code_kind::zeta, 3}, 6, "1 11 1", "1 11 1"},
      {{code_kind::zeta, 3}, 7, "01 00000", "01 00000"},
      {{code_kind::zeta, 3}, 20, "01 01010 1", "01 01010 1"},
      {{code_kind::zeta, 1}, 4, "001 01", "001 10"},
      {{code_kind::pi, 2}, 20, "01 00 0101", "01 00 1010"},
      {{code_kind::pi, 2}, 1, "1 01 0", "1 10 0"},
      {{code_kind::pi, 0}, 4, "001 01", "001 10"},
      {{code_kind::golomb, 3}, 5, "01 1 1", "01 1 1"},
      {{code_kind::golomb, 3}, 0, "1 0", "1 0"},
      {{code_kind::golomb, 1}, 3, "0001", "0001"},
      {{code_kind::nibble}, 0, "1000", "1000"},
      {{code_kind::nibble}, 8, "0001 1000", "0100 1000"},
  };
  for (const codeword& word : words) {
    SCOPED_TRACE(std::string(word.msb_first) + " is " + std::to_string(word.value));
    EXPECT_EQ(decode<bit_order::msb_first>(word.what, {bit_order::msb_first, word.msb_first}),
              word.value);
    EXPECT_EQ(decode<bit_order::lsb_first>(word.what, {bit_order::lsb_first, word.lsb_first}),
              word.value);
  }
}

// The numbers one after the other, so that they lie at every position in a byte.
template <bit_order Order>
void round_trip(code what, const std::vector<std::uint64_t>& values) {
  bit_writer out(Order);
  for (const std::uint64_t value : values) out.write(what, value);
  const std::string bytes = out.bytes();
  io::bit_reader<Order> in({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  for (const std::uint64_t value : values) ASSERT_EQ(io::read_code(in, what), value);
  EXPECT_EQ(in.position(), out.size());
}

TEST(InstantaneousCodes, RoundTripThroughAllLengths) {
  std::vector<std::uint64_t> small;
  for (std::uint64_t value = 0; value < 300; ++value) small.push_back(value);
  std::vector<std::uint64_t> all = small;
  for (unsigned log = 8; log < 63; ++log) {
    for (const std::int64_t off : {-2, -1, 0, 1}) all.push_back((std::uint64_t{1} << log) + off);
  }
  std::vector<code> codes{{code_kind::gamma}, {code_kind::delta}, {code_kind::nibble}};
  for (unsigned k = 1; k <= 7; ++k) codes.push_back({code_kind::zeta, k});
  for (unsigned k = 0; k <= 5; ++k) codes.push_back({code_kind::pi, k});
  for (const code what : codes) {
    // The writer's own arithmetic ends at 2^63; zeta rounds up to a multiple of k.
    std::vector<std::uint64_t> values;
    const unsigned bits =
        what.kind == code_kind::zeta ? 63 / what.parameter * what.parameter - 1 : 62;
    for (const std::uint64_t value : all) {
      if (value < std::uint64_t{1} << bits) values.push_back(value);
    }
    round_trip<bit_order::msb_first>(what, values);
    round_trip<bit_order::lsb_first>(what, values);
  }
  for (std::uint32_t modulus = 1; modulus < 20; ++modulus) {
    round_trip<bit_order::msb_first>({code_kind::golomb, modulus}, small);
    round_trip<bit_order::lsb_first>({code_kind::golomb, modulus}, small);
  }
  round_trip<bit_order::msb_first>({code_kind::unary}, small);
  round_trip<bit_order::lsb_first>({code_kind::unary}, small);
}

TEST(InstantaneousCodes, EndlessZerosAreAnError) {
  const std::vector<std::uint8_t> zeros(40, 0);
  for (const code what : {code{code_kind::unary}, code{code_kind::gamma}, code{code_kind::delta},
                          code{code_kind::zeta, 3}, code{code_kind::pi, 2},
                          code{code_kind::golomb, 5}, code{code_kind::nibble}}) {
    io::bit_reader<bit_order::msb_first> msb(zeros);
    EXPECT_THROW(io::read_code(msb, what), io::bit_stream_error);
    io::bit_reader<bit_order::lsb_first> lsb(zeros);
    EXPECT_THROW(io::read_code(lsb, what), io::bit_stream_error);
  }
}

TEST(BitReader, ReadsNumbersOfEveryWidthAtEveryPosition) {
  for (unsigned first = 0; first < 9; ++first) {
    for (unsigned width = 0; width <= 64; ++width) {
      const std::uint64_t value = 0x9E37'79B9'7F4A'7C15U >> (64 - width) % 64;
      const std::uint64_t expected = width == 0 ? 0 : value;
      bit_writer msb(bit_order::msb_first);
      bit_writer lsb(bit_order::lsb_first);
      for (bit_writer* out : {&msb, &lsb}) {
        out->number(0x155, first);
        out->number(value, width);
      }
      const std::string a = msb.bytes();
      io::bit_reader<bit_order::msb_first> in(
          {reinterpret_cast<const std::uint8_t*>(a.data()), a.size()});
      in.skip(first);
      EXPECT_EQ(in.bits(width), expected);
      const std::string b = lsb.bytes();
      io::bit_reader<bit_order::lsb_first> other(
          {reinterpret_cast<const std::uint8_t*>(b.data()), b.size()});
      other.skip(first);
      EXPECT_EQ(other.bits(width), expected);
    }
  }
}

TEST(BitReader, HasZerosPastTheEnd) {
  const std::uint8_t byte = 0xFF;
  io::bit_reader<bit_order::msb_first> in({&byte, 1});
  EXPECT_EQ(in.bits(12), 0xFF0U);
  EXPECT_EQ(in.bits(30), 0U);
  EXPECT_EQ(in.remaining(), 0U);
  io::bit_reader<bit_order::lsb_first> other({&byte, 1});
  EXPECT_EQ(other.bits(12), 0xFFU);
}

}  // namespace
