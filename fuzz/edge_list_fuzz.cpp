// Any bytes as an edge list. The first byte chooses the options.
#include "reader_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace baltoro;
  if (size == 0) return 0;
  read_options options;
  options.index_base = data[0] & 1U;
  options.skip_lines = data[0] >> 1 & 3U;
  if ((data[0] & 8U) != 0) options.build.dims = shape{10, 7};
  const fuzz::memory_file file(data + 1, size - 1);
  fuzz::checking_sink sink;
  try {
    if (io::read_edge_list(file.path(), sink, options)) std::abort();
    if (options.build.dims && (sink.rows > 10 || sink.cols > 7)) std::abort();
  } catch (const invalid_format&) {
  }
  return 0;
}
