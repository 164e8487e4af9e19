// Sorting Morton codes: the step that decides how fast a matrix is built.
//
// A sample sort: splitters drawn from the data cut it into buckets of about equal size, each bucket
// is sorted in place with Highway's VQSort, buckets in parallel. Codes that are equal share a
// bucket.
#pragma once

#include <baltoro/types.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/pages.hpp"

namespace baltoro::core {

// Codes without the cost of setting them to zero first.
struct code_array {
  std::unique_ptr<std::uint64_t[]> data;
  std::size_t size = 0;

  code_array() = default;
  explicit code_array(std::size_t count)
      : data(std::make_unique_for_overwrite<std::uint64_t[]>(count)), size(count) {
    base::prefer_large_pages(data.get(), count * sizeof(std::uint64_t));
  }
  std::span<std::uint64_t> span() { return {data.get(), size}; }
};

// Gives the input of a sort, piece by piece. A piece has count(piece) codes; load() gives any range
// of them, is called from any thread and more than once. release(piece) is called after the last
// load.
struct sort_input {
  std::size_t pieces = 0;
  std::function<std::size_t(std::size_t piece)> count;
  std::function<void(std::size_t piece, std::size_t first, std::span<std::uint64_t> into)> load;
  std::function<void(std::size_t piece)> release = [](std::size_t) {};
};

// The codes of `input`, ascending, duplicates kept. Holds 9 bytes a code and what the input holds.
code_array sort_codes(const sort_input& input);

// The Morton codes of edges, ascending.
code_array sort_codes(std::span<const edge> edges);

// Sorts in place, on one thread.
void sort_codes_in_place(std::span<std::uint64_t> codes);

}  // namespace baltoro::core
