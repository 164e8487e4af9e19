#include <baltoro/version.hpp>

namespace baltoro {

const char* version() { return BALTORO_VERSION; }

bool compiled_with_cuda() {
#if defined(BALTORO_WITH_CUDA)
  return true;
#else
  return false;
#endif
}

}  // namespace baltoro
