// What the fuzz targets of readers share: bytes as a file, and a sink that checks what it gets.
#pragma once

#include <baltoro/error.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "io/readers.hpp"

namespace baltoro::fuzz {

// A file in memory, reached through its descriptor.
class memory_file {
 public:
  memory_file(const std::uint8_t* data, std::size_t size)
      : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<::ssize_t>(size)) {
      std::abort();
    }
  }
  ~memory_file() { ::close(descriptor_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// Aborts on an edge outside the largest shape there is.
class checking_sink final : public io::edge_sink {
 public:
  void add(std::span<const edge> edges) override {
    for (const edge one : edges) {
      if (one.row == max_dimension || one.col == max_dimension) std::abort();
      if (one.row >= rows) rows = one.row + 1;
      if (one.col >= cols) cols = one.col + 1;
      ++count;
    }
  }
  index_t rows = 0;
  index_t cols = 0;
  std::uint64_t count = 0;
};

}  // namespace baltoro::fuzz
