/// \file
/// \brief The version of this library.
#pragma once

namespace baltoro {

/// "major.minor.patch" of the library that is linked.
const char* version();

/// Whether the GPU backend was compiled in.
bool compiled_with_cuda();

}  // namespace baltoro
