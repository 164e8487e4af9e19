#include "memory.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>

namespace baltoro::cli {
namespace {

// Bytes that programs can have, as Linux estimates them; nothing where it does not say.
std::optional<std::uint64_t> available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  for (std::string unit; file >> key >> kibibytes;) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::nullopt;
}

}  // namespace

void require_memory(const std::string& what, double bytes, const std::string& advice) {
  const auto available = available_bytes();
  if (available && bytes > static_cast<double>(*available)) {
    throw out_of_memory(what, static_cast<std::uint64_t>(std::min(bytes, 0x1p63)), *available,
                        advice);
  }
}

}  // namespace baltoro::cli
