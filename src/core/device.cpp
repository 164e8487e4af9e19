#include <baltoro/device.hpp>
#include <baltoro/error.hpp>

namespace baltoro {

#if !defined(BALTORO_WITH_CUDA)
const cuda_status& query_cuda() {
  static const cuda_status status{false, "this build of Baltoro has no GPU backend"};
  return status;
}
#endif

device resolve(device wanted) {
  switch (wanted) {
    case device::automatic:
      return query_cuda().usable ? device::cuda : device::cpu;
    case device::cpu:
      return device::cpu;
    case device::cuda:
      break;
  }
#if !defined(BALTORO_WITH_CUDA)
  throw not_compiled(
      "device cuda: " + query_cuda().reason +
      "; rebuild it with BALTORO_CUDA=ON where nvcc is installed, or use the device cpu");
#else
  if (!query_cuda().usable) throw cuda_error("device cuda: " + query_cuda().reason);
  return device::cuda;
#endif
}

}  // namespace baltoro
