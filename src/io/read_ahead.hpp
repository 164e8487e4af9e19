// Unpacking in a thread of its own, some blocks ahead of whoever reads.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "io/unpack.hpp"

namespace baltoro::io {

class read_ahead {
 public:
  // Takes over `from`, which nobody else may use any more. Throws std::system_error when there is
  // no thread to be had.
  explicit read_ahead(unpacker& from);
  ~read_ahead();
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  // As unpacker::read; an exception of the thread comes out when the blocks before it are used up.
  std::size_t read(std::span<char> to);

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 18;
  static constexpr std::size_t blocks = 4;
  struct block {
    std::vector<char> bytes;
    std::size_t size = 0;
    std::exception_ptr failure;  // after the bytes
  };

  void work();

  unpacker& from_;
  // Block i is at i % blocks. Those from taken_ to made_ belong to the reader, the others to the
  // thread.
  std::array<block, blocks> ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t made_ = 0;
  std::uint64_t taken_ = 0;
  bool stop_ = false;
  // Of the reader alone: where it is in the block taken_, if it has one.
  bool has_block_ = false;
  std::size_t position_ = 0;
  std::thread thread_;
};

}  // namespace baltoro::io
