// From leaves to an adaptive matrix, on the device: counts patterns while leaves come, then encodes all of them.
//
// Where all leaves came at once and take no more than half of the workspace they stay on the device; else they are
// kept on the host and come back in batches that a host who knows the squares too large for one has cut.
#pragma once

#include <baltoro/builder.hpp>
#include <baltoro/matrix.hpp>

#include <cstdint>
#include <functional>
#include <memory>

#include "base/stored_array.hpp"
#include "cuda/build/containers.hpp"
#include "cuda/build/staging.hpp"
#include "cuda/build/workspace.hpp"
#include "format/adaptive/encoder.hpp"
#include "format/adaptive/pattern_count.hpp"

namespace baltoro::cuda {

class leaf_encoder {
 public:
  leaf_encoder(workspace& space, staging& transfer, cudaStream_t stream,
               const build_options& options, const base::array_place& place);

  // Takes leaves that follow those before: codes in array 1, patterns in array 2 of the workspace. `only_ones`
  // where there are no others.
  void add(std::uint64_t leaves, std::uint64_t cells, bool only_ones);

  matrix finish(shape dims);

 private:
  // Consecutive leaves that go to the device together, and what is cut of them already.
  struct batch {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::vector<leaf_square> squares;
    std::vector<std::uint32_t> starts;
  };

  void count_patterns(std::uint64_t* patterns, std::uint64_t* other, std::uint64_t* third,
                      std::uint64_t leaves);
  std::uint64_t code_at(std::uint64_t leaf) const;
  void encode_all(const format::dictionary& words, format::container_writer& writer);
  void encode(const batch& some, const format::dictionary& words, const container_space& space,
              format::container_writer& writer);

  workspace& space_;
  staging& transfer_;
  cudaStream_t stream_;
  const build_options& options_;
  base::array_place place_;
  format::pattern_counts counts_;
  bool resident_ = false;
  base::stored_array<std::uint64_t> codes_;
  base::stored_array<std::uint64_t> patterns_;
  std::uint64_t leaves_ = 0;
  std::uint64_t cells_ = 0;
};

}  // namespace baltoro::cuda
