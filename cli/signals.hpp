// What happens when the user interrupts a command, or whoever reads its output goes away.
#pragma once

namespace baltoro::cli {

// Opens /dev/null in place of standard streams that are closed. Call before any file is opened.
void open_standard_descriptors();

// From now on the signals that end a process remove unfinished outputs and then end the
// process the way they would have anyhow. Signals that the parent chose to ignore stay
// ignored. A file size limit becomes an error of the write; a mapped file that is cut short ends the
// process with a reason and exit code 1.
void install_signal_handlers();

// Whether a progress bar stands on the terminal, which a signal should then wipe away.
void set_bar_shown(bool shown);

}  // namespace baltoro::cli
