// Unpacking of gzip and zstd, byte stream to byte stream.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "io/raw_file.hpp"

namespace baltoro::io {

class unpacker {
 public:
  virtual ~unpacker() = default;
  // Fills `to`; less than its size only at the end. Throws invalid_format on damaged data.
  virtual std::size_t read(std::span<char> to) = 0;
};

// The unpacker that the first bytes of the file ask for, null where the file is plain. The file
// must outlive it.
std::unique_ptr<unpacker> make_unpacker(raw_file& file);

}  // namespace baltoro::io
