/// \file
/// \brief From edges in any order to a compressed matrix.
#pragma once

#include <baltoro/device.hpp>
#include <baltoro/matrix.hpp>
#include <baltoro/progress.hpp>
#include <baltoro/types.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

namespace baltoro {

/// How a matrix is built.
struct build_options {
  /// Rows and columns. Left out, they are one more than the largest row and column seen.
  std::optional<shape> dims{};
  /// The layout to build.
  baltoro::layout kind = default_layout;
  /// Bytes of heap the builder may hold; 0 sets no limit, the least is 16 MiB, which does for any number of
  /// edges. Edges that exceed it are sorted in runs on disk, and what is made of them is kept in nameless
  /// files too, mapped into memory.
  std::uint64_t memory_bytes = 0;
  /// Where runs go; empty: $TMPDIR, and where that is not set /var/tmp, which unlike /tmp is on disk. They are removed at the end and
  /// never have a name that outlives the process.
  std::filesystem::path temporary_directory{};
  /// level_order: S, the nodes a sample of the directory stands for, a power of two from 16 to 16384.
  std::uint32_t directory_step = 256;
  /// Layout adaptive: the most leaves of a container, 1 to 512. Small containers keep a GPU busy with a
  /// small matrix, large ones take fewer bits.
  std::uint32_t container_leaves = 512;
  /// Where the matrix is made; `automatic` is a GPU where there is one. The result is the same, byte for byte.
  device where = device::cpu;
  /// On a GPU: bytes of its memory that the build may take; 0: what is free. Edges that exceed it are sorted in
  /// runs, which are kept as the options above say, and worked off range by range.
  std::uint64_t device_memory_bytes = 0;
  /// Told how far the build is.
  progress_callback progress{};
};

/// What a build takes of a GPU's memory.
struct build_memory {
  std::uint64_t device_bytes =
      0;  ///< what it will allocate, within build_options::device_memory_bytes
  std::uint64_t smallest_bytes = 0;  ///< the smallest device_memory_bytes that would do
};

/// What building a matrix of so many edges takes of the GPU's memory; nothing where it is built on the CPU.
/// \throws invalid_argument when an option is outside its range
build_memory build_needs(std::uint64_t edges, const build_options& options);

/// Takes edges in any order, with duplicates, and makes a matrix of them. When add() or finish() throws
/// anything but invalid_argument, the builder has forgotten all edges and can be used again.
///
/// Costs: without a limit, 8 bytes an edge while edges are added and 17 while they are sorted, then the
/// matrix; about 40 ns an edge on one core, and parallel. The layout adaptive takes 24 bytes an 8×8 leaf
/// beside that while it is encoded. Source of the structure: paper, section 2.1, for level_order.
/// On a GPU edges take 8 bytes on the host until finish(), and as much again where they exceed the device.
class builder {
 public:
  /// \throws invalid_argument when an option is outside its range
  explicit builder(build_options options = {});
  ~builder();
  /// Takes over its edges; the other is then only good to be destroyed or assigned to.
  builder(builder&&) noexcept;
  /// The same, giving up what was held before.
  builder& operator=(builder&&) noexcept;

  /// Adds edges. Not to be called from two threads at once.
  /// \throws invalid_argument when an edge is outside the shape that was given
  /// \throws io_error when a run cannot be written, for instance on a full disk
  void add(std::span<const edge> edges);

  /// Adds one edge.
  void add(index_t row, index_t col) {
    const edge one{row, col};
    add({&one, 1});
  }

  /// Makes the matrix at least this large, as a file says whose last rows or columns may be empty.
  /// \throws invalid_argument when it exceeds the shape that was given
  void grow_to(shape at_least);

  /// The shape that finish() would give the matrix now.
  shape dims() const;

  /// Sorts, merges duplicates and builds. The builder is empty afterwards and can be used again.
  matrix finish();

 private:
  class impl;
  std::unique_ptr<impl> impl_;
};

/// Builds a matrix of edges that are in memory already: 9 bytes an edge beside them while they are sorted,
/// then 8 and the matrix.
///
/// With device::cuda they may also be in the device's memory, where what writes them must be done, or pinned, which
/// is fastest of what is on the host. On the host that takes 8 bytes an edge only where edges exceed the device.
/// \throws out_of_memory when the device's memory or build_options::device_memory_bytes is too small; the message
/// names the smallest that would do
matrix build(std::span<const edge> edges, const build_options& options = {});

/// The same cells in another layout. Streams through matrix::for_each; nothing is sorted. Where the matrix
/// has that layout already, this is a copy of the handle.
/// \param options memory_bytes, temporary_directory, directory_step, container_leaves and progress are used, the
/// rest is not
/// \throws invalid_argument when an option is outside its range
/// \throws io_error under a memory limit, when the disk is full
matrix convert(const matrix& a, layout to, const build_options& options = {});

/// The transposed matrix: cell (c, r) for every cell (r, c), all edges turned round. Products and
/// searches with the transposed matrix need none, they have directions; this is for a file of it, or for
/// an algorithm that knows one direction. Costs what building costs.
/// \param options as for a builder; the layout is options.kind, and options.dims is not used
/// \throws invalid_argument when an option is outside its range
/// \throws io_error under a memory limit, when the disk is full
matrix transpose(const matrix& a, const build_options& options = {});

}  // namespace baltoro
