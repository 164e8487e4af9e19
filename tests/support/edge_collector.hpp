// A sink that keeps what it is given.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include "io/readers.hpp"

namespace baltoro::test {

class edge_collector final : public io::edge_sink {
 public:
  void add(std::span<const edge> batch) override {
    edges.insert(edges.end(), batch.begin(), batch.end());
  }
  std::vector<edge> edges;
};

// Counts edges and adds up row * cols + col.
class edge_checksum final : public io::edge_sink {
 public:
  explicit edge_checksum(std::uint64_t cols) : cols_(cols) {}
  void add(std::span<const edge> batch) override {
    count += batch.size();
    for (const edge one : batch) sum += one.row * cols_ + one.col;
  }
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

 private:
  std::uint64_t cols_;
};

}  // namespace baltoro::test

namespace baltoro {

// How GoogleTest prints an edge; it looks for this beside the type.
inline void PrintTo(const edge& one, std::ostream* out) {
  *out << '(' << one.row << ',' << one.col << ')';
}

}  // namespace baltoro
