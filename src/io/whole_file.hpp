// A file as one span of bytes: mapped where the system can, otherwise read from front to back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace baltoro::io {

class whole_file {
 public:
  // Throws io_error when the file cannot be opened or read, or is a directory. A file that cannot
  // be mapped (a pipe) is read into memory that grows with what has arrived, until `limit` bytes or
  // a few more have.
  explicit whole_file(const std::filesystem::path& file, std::size_t limit = SIZE_MAX);
  ~whole_file();
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;

  std::span<const std::uint8_t> bytes() const { return bytes_; }
  // Whether the bytes are mapped, not read into memory.
  bool is_mapped() const { return mapping_ != nullptr; }

 private:
  std::span<const std::uint8_t> bytes_;
  void* mapping_ = nullptr;
  std::vector<std::uint8_t> buffer_;
};

}  // namespace baltoro::io
