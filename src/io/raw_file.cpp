#include "io/raw_file.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace baltoro::io {

raw_file::raw_file(const std::filesystem::path& file) : name_(file.string()) {
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw io_error(name_, "cannot open", errno);
  struct stat status {};
  int failure = ::fstat(descriptor_, &status) != 0 ? errno : 0;
  if (failure == 0 && S_ISDIR(status.st_mode)) failure = EISDIR;
  if (failure != 0) {
    ::close(descriptor_);
    throw io_error(name_, "cannot open", failure);
  }
  if (S_ISREG(status.st_mode)) {
    is_stream_ = false;
    size_ = static_cast<std::uint64_t>(status.st_size);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
}

raw_file::~raw_file() { ::close(descriptor_); }

std::size_t raw_file::read_some(char* to, std::size_t bytes) {
  if (ended_) return 0;
  for (;;) {
    const ::ssize_t got = ::read(descriptor_, to, bytes);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0) {
      ended_ = true;
      return 0;
    }
    if (errno != EINTR) throw io_error(name_, "cannot read", errno);
  }
}

void raw_file::consume(std::size_t bytes) {
  begin_ += bytes;
  advance(bytes);
}

std::span<const char> raw_file::fill(std::size_t wanted) {
  if (end_ - begin_ >= wanted) return buffered();
  buffer_.resize(block_bytes);
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  while (end_ < wanted) {
    const std::size_t got = read_some(buffer_.data() + end_, buffer_.size() - end_);
    if (got == 0) break;
    end_ += got;
  }
  return buffered();
}

std::size_t raw_file::read(std::span<char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const std::size_t left = to.size() - done;
    if (buffered().empty() && left >= block_bytes) {
      const std::size_t got = read_some(to.data() + done, left);
      if (got == 0) break;
      advance(got);
      done += got;
      continue;
    }
    const auto bytes = fill();
    if (bytes.empty()) break;
    const std::size_t some = std::min(left, bytes.size());
    std::memcpy(to.data() + done, bytes.data(), some);
    consume(some);
    done += some;
  }
  return done;
}

}  // namespace baltoro::io
