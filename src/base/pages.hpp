// Pages: of mapped files and their return to the system, and large ones.
#pragma once

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace baltoro::base {

// Bytes after which a pass over a mapped file gives back what it has passed.
inline constexpr std::uint64_t release_step_bytes = 8ULL << 20U;

// Gives back the whole pages in a range of a mapping of a file. What was written stays in the file
// and is read again when it is touched. Never to be called on memory that is no mapping of a file.
inline void release_pages(const void* begin, std::uint64_t bytes) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uint64_t>(begin);
  const std::uint64_t first = (address + page - 1) / page * page;
  const std::uint64_t last = (address + bytes) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

// Asks for large pages for memory that is about to be written, so that it takes fewer faults. It is a wish: where
// the system knows none, or the range is small, nothing happens.
inline void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::uint64_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::uint64_t large = 2ULL << 20U;
  const auto address = reinterpret_cast<std::uint64_t>(begin);
  const std::uint64_t first = (address + large - 1) / large * large;
  const std::uint64_t last = (address + bytes) / large * large;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace baltoro::base
