#include "io/triple_lines.hpp"

#include <baltoro/error.hpp>

#include <cstring>
#include <system_error>

#include <fmt/format.h>

namespace baltoro::io {

namespace {

constexpr std::size_t first_buffer_bytes = std::size_t{1} << 18;

}  // namespace

reading_progress::reading_progress(std::span<const std::filesystem::path> files,
                                   progress_callback callback)
    : callback_(std::move(callback)) {
  if (!callback_) return;
  for (const auto& file : files) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(file, unknown);
    if (unknown) {  // a pipe: nobody knows the total
      total_ = 0;
      return;
    }
    total_ += bytes;
  }
}

void reading_progress::reached(std::uint64_t bytes) {
  if (!callback_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(20)) return;
  last_ = now;
  report(before_ + bytes);
}

void reading_progress::finished(std::uint64_t bytes) {
  before_ += bytes;
  if (callback_ && before_ == total_) report(before_);
}

void reading_progress::report(std::uint64_t done) const {
  callback_({.stage = "reading", .done = done, .total = total_, .unit = "bytes"});
}

triple_lines::triple_lines(const std::filesystem::path& file, reading_progress& progress)
    : input_(file), progress_(progress), buffer_(first_buffer_bytes + 1) {
  empty_file_ = !fill();
  if (peek().starts_with("\xEF\xBB\xBF")) begin_ = 3;
}

bool triple_lines::fill() {
  if (ended_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + 1 == buffer_.size()) {
    if (end_ > max_line_bytes) {
      ++number_;
      fail(fmt::format("the line is longer than {} bytes", max_line_bytes));
    }
    buffer_.resize(2 * end_ + 1);
  }
  const std::span<char> room(buffer_.data() + end_, buffer_.size() - 1 - end_);
  const std::size_t got = input_.read(room);
  ended_ = got < room.size();
  end_ += got;
  if (ended_) {
    progress_.finished(input_.consumed_bytes());
  } else {
    progress_.reached(input_.consumed_bytes());
  }
  return got > 0;
}

bool triple_lines::next(std::string_view& line) {
  std::size_t searched = 0;
  char* end = nullptr;
  while (true) {
    char* begin = buffer_.data() + begin_;
    end = static_cast<char*>(std::memchr(begin + searched, '\n', end_ - begin_ - searched));
    if (end != nullptr) break;
    searched = end_ - begin_;
    if (fill()) continue;
    if (begin_ == end_) return false;
    end = buffer_.data() + end_;
    break;
  }
  ++number_;
  const char* begin = buffer_.data() + begin_;
  auto length = static_cast<std::size_t>(end - begin);
  begin_ = std::min(end_, begin_ + length + 1);
  if (length > max_line_bytes) {
    fail(fmt::format("the line is longer than {} bytes", max_line_bytes));
  }
  if (const void* zero = std::memchr(begin, '\0', length); zero != nullptr) {
    const auto column = static_cast<std::size_t>(static_cast<const char*>(zero) - begin) + 1;
    fail("a zero byte; this is not a text file, or not in UTF-8", column);
  }
  if (length > 0 && begin[length - 1] == '\r') --length;
  line_ = static_cast<std::size_t>(begin - buffer_.data());
  cut(length);
  line = {begin, length};
  return true;
}

void triple_lines::fail_at(std::uint64_t line, const std::string& reason,
                           std::size_t column) const {
  throw invalid_format(
      file(),
      column == 0 ? fmt::format("line {}", line) : fmt::format("line {}, column {}", line, column),
      reason);
}

}  // namespace baltoro::io
