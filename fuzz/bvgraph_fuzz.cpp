// A BVGraph from three lengths and three files: 2 bytes each (low byte first) say how long the
// properties and the offsets are, then come properties, offsets and graph.
#include <baltoro/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include <tbb/global_control.h>
#include <unistd.h>

#include "io/readers.hpp"

namespace {

// A few bytes can say a dense graph of millions of edges; that much of it is enough.
class bounded_sink : public baltoro::io::edge_sink {
 public:
  void add(std::span<const baltoro::edge> edges) override {
    count += edges.size();
    for (const baltoro::edge& e : edges) {
      if (!first_ && !(last_ < e)) std::abort();
      last_ = e;
      first_ = false;
    }
    if (count > 1'000'000) throw baltoro::invalid_argument("enough");
  }

  std::uint64_t count = 0;

 private:
  baltoro::edge last_;
  bool first_ = true;
};

class scratch_files {
 public:
  scratch_files() {
    std::string pattern = (std::filesystem::temp_directory_path() / "baltoro-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  ~scratch_files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  void write(const char* name, std::span<const std::uint8_t> bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  std::filesystem::path base() const { return folder_ / "g"; }

 private:
  std::filesystem::path folder_;
};

std::uint64_t read_with(std::size_t threads, const std::filesystem::path& base) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  bounded_sink sink;
  try {
    baltoro::io::read_bvgraph(base, sink, {});
  } catch (const baltoro::error&) {
    return UINT64_MAX;
  }
  return sink.count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scratch_files files;
  if (size < 4) return 0;
  std::span<const std::uint8_t> rest(data + 4, size - 4);
  const auto take = [&](std::size_t count) {
    const auto part = rest.first(std::min(count, rest.size()));
    rest = rest.subspan(part.size());
    return part;
  };
  files.write("g.properties", take(data[0] + 256U * data[1]));
  files.write("g.offsets", take(data[2] + 256U * data[3]));
  files.write("g.graph", rest);
  // Whether offsets are used must make no difference.
  if (read_with(1, files.base()) != read_with(2, files.base())) std::abort();
  return 0;
}
