#pragma once

#include <algorithm>
#include <cstring>

#include <cuda_runtime.h>

namespace cub {

// Two arrays, of which one holds what there is.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

// Sorts by the bits [begin_bit, end_bit), what is equal in them stays in order. The other buffer is overwritten,
// and every second sort leaves its result there.
struct DeviceRadixSort {
  // Above so many keys it wants much more to work in, as the real one does.
  static constexpr int leap = 9000;

  template <class Key, class Count>
  static cudaError_t SortKeys(void* storage, std::size_t& storage_bytes, DoubleBuffer<Key>& keys,
                              Count count, int begin_bit, int end_bit, cudaStream_t stream) {
    if (begin_bit < 0 || end_bit > static_cast<int>(8 * sizeof(Key)) || begin_bit > end_bit) {
      return cudaErrorInvalidValue;
    }
    if (storage == nullptr) {
      storage_bytes = count <= leap ? 1 : 1 << 16;
      return cudaSuccess;
    }
    static bool moves = false;
    moves = !moves;
    Key* const from = keys.Current();
    if (moves) keys.selector ^= 1;
    Key* const to = keys.Current();
    Key* const other = keys.Alternate();
    gpu_emulation::enqueue(stream, [=] {
      const int bits = end_bit - begin_bit;
      const Key mask = bits == static_cast<int>(8 * sizeof(Key)) ? ~Key{0} : (Key{1} << bits) - 1;
      const auto digits = [=](Key key) {
        return bits == 0 ? Key{0} : static_cast<Key>(key >> begin_bit) & mask;
      };
      if (to != from) std::copy(from, from + count, to);
      std::stable_sort(to, to + count, [&](Key a, Key b) { return digits(a) < digits(b); });
      std::memset(other, 0xA5, static_cast<std::size_t>(count) * sizeof(Key));
    });
    return cudaSuccess;
  }
};

}  // namespace cub
