// Edges on their way from a reader to a sink, in batches.
#pragma once

#include <span>
#include <vector>

#include "io/readers.hpp"

namespace baltoro::io {

class edge_batch {
 public:
  explicit edge_batch(edge_sink& sink) : sink_(sink), edges_(capacity) {}

  void add(edge one) {
    edges_[size_++] = one;
    if (size_ == capacity) flush();
  }
  // Hands over what is left. Not done by the destructor: after an error nobody wants it.
  void flush() {
    const std::size_t size = size_;
    size_ = 0;
    if (size > 0) sink_.add(std::span<const edge>(edges_.data(), size));
  }

 private:
  static constexpr std::size_t capacity = 16'384;

  edge_sink& sink_;
  std::vector<edge> edges_;
  std::size_t size_ = 0;
};

}  // namespace baltoro::io
