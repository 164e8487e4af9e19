// A file read from front to back, whatever it is compressed with.
//
// Bytes come through one fixed buffer. gzip (also several members, as bgzip and pigz write) and
// zstd (also several frames) are recognised by their magic numbers and unpacked on the fly; zstd
// windows above 128 MiB are refused, so that a hostile file cannot make the reader allocate.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace baltoro::io {

class input {
 public:
  // Throws io_error when the file cannot be opened or is a directory.
  explicit input(const std::filesystem::path& file);
  ~input();
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  // Fills `buffer` as far as the file goes; less than its size only at the end of the file.
  // Throws invalid_format on damaged compressed data, io_error when the system cannot read.
  std::size_t read(std::span<char> buffer);

  // The file's name for messages.
  const std::string& name() const { return name_; }
  // Bytes of the file (before unpacking) consumed so far, and in all (0 for pipes): for progress.
  std::uint64_t consumed_bytes() const;
  std::uint64_t file_bytes() const;

 private:
  class decoder;
  std::string name_;
  std::unique_ptr<decoder> decoder_;
};

}  // namespace baltoro::io
