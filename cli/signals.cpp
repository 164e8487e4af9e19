#include "signals.hpp"

#include <atomic>
#include <csignal>
#include <string_view>

#include <fcntl.h>
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

// A mapped file that another process cuts short while it is used.
void end_by_lost_file(int) {
  io::remove_unfinished_outputs();
  constexpr std::string_view reason =
      "baltoro: a file that is being used became shorter or cannot be read any more\n";
  const ::ssize_t ignored = ::write(STDERR_FILENO, reason.data(), reason.size());
  static_cast<void>(ignored);
  ::_exit(1);
}

}  // namespace

void open_standard_descriptors() {
  // Otherwise an output file could get the number of standard error, and messages would go into it.
  int opened = 0;
  do {
    opened = ::open("/dev/null", O_RDWR);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened > STDERR_FILENO) ::close(opened);
}

void install_signal_handlers() {
  // A file size limit is then an error of the write, with a name and a reason.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGBUS, end_by_lost_file);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGALRM, SIGXCPU}) {
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
