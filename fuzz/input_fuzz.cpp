// Any bytes as a file that may be compressed: steps of different sizes must give the same bytes, or
// the same refusal.
#include <string>
#include <vector>

#include "io/input.hpp"
#include "reader_support.hpp"

namespace {

// A small file can unpack to much, so reading ends after this; it is enough to get the thread going
// that unpacks long files.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

// What is read in steps of `step` bytes, "refused" where the file is.
std::string read_all(const baltoro::fuzz::memory_file& file, std::size_t step) {
  static std::vector<char> buffer(most_bytes);
  std::string all;
  try {
    baltoro::io::input in(file.path());
    while (all.size() < most_bytes) {
      const std::size_t got = in.read({buffer.data(), step});
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
  const std::string whole = read_all(file, most_bytes);
  if (whole != read_all(file, std::size_t{1} << 12)) std::abort();
  return 0;
}
