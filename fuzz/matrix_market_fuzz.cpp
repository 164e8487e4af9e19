// Any bytes as a Matrix Market file: refused, or read with every edge inside the stated shape.
#include "reader_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace baltoro;
  const fuzz::memory_file file(data, size);
  fuzz::checking_sink sink;
  try {
    const auto dims = io::read_matrix_market(file.path(), sink, {});
    if (!dims || sink.rows > dims->rows || sink.cols > dims->cols) std::abort();
  } catch (const invalid_format&) {
  }
  return 0;
}
