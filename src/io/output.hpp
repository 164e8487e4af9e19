// A file that appears whole or not at all.
//
// Bytes go to a temporary file beside the target ("NAME.XXXXXX.tmp"), which commit() renames over
// the target. Without commit() it is removed. The new file has the mode the umask asks for. A link
// stays a link: what it points to is replaced. Targets that are not regular files (/dev/stdout, a
// pipe) and
// "-" (standard output) are written straight.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace baltoro::io {

class output {
 public:
  // Throws io_error when the file cannot be created, or the target is a directory or
  // write-protected.
  explicit output(const std::filesystem::path& target);
  ~output();
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  // Throws io_error, for instance on a full disk.
  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  // Overwrites bytes that were written before. Throws io_error where the target is written straight
  // and the bytes have left the buffer.
  void rewrite(std::uint64_t offset, const void* data, std::size_t bytes);
  // Writes zeros up to a multiple of `alignment`.
  void pad_to(std::uint64_t alignment);
  // Bytes written so far.
  std::uint64_t offset() const { return offset_; }
  // Writes what is buffered, waits for the disk, so that late errors are seen, and renames. Call
  // once, last.
  void commit();

 private:
  void create_temporary();
  void flush();
  void write_out(const char* data, std::size_t bytes);
  std::uint64_t flushed() const { return offset_ - buffer_.size(); }

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty where the target is written straight
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;
  std::vector<char> buffer_;
  int slot_ = -1;  // where remove_unfinished_outputs() finds the temporary file
};

// Removes every temporary output of this process. Async-signal-safe: for handlers of SIGINT and
// SIGTERM, which then end the process.
void remove_unfinished_outputs() noexcept;

}  // namespace baltoro::io
