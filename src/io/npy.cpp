// NumPy's .npy files: magic, version, a header that is a Python dictionary, the values.
// Source: NumPy's specification of the format, numpy.lib.format, versions 1.0, 2.0 and 3.0.
#include <baltoro/error.hpp>
#include <baltoro/npy.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "io/npy_header.hpp"
#include "io/output.hpp"
#include "io/raw_file.hpp"

namespace baltoro {

namespace {

// Values are converted in pieces of this size, so that they are never in memory twice.
constexpr std::size_t piece_bytes = std::size_t{1} << 18;

template <class Word>
Word swap_bytes(Word word) {
  Word swapped = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    swapped = static_cast<Word>((sizeof(Word) > 1 ? swapped << 8U % (8 * sizeof(Word)) : 0) |
                                (word & 0xFFU));
    word = static_cast<Word>(sizeof(Word) > 1 ? word >> 8U % (8 * sizeof(Word)) : 0);
  }
  return swapped;
}

template <std::size_t Bytes>
using word_of = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t,
                       std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// IEEE 754 binary16.
double half_to_double(std::uint16_t bits) {
  const std::uint64_t sign = std::uint64_t{bits & 0x8000U} << 48U;
  const unsigned exponent = (bits >> 10U) & 0x1FU;
  const std::uint64_t fraction = bits & 0x3FFU;
  if (exponent == 0) {  // zero and subnormal: fraction · 2⁻²⁴
    const double magnitude = static_cast<double>(fraction) * 0x1p-24;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint64_t wide = exponent == 31 ? 2047U : exponent - 15U + 1023U;
  return std::bit_cast<double>(sign | wide << 52U | fraction << 42U);
}

struct half {
  std::uint16_t bits;
};
struct boolean {
  std::uint8_t byte;
};

template <class Stored>
auto value_of(Stored stored) {
  if constexpr (std::is_same_v<Stored, half>) {
    return half_to_double(stored.bits);
  } else if constexpr (std::is_same_v<Stored, boolean>) {
    return stored.byte != 0 ? 1.0 : 0.0;
  } else if constexpr (std::is_same_v<Stored, float>) {
    return stored;
  } else {
    return static_cast<double>(stored);
  }
}

template <class Stored>
Stored load(const char* bytes, bool swapped) {
  using word = word_of<sizeof(Stored)>;
  word bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return std::bit_cast<Stored>(swapped ? swap_bytes(bits) : bits);
}

[[noreturn]] void refuse_size(const io::raw_file& file, std::uint64_t start, std::uint64_t promised,
                              const std::string& there) {
  throw invalid_format(
      file.name(), fmt::format("byte {}", start),
      fmt::format("the header promises {} bytes of values, but {} follow", promised, there));
}

// From Fortran order to row-major.
template <class T>
std::vector<T> by_rows(const std::vector<T>& columns, std::uint64_t rows, std::uint64_t batch) {
  std::vector<T> values(columns.size());
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    values[i % rows * batch + i / rows] = columns[i];
  }
  return values;
}

template <class Stored>
npy_numbers read_values(io::raw_file& file, const io::npy_header& header) {
  using number = decltype(value_of(Stored{}));
  npy_array<number> array;
  array.rows = header.rows;
  array.batch = header.batch;
  array.is_vector = header.is_vector;
  const std::uint64_t count = header.rows * header.batch;
  // Of a stream, nothing tells yet whether the header is right about its size.
  const bool known = !file.is_stream();
  if (known) array.values.resize(count);
  const bool scattered = known && header.fortran_order;
  const std::uint64_t start = file.position();

  std::vector<char> piece(
      std::min<std::uint64_t>(piece_bytes, std::max<std::uint64_t>(count, 1) * sizeof(Stored)));
  std::uint64_t row = 0;  // of the next value in Fortran order
  std::uint64_t col = 0;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now = std::min<std::uint64_t>(piece.size() / sizeof(Stored), count - done);
    if (file.read({piece.data(), now * sizeof(Stored)}) != now * sizeof(Stored)) {
      refuse_size(file, start, count * sizeof(Stored), std::to_string(file.position() - start));
    }
    if (!known) array.values.resize(done + now);
    for (std::uint64_t i = 0; i < now; ++i) {
      const number value =
          value_of(load<Stored>(piece.data() + i * sizeof(Stored), header.swapped));
      if (!scattered) {
        array.values[done + i] = value;
        continue;
      }
      array.values[row * header.batch + col] = value;
      if (++row == header.rows) {
        row = 0;
        ++col;
      }
    }
    done += now;
  }
  if (!known) {
    if (!file.fill().empty()) refuse_size(file, start, count * sizeof(Stored), "more");
    if (header.fortran_order) array.values = by_rows(array.values, header.rows, header.batch);
  }
  return array;
}

