#include "io/output.hpp"

#include <baltoro/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace baltoro::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_capacity = std::size_t{1} << 20;

// Names of temporary files, where a signal handler can get at them. Whoever exchanges a name for
// null owns it; the handler never gives memory back, since free() is not safe there. When all slots
// are taken, a file goes without: only a signal can then leave it behind.
std::array<std::atomic<char*>, 64> unfinished{};
static_assert(std::atomic<char*>::is_always_lock_free);

int remember(const fs::path& file) {
  char* name = ::strdup(file.c_str());
  if (name == nullptr) return -1;
  for (std::size_t i = 0; i < unfinished.size(); ++i) {
    char* empty = nullptr;
    if (unfinished[i].compare_exchange_strong(empty, name)) return static_cast<int>(i);
  }
  std::free(name);
  return -1;
}

void forget(int slot) {
  if (slot >= 0) std::free(unfinished[static_cast<std::size_t>(slot)].exchange(nullptr));
}

// The file that `target` is a link to, if it is one.
fs::path follow_links(fs::path target) {
  constexpr int most_links = 40;
  std::error_code failure;
  for (int i = 0; i < most_links && fs::is_symlink(target, failure); ++i) {
    const fs::path next = fs::read_symlink(target, failure);
    if (failure) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

// Such names stand for open files, which must not be replaced by others.
bool is_open_file(const fs::path& target) {
  const std::string name = target.string();
  return name.rfind("/proc/", 0) == 0 || name.rfind("/dev/fd/", 0) == 0 || name == "/dev/stdout" ||
         name == "/dev/stderr";
}

std::string random_letters(std::random_device& random) {
  constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text(6, '0');
  for (char& letter : text) letter = letters[random() % letters.size()];
  return text;
}

}  // namespace

output::output(const fs::path& target) : target_(target), name_(target.string()) {
  buffer_.reserve(buffer_capacity);
  if (target == "-") {
    name_ = "standard output";
    descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) throw io_error(name_, "cannot write", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (!exists && (errno != ENOENT || target.empty())) throw io_error(name_, "cannot create", errno);
  if (target.filename().empty() || (exists && S_ISDIR(status.st_mode))) {
    throw io_error(name_, "cannot write", EISDIR);
  }
  if (exists && (!S_ISREG(status.st_mode) || is_open_file(target))) {
    descriptor_ = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw io_error(name_, "cannot write", errno);
    return;
  }
  // rename() would replace a file that its owner has protected.
  if (exists && ::access(target.c_str(), W_OK) != 0) throw io_error(name_, "cannot write", errno);
  target_ = follow_links(target);
  create_temporary();
}

// Unlike mkstemp(), which makes files private, this leaves their mode to the umask.
void output::create_temporary() {
  constexpr std::size_t longest_stem = 200;  // leaves room for the suffix in any file system
  constexpr int most_tries = 100;
  const std::string stem = target_.filename().string().substr(0, longest_stem);
  std::random_device random;
  int failure = EEXIST;
  for (int i = 0; i < most_tries && failure == EEXIST; ++i) {
    temporary_ = target_.parent_path() / (stem + "." + random_letters(random) + ".tmp");
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    failure = descriptor_ < 0 ? errno : 0;
  }
  if (failure != 0) throw io_error(name_, "cannot create", failure);
  slot_ = remember(temporary_);
}

output::~output() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget(slot_);
}

void output::write(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  if (bytes > buffer_capacity - buffer_.size()) {
    flush();
    if (bytes >= buffer_capacity) {
      write_out(from, bytes);
      offset_ += bytes;
      return;
    }
  }
  buffer_.insert(buffer_.end(), from, from + bytes);
  offset_ += bytes;
}

void output::rewrite(std::uint64_t offset, const void* data, std::size_t bytes) {
  if (offset > offset_ || bytes > offset_ - offset) {
    throw invalid_argument(name_ + ": bytes that were not written cannot be rewritten");
  }
  const char* from = static_cast<const char*>(data);
  if (offset < flushed()) {
    if (temporary_.empty()) {
      throw io_error(name_, "cannot go back in a stream; a regular file is needed here", 0);
    }
    auto left = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, flushed() - offset));
    bytes -= left;
    while (left > 0) {
      const ::ssize_t done = ::pwrite(descriptor_, from, left, static_cast<::off_t>(offset));
      if (done <= 0 && errno != EINTR) throw io_error(name_, "cannot write", errno);
      if (done <= 0) continue;
      from += done;
      offset += static_cast<std::uint64_t>(done);
      left -= static_cast<std::size_t>(done);
    }
  }
  if (bytes > 0) std::memcpy(buffer_.data() + (offset - flushed()), from, bytes);
}

void output::pad_to(std::uint64_t alignment) {
  static constexpr std::array<char, 4096> zeros{};
  std::uint64_t left = (alignment - offset_ % alignment) % alignment;
  while (left > 0) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left, zeros.size()));
    write(zeros.data(), some);
    left -= some;
  }
}

void output::flush() {
  write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void output::write_out(const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ::ssize_t done = ::write(descriptor_, data, bytes);
    if (done < 0) {
      if (errno == EINTR) continue;
      throw io_error(name_, "cannot write", errno);
    }
    data += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

void output::commit() {
  flush();
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) {
    throw io_error(name_, "cannot write", errno);
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) throw io_error(name_, "cannot write", errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw io_error(name_, "cannot rename the finished file", errno);
  }
  temporary_.clear();
  forget(slot_);
  slot_ = -1;
}

void remove_unfinished_outputs() noexcept {
  const int error_number = errno;
  for (auto& slot : unfinished) {
    if (const char* name = slot.exchange(nullptr)) ::unlink(name);
  }
  errno = error_number;
}

}  // namespace baltoro::io
