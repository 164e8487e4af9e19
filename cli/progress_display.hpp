// How far a long command is, on standard error: a bar that redraws itself on a terminal, now and
// then a plain line elsewhere (none in the first seconds, so that short runs stay silent), nothing
// with --quiet.
#pragma once

#include <baltoro/progress.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace baltoro::cli {

class progress_display {
 public:
  explicit progress_display(bool quiet);
  ~progress_display() { clear(); }
  progress_display(const progress_display&) = delete;
  progress_display& operator=(const progress_display&) = delete;

  // For operations of the library. Refers to this object; empty where nothing is to be shown.
  progress_callback callback();
  // Shows a text of its own, as often as the display allows.
  void status(std::string_view text);
  // Takes the bar away, before something else is printed.
  void clear();

 private:
  using clock = std::chrono::steady_clock;
  enum class style { none, bar, lines };

  bool due();
  void show(const progress_event& event);
  void draw(const std::string& text);

  style style_ = style::none;
  bool drawn_ = false;
  clock::time_point next_;
};

}  // namespace baltoro::cli