npy_numbers read_values(io::raw_file& file, const io::npy_header& header) {
  switch (header.kind) {
    case 'b':
      return read_values<boolean>(file, header);
    case 'f':
      switch (header.item_bytes) {
        case 2:
          return read_values<half>(file, header);
        case 4:
          return read_values<float>(file, header);
        default:
          return read_values<double>(file, header);
      }
    case 'i':
      switch (header.item_bytes) {
        case 1:
          return read_values<std::int8_t>(file, header);
        case 2:
          return read_values<std::int16_t>(file, header);
        case 4:
          return read_values<std::int32_t>(file, header);
        default:
          return read_values<std::int64_t>(file, header);
      }
    default:
      switch (header.item_bytes) {
        case 1:
          return read_values<std::uint8_t>(file, header);
        case 2:
          return read_values<std::uint16_t>(file, header);
        case 4:
          return read_values<std::uint32_t>(file, header);
        default:
          return read_values<std::uint64_t>(file, header);
      }
  }
}

template <class T>
void write_values(const std::filesystem::path& file, std::span<const T> values,
                  std::uint64_t batch) {
  if (batch > 0 && values.size() % batch != 0) {
    throw invalid_argument(
        fmt::format("{} values are not a whole number of rows of {}", values.size(), batch));
  }
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  const std::string dims = batch == 0 ? fmt::format("({},)", values.size())
                                      : fmt::format("({}, {})", values.size() / batch, batch);
  std::string header = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': {}, }}",
                                   order, std::is_floating_point_v<T> ? 'f' : 'i', sizeof(T), dims);
  // Magic, version and length are 10 bytes; spaces and a line end fill up to a multiple of 64.
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  const std::array<char, 4> version_and_length = {1, 0, static_cast<char>(header.size() & 0xFFU),
                                                  static_cast<char>(header.size() >> 8U)};
  io::output out(file);
  out.write(io::npy_magic);
  out.write(version_and_length.data(), version_and_length.size());
  out.write(header);
  out.write(values.data(), values.size_bytes());
  out.commit();
}

}  // namespace

npy_numbers read_npy(const std::filesystem::path& file) {
  io::raw_file in(file);
  const io::npy_header header = io::read_npy_header(in);
  const std::uint64_t value_bytes = header.rows * header.batch * header.item_bytes;
  const std::uint64_t there = in.size() - std::min(in.size(), in.position());
  if (!in.is_stream() && there != value_bytes) {
    refuse_size(in, in.position(), value_bytes, std::to_string(there));
  }
  return read_values(in, header);
}

void write_npy(const std::filesystem::path& file, std::span<const float> values,
               std::uint64_t batch) {
  write_values(file, values, batch);
}

void write_npy(const std::filesystem::path& file, std::span<const double> values,
               std::uint64_t batch) {
  write_values(file, values, batch);
}

void write_npy(const std::filesystem::path& file, std::span<const std::int32_t> values,
               std::uint64_t batch) {
  write_values(file, values, batch);
}

void write_npy(const std::filesystem::path& file, std::span<const std::int64_t> values,
               std::uint64_t batch) {
  write_values(file, values, batch);
}

}  // namespace baltoro
