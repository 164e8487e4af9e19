#include <baltoro/device.hpp>
#include <baltoro/error.hpp>
#include <baltoro/version.hpp>

namespace baltoro {

device resolve(device wanted) {
  if (wanted == device::automatic) return query_cuda().usable ? device::cuda : device::cpu;
  if (wanted != device::cuda) return device::cpu;
  if (!compiled_with_cuda()) {
    throw not_compiled("device cuda: " + query_cuda().reason +
                       "; rebuild it with BALTORO_CUDA=ON where nvcc is installed, or use cpu");
  }
  if (!query_cuda().usable) throw cuda_error("device cuda: " + query_cuda().reason);
  return device::cuda;
}

}  // namespace baltoro
