// Tab-separated triples. The first byte chooses the options.
#include "check_triples.hpp"
#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const baltoro::fuzz::fuzz_file file(".tsv");
  if (size == 0) return 0;
  baltoro::read_options options;
  options.order = static_cast<baltoro::vertex_order>(data[0] & 3U);
  options.with_union = (data[0] & 4U) == 0;
  baltoro::fuzz::check_triples(file.write(data + 1, size - 1), options);
  return 0;
}
