// Whether there is memory for what a command is about to hold.
#pragma once

#include <string>

namespace baltoro::cli {

// Throws out_of_memory where the system says that it has less than this many bytes to give. Without
// such a look, it would promise them all the same and end the process when they are used.
void require_memory(const std::string& what, double bytes, const std::string& advice);

}  // namespace baltoro::cli
