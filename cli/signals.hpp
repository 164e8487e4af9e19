// What happens when the user interrupts a command, or whoever reads its output goes away.
#pragma once

namespace baltoro::cli {

// From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove unfinished outputs and then end the
// process the way they would have anyhow. Signals that the parent chose to ignore stay ignored.
void install_signal_handlers();

// Whether a progress bar stands on the terminal, which a signal should then wipe away.
void set_bar_shown(bool shown);

}  // namespace baltoro::cli
