#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/version.hpp>

namespace baltoro {

#if !defined(BALTORO_WITH_CUDA)
const cuda_status& query_cuda() {
  static const cuda_status status{false, "this build of Baltoro has no GPU backend"};
  return status;
}
#endif

device resolve(device wanted) {
  if (wanted != device::cuda) return device::cpu;
  if (!compiled_with_cuda()) {
    throw not_compiled("device cuda: " + query_cuda().reason +
                       "; rebuild it with BALTORO_CUDA=ON where nvcc is installed, or use cpu");
  }
  if (!query_cuda().usable) throw cuda_error("device cuda: " + query_cuda().reason);
  throw not_compiled("device cuda: this version multiplies on the CPU only; use cpu");
}

}  // namespace baltoro
