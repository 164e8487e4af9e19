#include "progress_display.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "signals.hpp"
#include "text.hpp"

namespace baltoro::cli {
namespace {

constexpr auto bar_interval = std::chrono::milliseconds(100);
constexpr auto line_interval = std::chrono::seconds(5);

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool smart_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

// Progress that cannot be shown is no reason to stop.
void write_error(std::string_view text) {
  const ::ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

std::string amount(std::uint64_t count, std::string_view unit) {
  return unit == "bytes" ? size_text(count) : fmt::format("{} {}", grouped(count), unit);
}

double share(const progress_event& event) {
  return std::clamp(static_cast<double>(event.done) / static_cast<double>(event.total), 0.0, 1.0);
}

}  // namespace

progress_display::progress_display(bool quiet) {
  if (!quiet) style_ = smart_terminal() ? style::bar : style::lines;
  next_ = clock::now() + (style_ == style::bar ? clock::duration(bar_interval) : line_interval);
}

progress_callback progress_display::callback() {
  if (style_ == style::none) return {};
  return [this](const progress_event& event) { show(event); };
}

bool progress_display::due() {
  if (style_ == style::none) return false;
  const auto now = clock::now();
  if (now < next_) return false;
  next_ = now + (style_ == style::bar ? clock::duration(bar_interval) : line_interval);
  return true;
}

void progress_display::show(const progress_event& event) {
  if (!due()) return;
  std::string text(event.stage);
  if (event.total == 0) {
    if (event.done > 0) text += fmt::format(" {}", amount(event.done, event.unit));
  } else if (style_ == style::bar) {
    constexpr std::size_t cells = 30;
    const auto full = static_cast<std::size_t>(share(event) * cells);
    text = fmt::format("{:<10} [{}{}] {:3.0f}%  {}", text, std::string(full, '#'),
                       std::string(cells - full, '.'), 100 * share(event),
                       amount(event.total, event.unit));
  } else {
    text += fmt::format(" {:.0f}% of {}", 100 * share(event), amount(event.total, event.unit));
  }
  draw(text);
}

void progress_display::status(std::string_view text) {
  if (due()) draw(std::string(text));
}

void progress_display::draw(const std::string& text) {
  if (style_ == style::lines) {
    write_error(fmt::format("baltoro: {}\n", text));
    return;
  }
  set_bar_shown(true);
  write_error(fmt::format("\r{}\x1b[K", text.substr(0, terminal_width() - 1)));
  drawn_ = true;
}

void progress_display::clear() {
  if (!drawn_) return;
  write_error("\r\x1b[K");
  drawn_ = false;
  set_bar_shown(false);
}

}  // namespace baltoro::cli
