// The header of an .npy file.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/raw_file.hpp"

namespace baltoro::io {

// What every .npy file begins with; the version follows.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct npy_header {
  char kind = 'f';          // 'b' Boolean, 'i' signed, 'u' unsigned, 'f' floating point
  unsigned item_bytes = 0;  // 1, 2, 4 or 8; 'b' has 1, 'f' 2 to 8
  bool swapped = false;     // whether values are in the other byte order than this machine's
  bool fortran_order = false;
  bool is_vector = true;
  std::uint64_t rows = 0;
  std::uint64_t batch = 1;
};

// Reads magic, version and header, and leaves `file` at the first value.
// rows · batch · item_bytes fits in 64 bits. Throws invalid_format.
npy_header read_npy_header(raw_file& file);

}  // namespace baltoro::io
