// Building a matrix on a GPU.
//
// Edges are uploaded, turned into keys, sorted and rid of duplicates in parts as large as the workspace. Where one
// part is all there is, it stays on the device. Otherwise parts become runs on the host, and the key space is cut
// into ranges that hold as many keys as the workspace, exactly, by searching the runs; each range is merged on the
// device by sorting once more. So every edge crosses the bus three times, however small the workspace is.
#pragma once

#include <baltoro/builder.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace baltoro::cuda {

class construction {
 public:
  // `at_once` is how many edges may come together: more than that, or than the budget lets in, become runs.
  // Throws out_of_memory where the budget is too small for them.
  construction(const build_options& options, std::uint64_t at_once);
  ~construction();

  // Adds edges in memory of the host or the device. Throws invalid_argument where one lies outside the shape that
  // the options give.
  void add_edges(std::span<const edge> edges);
  // Adds cells by their Morton codes, which have been checked.
  void add_keys(std::span<const std::uint64_t> keys);

  // The shape that holds all edges so far.
  shape seen() const;

  // Builds the matrix.
  matrix finish(shape dims);

  static build_memory needs(const build_options& options, std::uint64_t edges);

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace baltoro::cuda
