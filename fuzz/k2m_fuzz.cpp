// A .k2m file of any bytes: loaded, and where it is accepted, asked and multiplied. A first byte of
// 'm' stands for a file whose checksums have been mended, so that what lies behind them is reached
// too.
#include <baltoro/k2m.hpp>
#include <baltoro/product.hpp>

#include <cstring>
#include <vector>

#include <xxhash.h>

#include "io/k2m_layout.hpp"
#include "reader_support.hpp"

namespace {

using namespace baltoro;
using namespace baltoro::io::k2m;

void mend(std::vector<std::uint8_t>& bytes) {
  header head{};
  if (bytes.size() < sizeof head) return;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.sections > (bytes.size() - sizeof head) / sizeof(section)) return;
  head.file_bytes = bytes.size();
  std::vector<section> table(head.sections);
  if (table.empty()) return;
  std::memcpy(table.data(), bytes.data() + sizeof head, table.size() * sizeof(section));
  for (section& s : table) {
    if (s.offset <= bytes.size() && s.bytes <= bytes.size() - s.offset) {
      s.checksum = XXH3_64bits(bytes.data() + s.offset, s.bytes);
    }
  }
  std::memcpy(bytes.data() + sizeof head, table.data(), table.size() * sizeof(section));
  head.checksum = checksum_of(head, table);
  std::memcpy(bytes.data(), &head, sizeof head);
}

void use(const matrix& a) {
  std::uint64_t cells = 0;
  a.for_each([&](std::span<const edge> batch) {
    for (const edge& e : batch) {
      if (e.row >= a.rows() || e.col >= a.cols()) std::abort();
    }
    cells += batch.size();
  });
  if (cells != a.nnz()) std::abort();
  if (a.cells({0, 0, a.rows(), a.cols()}).size() != cells) std::abort();
  a.for_each([&](std::span<const edge> batch) {
    const edge& e = batch.front();
    if (!a.contains(e.row, e.col) || a.successors(e.row).empty()) std::abort();
  });
  if (a.rows() > 5000 || a.cols() > 5000) return;  // vectors that large say nothing more
  plan<double> product(a, {});
  const std::vector<double> x(product.x_size(), 1.0);
  std::vector<double> y(product.y_size());
  product.run(x, y);
  double sum = 0;
  for (const double v : y) sum += v;
  if (sum != static_cast<double>(a.nnz())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  if (!bytes.empty() && bytes[0] == 'm') {
    bytes.erase(bytes.begin());
    mend(bytes);
  }
  const fuzz::memory_file file(bytes.data(), bytes.size());
  try {
    const graph g = load_k2m(file.path());
    for (const relation& r : g.relations) use(r.adjacency);
    for (index_t i = 0; i < g.vertices.size(); ++i) {
      if (g.vertices[i].size() > size) std::abort();
    }
  } catch (const error&) {
  }
  try {
    load_k2m(file.path(), check::header);
  } catch (const error&) {
  }
  return 0;
}
