// Any bytes as a file that may be compressed: steps of different sizes must give the same bytes, or
// the same refusal.
#include <string>
#include <vector>

#include "io/input.hpp"
#include "reader_support.hpp"

namespace {

// What could be read in whole steps, and the refusal after it if there was one. A small file can
// unpack to much, so reading ends after 4 MiB.
std::string read_all(const baltoro::fuzz::memory_file& file, std::size_t step) {
  constexpr std::size_t most_bytes = std::size_t{1} << 22;
  std::string all;
  try {
    baltoro::io::input in(file.path());
    std::vector<char> buffer(step);
    while (all.size() < most_bytes) {
      const std::size_t got = in.read(buffer);
      all.append(buffer.data(), got);
      if (got < step) return all;
    }
  } catch (const baltoro::invalid_format&) {
    return "refused";
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const baltoro::fuzz::memory_file file(data, size);
  const std::string whole = read_all(file, std::size_t{1} << 22);
  if (whole != read_all(file, std::size_t{1} << 12)) std::abort();
  return 0;
}
