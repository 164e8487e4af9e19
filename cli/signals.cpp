#include "signals.hpp"

#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "io/output.hpp"

namespace baltoro::cli {
namespace {

std::atomic<bool> bar_shown{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void end_by_signal(int signal) {
  io::remove_unfinished_outputs();
  if (bar_shown) {
    constexpr std::string_view wipe = "\r\x1b[K";
    const ::ssize_t ignored = ::write(STDERR_FILENO, wipe.data(), wipe.size());
    static_cast<void>(ignored);
  }
  // The handler was installed for one signal (SA_RESETHAND), so this one ends the process.
  std::raise(signal);
}

}  // namespace

void install_signal_handlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction wanted {};
    wanted.sa_handler = end_by_signal;
    wanted.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&wanted.sa_mask);
    ::sigaction(signal, &wanted, nullptr);
  }
}

void set_bar_shown(bool shown) { bar_shown = shown; }

}  // namespace baltoro::cli
