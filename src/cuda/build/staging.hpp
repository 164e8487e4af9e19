// Copies between a device and memory of the host that is not pinned: through two small pinned buffers, in turn,
// which all threads fill or empty while the device copies the other. The driver's own way takes one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "cuda/device_memory.hpp"

namespace baltoro::cuda {

class staging {
 public:
  explicit staging(cudaStream_t stream) : stream_(stream) {}
  ~staging();  // waits for the copies that were begun
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;

  // Copies to the device. What `from` holds may be changed afterwards, unless the memory is pinned or the
  // device's: then not before the stream has been waited for.
  void upload(void* to, const void* from, std::uint64_t bytes);
  // Hands over what is on the device, in order, a buffer at a time.
  void download(const void* from, std::uint64_t bytes,
                const std::function<void(std::span<const std::byte>)>& take);
  // Copies to the host.
  void download(void* to, const void* from, std::uint64_t bytes);

 private:
  struct buffer {
    pinned_memory memory;
    cudaEvent_t copied = nullptr;
    bool busy = false;
  };

  static constexpr std::uint64_t buffer_bytes = std::uint64_t{32} << 20U;

  void make_room(std::uint64_t bytes);
  void begin(buffer& b, void* to, const void* from, std::uint64_t bytes, bool upload);
  void wait(buffer& b);

  cudaStream_t stream_;
  std::array<buffer, 2> buffers_;
  std::uint64_t capacity_ = 0;
  unsigned next_ = 0;
};

}  // namespace baltoro::cuda
