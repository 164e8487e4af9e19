// From ascending Morton codes of cells, or from their leaves, to an adaptive matrix.
#pragma once

#include <baltoro/adaptive.hpp>
#include <baltoro/progress.hpp>

#include <cstdint>
#include <memory>
#include <span>

#include "base/stored_array.hpp"
#include "format/adaptive/dictionary.hpp"
#include "format/adaptive/leaves.hpp"

namespace baltoro::format {

// The arrays behind a view.
struct adaptive_arrays {
  explicit adaptive_arrays(const base::array_place& place = {})
      : places(place), starts(place), start_bases(place), payload(place), dictionary(place) {}

  base::stored_array<std::uint64_t> places;
  base::stored_array<std::uint16_t> starts;
  base::stored_array<std::uint64_t> start_bases;
  base::stored_array<std::uint32_t> payload;
  base::stored_array<std::uint64_t> dictionary;
  adaptive_view view;  // of these arrays
};

// Puts the arrays of a matrix together from payloads, container after container.
class container_writer {
 public:
  explicit container_writer(adaptive_arrays& into) : into_(into) {}
  // The next container: its place, and where its payload begins.
  void begin(std::uint64_t place, std::uint64_t begin);
  // Appends words of payloads.
  void append(std::span<const std::uint32_t> words) {
    into_.payload.append(words);
    words_ += words.size();
  }
  // Says about how many words there will be.
  void expect(std::uint64_t words) { into_.payload.expect(words); }
  // Words so far.
  std::uint64_t words() const { return words_; }
  // Finishes the arrays and sets the view. What is counted is said here.
  void finish(shape dims, std::uint64_t cells, std::uint64_t leaves, dictionary patterns);

 private:
  adaptive_arrays& into_;
  std::uint64_t containers_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t words_ = 0;
};

struct encode_options {
  std::uint32_t most_leaves = adaptive_view::max_leaves;  // of a container
  base::array_place place{};     // of everything that grows with the leaves
  progress_callback progress{};  // counts leaves
};

// Encodes leaves. Parallel; the same on any number of threads. Holds the leaves, 16 bytes each, and what
// count_patterns() does, then the leaves and the result.
std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, leaf_list leaves,
                                                 const encode_options& options = {});

// Encodes cells whose codes ascend and may repeat.
std::unique_ptr<adaptive_arrays> encode_adaptive(shape dims, std::span<const std::uint64_t> codes,
                                                 const encode_options& options = {});

}  // namespace baltoro::format
