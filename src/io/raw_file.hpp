// A file as the system gives it, through one buffer.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace baltoro::io {

class raw_file {
 public:
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  // Throws io_error when the file cannot be opened or is a directory.
  explicit raw_file(const std::filesystem::path& file);
  ~raw_file();
  raw_file(const raw_file&) = delete;
  raw_file& operator=(const raw_file&) = delete;

  // What is buffered and not consumed.
  std::span<const char> buffered() const { return {buffer_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes);
  // Reads until at least `wanted` bytes are buffered (at most a block) or the file ends.
  // Returns what is buffered.
  std::span<const char> fill(std::size_t wanted = 1);
  // Fills `to`, past the buffer where that is possible; less than its size only at the end.
  std::size_t read(std::span<char> to);

  const std::string& name() const { return name_; }
  // Bytes consumed so far. The one function that another thread may call.
  std::uint64_t position() const { return position_.load(std::memory_order_relaxed); }
  // Bytes of the file, 0 where it is none that has a size.
  std::uint64_t size() const { return size_; }
  // Whether it is a pipe or the like: how long it is shows at its end.
  bool is_stream() const { return is_stream_; }

 private:
  // One read of the system, 0 at the end.
  std::size_t read_some(char* to, std::size_t bytes);
  void advance(std::size_t bytes) {
    position_.store(position() + bytes, std::memory_order_relaxed);
  }

  std::string name_;
  int descriptor_ = -1;
  bool ended_ = false;
  bool is_stream_ = true;
  std::uint64_t size_ = 0;
  std::atomic<std::uint64_t> position_{0};
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace baltoro::io
