/// \file
/// \brief Choices and memory of the GPU engine. Needs no CUDA header, and is there in every build.
///
/// The engine is the paper's (sections 3.1 to 3.6): the tree is descended level by level, one thread
/// a node, and what a thread knows of its node is a 64-bit Morton code. Every choice of the paper can
/// be set here; the defaults are the paper's.
#pragma once

#include <cstdint>
#include <memory>

struct CUstream_st;  // what a cudaStream_t points to

namespace baltoro {

/// A cudaStream_t; nullptr is the default stream.
using cuda_stream = CUstream_st*;

/// How much of the traversal is kept on the device between products (paper, 3.5).
enum class cuda_configuration : std::uint32_t {
  tree_only,        ///< the tree, its directory and the codes of one top level: the fewest bytes
  cached_frontier,  ///< also the codes of the last internal level, 8 bytes a node: one kernel a
                    ///< product
};

/// The name of a configuration as users write it.
constexpr const char* name_of(cuda_configuration configuration) {
  switch (configuration) {
    case cuda_configuration::tree_only:
      return "tree_only";
    case cuda_configuration::cached_frontier:
      return "cached_frontier";
  }
  return "unknown";
}

/// Where a node's first child is learned from (paper, 3.2).
enum class child_offsets : std::uint32_t {
  automatic,  ///< directory for one vector, scan for a batch
  directory,  ///< one sample and at most S / 16 popcounts a node
  scan,       ///< one exclusive scan of the fan-outs a tile, fed straight from the signatures
};

/// The name of a source of offsets as users write it.
constexpr const char* name_of(child_offsets offsets) {
  switch (offsets) {
    case child_offsets::automatic:
      return "automatic";
    case child_offsets::directory:
      return "directory";
    case child_offsets::scan:
      return "scan";
  }
  return "unknown";
}

/// Device memory that several plans work in, one after the other: one scratch can serve the thousands
/// of matrices of a knowledge graph. It is as large as the plan made with it that needs most, and is
/// allocated by the first run; a larger plan made later reallocates it at its next use, which waits
/// for the device. Plans that share a scratch must not run at the same time: give them one stream, or
/// order their streams.
class cuda_scratch;

/// An empty scratch for cuda_options::scratch.
/// \throws not_compiled when this library has no GPU backend
std::shared_ptr<cuda_scratch> make_cuda_scratch();

/// The bytes that a scratch holds on the device now.
std::uint64_t allocated_bytes(const cuda_scratch& scratch);

/// How a product runs on the GPU; what does not say otherwise is for level-order matrices. Results do
/// not depend on any of this, but for the rounding of sums.
struct cuda_options {
  cuda_configuration configuration = cuda_configuration::tree_only;  ///< what is kept
  child_offsets offsets = child_offsets::automatic;                  ///< how children are found
  std::uint64_t tile_nodes = 1U << 20U;  ///< M: children of one tile, at least 4; 0: whole levels
  std::uint64_t top_nodes = 1U << 16U;  ///< the descent starts at the deepest level with at most so
                                        ///< many nodes, which the host expands; 1: at the root
  bool leaves_in_place = true;          ///< false: leaves get codes and threads of their own
  bool record = true;                   ///< repeated products of one vector replay a CUDA graph
  std::uint64_t memory_limit_bytes = 0;     ///< most device memory to use; 0: what is free
  std::shared_ptr<cuda_scratch> scratch{};  ///< where to work; empty: a scratch of the plan's own
  /// Layout adaptive, one vector: the warps that work off a container together, 1 or 4; 0: 4 where containers are
  /// few.
  unsigned container_warps = 0;
};

}  // namespace baltoro
