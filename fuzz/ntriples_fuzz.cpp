// N-Triples, through serd.
#include "check_triples.hpp"
#include "fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const baltoro::fuzz::fuzz_file file(".nt");
  baltoro::fuzz::check_triples(file.write(data, size), {});
  return 0;
}
