// The lines of a file of triples, and how far reading is.
#pragma once

#include <baltoro/progress.hpp>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"

namespace baltoro::io {

// Adds up the bytes read of several files and reports them, at most fifty times a second.
class reading_progress {
 public:
  reading_progress(std::span<const std::filesystem::path> files, progress_callback callback);

  // So many bytes of the present file have been read.
  void reached(std::uint64_t bytes);
  // The present file is read; the next one begins.
  void finished(std::uint64_t bytes);

 private:
  void report(std::uint64_t done) const;

  progress_callback callback_;
  std::uint64_t total_ = 0;
  std::uint64_t before_ = 0;
  std::chrono::steady_clock::time_point last_;
};

// Lines end with LF or CR LF, the last one also with the file. A byte-order mark is passed over.
// Holds one buffer, which grows with the longest line.
class triple_lines {
 public:
  // The longest line. Three names of the greatest length fit in.
  static constexpr std::size_t max_line_bytes = std::size_t{1} << 22;

  triple_lines(const std::filesystem::path& file, reading_progress& progress);

  // The next line without its end. It stays until the next call, and the byte behind it is zero.
  // Throws invalid_format where a line is too long or holds a zero byte, and what input::read
  // throws.
  bool next(std::string_view& line);
  // Whether the next line is in the buffer, so that next() leaves the lines before it alone.
  bool has_buffered_line() const {
    return std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) != nullptr;
  }
  // Puts the zero byte behind the first `length` bytes of that line.
  void cut(std::size_t length) { buffer_[line_ + length] = '\0'; }
  // What has been read of the lines to come, before the first call of next().
  std::string_view peek() const { return {buffer_.data() + begin_, end_ - begin_}; }
  // Whether the file has no bytes at all.
  bool empty_file() const { return empty_file_; }

  // 1-based number of the line that next() gave last.
  std::uint64_t number() const { return number_; }
  // Throws invalid_format for that line, and a column of it (1-based) where that is not 0.
  [[noreturn]] void fail(const std::string& reason, std::size_t column = 0) const {
    fail_at(number_, reason, column);
  }
  // The same for an earlier line.
  [[noreturn]] void fail_at(std::uint64_t line, const std::string& reason,
                            std::size_t column = 0) const;
  // The file's name for messages.
  const std::string& file() const { return input_.name(); }

 private:
  // Reads on behind what is buffered. Returns whether anything came.
  bool fill();

  input input_;
  reading_progress& progress_;
  std::vector<char>
      buffer_;  // one byte longer than what is read, for the zero behind the last line
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t line_ = 0;  // where the line that next() gave last begins
  bool ended_ = false;
  bool empty_file_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace baltoro::io
