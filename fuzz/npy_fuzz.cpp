// NumPy's .npy files.
#include <baltoro/error.hpp>
#include <baltoro/npy.hpp>

#include <cstdlib>
#include <variant>

#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const baltoro::fuzz::fuzz_file file(".npy");
  try {
    const baltoro::npy_numbers numbers = baltoro::read_npy(file.write(data, size));
    std::visit(
        [&](const auto& array) {
          if (array.values.size() != array.rows * array.batch) std::abort();
          if (array.values.size() > size) std::abort();
        },
        numbers);
  } catch (const baltoro::error&) {
    return 0;
  }
  return 0;
}
