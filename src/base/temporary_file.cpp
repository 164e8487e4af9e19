#include "base/temporary_file.hpp"

#include <baltoro/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace baltoro::base {

temporary_file::temporary_file(const std::filesystem::path& directory) {
  // /tmp is memory on many systems, and what comes here is what memory has no room for.
  const char* const named = std::getenv("TMPDIR");
  const std::filesystem::path folder = !directory.empty()                   ? directory
                                       : named != nullptr && *named != '\0' ? named
                                                                            : "/var/tmp";
  name_ = folder.string() + " (temporary file)";
  descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    // Some file systems have no nameless files: make one with a name and take the name away.
    std::string pattern = (folder / "baltoro-XXXXXX").string();
    descriptor_ = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (descriptor_ < 0) throw io_error(name_, "cannot create", errno);
    ::unlink(pattern.c_str());
  }
}

temporary_file::~temporary_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

temporary_file::temporary_file(temporary_file&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

temporary_file& temporary_file::operator=(temporary_file&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

void temporary_file::append(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, bytes, static_cast<off_t>(size_));
    if (written < 0) {
      if (errno == EINTR) continue;
      throw io_error(name_, "cannot write", errno);
    }
    from += written;
    bytes -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
}

void temporary_file::read(std::uint64_t offset, void* data, std::size_t bytes) const {
  char* into = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, into, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw io_error(name_, "cannot read back", got < 0 ? errno : 0);
    into += got;
    bytes -= static_cast<std::size_t>(got);
    offset += static_cast<std::uint64_t>(got);
  }
}

std::shared_ptr<std::byte> temporary_file::map(std::uint64_t bytes) {
  // Without the space reserved, a full disk would end the process with SIGBUS.
  const int problem = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
  if (problem != 0) throw io_error(name_, "cannot reserve space", problem);
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) throw io_error(name_, "cannot map", errno);
  size_ = bytes;
  return {static_cast<std::byte*>(mapped), [bytes](std::byte* p) { ::munmap(p, bytes); }};
}

}  // namespace baltoro::base
