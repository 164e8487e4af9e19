// Whether bytes that claim to be an adaptive matrix are one.
#pragma once

#include <baltoro/adaptive.hpp>

#include <string>

namespace baltoro::format {

// Checks the numbers that decide how much memory is read: counts that fit each other, widths of the
// classes. Immediate. Returns what is wrong, or an empty string.
std::string check_adaptive_numbers(const adaptive_view& a);

// Checks everything else: see matrix::validate. Parallel; decodes every container once. \pre
// check_adaptive_numbers passed and the pointers are good for the sizes it vouches for.
std::string check_adaptive(const adaptive_view& a);

}  // namespace baltoro::format
