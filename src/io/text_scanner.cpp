#include "io/text_scanner.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace baltoro::io {
namespace {

constexpr std::size_t first_window_bytes = std::size_t{1} << 18;
constexpr auto report_interval = std::chrono::milliseconds(50);

}  // namespace

text_scanner::text_scanner(const std::filesystem::path& file, progress_callback progress)
    : input_(file),
      progress_(std::move(progress)),
      reported_(std::chrono::steady_clock::now()),
      window_(first_window_bytes + slack_bytes) {
  begin_ = end_ = window_.data();
  load();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (std::string_view(begin_, end_).substr(0, 3) == byte_order_mark) begin_ += 3;
}

bool text_scanner::refill() {
  if (begin_ == end_) load();
  return begin_ != end_;
}

// Moves the rest of the window, the start of a line, to its front and reads behind it until a line
// ends.
void text_scanner::load() {
  const std::size_t rest = filled_ - static_cast<std::size_t>(begin_ - window_.data());
  std::memmove(window_.data(), begin_, rest);
  filled_ = rest;
  begin_ = end_ = window_.data();
  std::size_t searched = rest;
  while (begin_ == end_ && !ended_) {
    if (filled_ > most_line_bytes) {
      ++lines_;
      fail("the line is longer than 1 MiB");
    }
    std::size_t capacity = window_.size() - slack_bytes;
    if (filled_ == capacity) {
      capacity *= 2;
      window_.resize(capacity + slack_bytes);
    }
    const std::size_t wanted = capacity - filled_;
    const std::size_t got = input_.read({window_.data() + filled_, wanted});
    filled_ += got;
    if (got < wanted) {
      ended_ = true;
      // There is room for the line feed: the window was not filled.
      if (filled_ > 0 && window_[filled_ - 1] != '\n') window_[filled_++] = '\n';
    }
    const void* last = ::memrchr(window_.data() + searched, '\n', filled_ - searched);
    searched = filled_;
    begin_ = end_ = window_.data();
    if (last != nullptr) end_ = static_cast<const char*>(last) + 1;
  }
  report(false);
}

bool text_scanner::next_line() {
  if (!refill()) return false;
  const char* stop =
      static_cast<const char*>(std::memchr(begin_, '\n', static_cast<std::size_t>(end_ - begin_)));
  line_ = {begin_, static_cast<std::size_t>(stop - begin_)};
  advance(stop + 1, 1);
  if (line_.size() > most_line_bytes) fail("the line is longer than 1 MiB");
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  return true;
}

void text_scanner::fail(const std::string& reason) const {
  throw invalid_format(input_.name(), lines_ == 0 ? std::string() : fmt::format("line {}", lines_),
                       reason);
}

void text_scanner::finish() { report(true); }

void text_scanner::report(bool last) {
  if (!progress_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!last && now - reported_ < report_interval) return;
  reported_ = now;
  progress_({"reading", input_.consumed_bytes(), input_.file_bytes(), "bytes"});
}

number_kind parse_number(std::string_view token, std::uint64_t& value) {
  const bool negative = token.size() > 1 && token.front() == '-';
  const char* first = token.data() + (negative ? 1 : 0);
  const char* last = token.data() + token.size();
  const auto [end, failure] = std::from_chars(first, last, value);
  if (failure == std::errc::invalid_argument || end != last) return number_kind::not_a_number;
  if (negative) return number_kind::negative;
  return failure == std::errc{} ? number_kind::good : number_kind::too_large;
}

std::string shown(std::string_view token) {
  constexpr std::size_t most_bytes = 40;
  std::string text = "'";
  for (const char c : token.substr(0, most_bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text + (token.size() > most_bytes ? "...'" : "'");
}

std::string index_problem(std::string_view token, std::string_view what, std::uint64_t first,
                          std::uint64_t last, std::uint64_t& value) {
  switch (parse_number(token, value)) {
    case number_kind::not_a_number:
      return fmt::format("{} {} is not a number", what, shown(token));
    case number_kind::negative:
      return fmt::format("{} {} is negative", what, shown(token));
    case number_kind::too_large:
      return fmt::format("{} {} is too large", what, shown(token));
    case number_kind::good:
      break;
  }
  if (value < first) return fmt::format("{} {} is below {}", what, value, first);
  if (value > last) return fmt::format("{} {} exceeds {}", what, value, last);
  return {};
}

}  // namespace baltoro::io
